/// The dock of a robot.
public struct PlannedDock: Hashable, Sendable {
    /// Where the robot stands when it is docked.
    public let position: FloorPosition
    /// Where the docked robot looks, in degrees clockwise from north; `nil` if the robot has not said.
    public let headingDeg: Double?

    /// The headings that a dock may have, in degrees.
    public static let allowedHeadingDeg = 0.0...360.0

    /// - Throws: ``ArgumentViolation`` for a heading that is not 0 to 360°.
    public init(
        position: FloorPosition, headingDeg: Double? = nil
    ) throws(ArgumentViolation) {
        guard headingDeg.map(Self.allowedHeadingDeg.contains) ?? true else {
            throw ArgumentViolation(
                path: Signal.headingDeg.rawValue, reason: "must be 0 to 360 degrees")
        }
        self.position = position
        self.headingDeg = headingDeg
    }
}
