import DeviceDomain

/// Where in the pool a robot is: how deep, and on what.
struct PoolDive: Hashable, Sendable {
    /// What the robot drives on.
    enum Surface: Hashable, Sendable {
        case floor, wall, waterline
    }

    /// How deep it is, in m.
    private(set) var depthM = PoolConstants.surfaceDepthM
    /// How far it is tilted, in degrees: 0 on the floor, 90 on a wall.
    private(set) var tiltDeg = 0.0
    /// What it drives on.
    private(set) var surface = Surface.floor

    /// How fast it tilts, in degrees per second (engineering).
    private static let tiltSpeed = 15.0
    /// How long one climb or one stretch along the waterline takes, in seconds.
    private static let stretch = 40.0

    /// A robot that floats.
    init() {}

    /// A robot that stands where it was recorded.
    init(depthM: Double, tiltDeg: Double) {
        (self.depthM, self.tiltDeg) = (depthM, tiltDeg)
    }

    /// Whether it floats.
    var isAtSurface: Bool { depthM <= PoolConstants.surfaceDepthM }

    /// Goes on with a program that has run for `elapsed` seconds.
    mutating func follow(_ program: PoolRobot.Program, elapsed: Double, seconds: Double) {
        surface = Self.surface(of: program, elapsed: elapsed)
        switch surface {
        case .floor: move(to: Self.floorDepth(elapsed: elapsed), tilt: 0, seconds: seconds)
        case .wall: move(to: 0.4, tilt: 90, seconds: seconds)
        case .waterline: move(to: PoolConstants.surfaceDepthM, tilt: 80, seconds: seconds)
        }
    }

    /// Comes up.
    mutating func rise(seconds: Double) {
        surface = .wall
        move(to: PoolConstants.surfaceDepthM, tilt: 0, seconds: seconds)
    }

    /// Comes to rest on a level keel.
    mutating func rest(seconds: Double) {
        surface = .floor
        move(to: depthM, tilt: 0, seconds: seconds)
    }

    private mutating func move(to depth: Double, tilt: Double, seconds: Double) {
        depthM = Self.approach(depthM, depth, by: PoolConstants.climbSpeed * seconds)
        tiltDeg = Self.approach(tiltDeg, tilt, by: Self.tiltSpeed * seconds)
    }

    private static func approach(_ value: Double, _ target: Double, by step: Double) -> Double {
        value < target ? min(target, value + step) : max(target, value - step)
    }

    private static func surface(of program: PoolRobot.Program, elapsed: Double) -> Surface {
        let phase = Int(elapsed / stretch)
        switch program {
        case .floor: return .floor
        case .walls: return phase.isMultiple(of: 2) ? .floor : .wall
        case .waterline: return phase.isMultiple(of: 3) ? .floor : .waterline
        case .full: return [.floor, .floor, .wall, .waterline][phase % 4]
        }
    }

    private static func floorDepth(elapsed: Double) -> Double {
        let lap = 2 * .pi * elapsed / PoolConstants.lapSeconds
        return PoolConstants.floorDepthM.mean
            + PoolConstants.floorDepthM.slope * Mathematics.sine(lap)
    }
}
