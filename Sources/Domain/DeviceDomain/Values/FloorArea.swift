/// An area of a floor plan by its corners in their order; the last one is joined to the first.
public struct FloorArea: Hashable, Sendable {
    /// The corners.
    public let corners: [FloorPosition]

    /// How many corners an area, or a room, may have.
    public static let cornerCount = 3...32

    /// - Throws: ``ArgumentViolation`` unless there are 3 to 32 corners within 1,000 m of the origin that enclose
    ///   an area.
    public init(corners: [FloorPosition]) throws(ArgumentViolation) {
        guard Self.isWellFormed(corners) else {
            throw ArgumentViolation(
                path: "",
                reason: "must have 3 to 32 corners, and an area, within 1,000 m of the origin")
        }
        self.corners = corners
    }

    /// Whether a plan may have an area with these corners.
    static func isWellFormed(_ corners: [FloorPosition]) -> Bool {
        cornerCount.contains(corners.count) && corners.allSatisfy(\.isInReach)
            && signedSizeM2(corners) != 0
    }

    /// The signed size in m² (shoelace formula), positive for corners counter-clockwise.
    private static func signedSizeM2(_ corners: [FloorPosition]) -> Double {
        let next = corners.dropFirst() + corners.prefix(1)
        return zip(corners, next).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
    }
}
