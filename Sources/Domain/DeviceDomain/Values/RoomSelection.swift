/// Rooms to be cleaned: 1 to 20 different ids of the floor plan.
public struct RoomSelection: Hashable, Sendable {
    /// The ids in the order of cleaning.
    public let ids: [Int]

    /// How many rooms one command may name (PROTOCOL section 5).
    public static let allowedCount = 1...20

    /// - Throws: ``ArgumentViolation`` unless there are 1 to 20 different ids. An empty list does
    ///   not mean all rooms.
    public init(_ ids: [Int]) throws(ArgumentViolation) {
        guard Self.allowedCount.contains(ids.count), Set(ids).count == ids.count else {
            throw ArgumentViolation(path: "rooms", reason: "must be 1 to 20 different ids of rooms")
        }
        self.ids = ids
    }
}
