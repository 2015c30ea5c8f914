internal import Connectivity
public import DeviceDomain
internal import HomeModel
public import SharedPresentation

/// The floor of a robot: where it is, where it has been, and which rooms it can be told to clean.
public struct FloorPlan: Hashable, Sendable {
    /// The rooms and the dock, as it describes them; `nil` if it does not.
    public let rooms: RoomPlan?
    /// Where it has been, oldest first; the last one is where it is.
    public let trail: [FloorPoint]
    /// The stretches of its present or last cleaning, oldest first.
    public let cleaned: [[FloorPoint]]
    /// The direction that it faces, in degrees clockwise from north; `nil` if it has not said.
    public let headingDegrees: Double?
    /// Whether it can be told which rooms to clean.
    public let canCleanRooms: Bool

    /// Where it is; `nil` if it has not said.
    public var place: FloorPoint? { trail.last }

    @MainActor
    init(_ device: DeviceMemory) {
        rooms = device.known.profile?.plan
        trail = device.trail
        cleaned = device.drive.cleaned
        headingDegrees = device.known.telemetry?.values[.headingDeg]?.number
        let cleaning = device.known.profile?.specification(of: .startCleaning)
        canCleanRooms = cleaning?.arguments?.properties["rooms"] != nil
    }
}
