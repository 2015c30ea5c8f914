/// Where the body of a robot comes within the next second of the world.
package struct BodyCourse: Hashable, Sendable {
    /// Metres east, now and after each seventh of the second.
    private(set) var xs: SIMD8<Double>
    /// Metres north.
    private(set) var ys: SIMD8<Double>

    /// How many places there are.
    static let count = 8

    /// A robot that stands.
    init(at place: PlanPoint) {
        xs = SIMD8(repeating: place.x)
        ys = SIMD8(repeating: place.y)
    }

    /// A robot that goes on with a drive.
    init(_ drive: Drive) {
        self.init(at: drive.pose.position)
        var drive = drive
        for index in 1..<Self.count {
            drive.pass(milliseconds: index * 1000 / 7 - (index - 1) * 1000 / 7)
            let place = drive.pose.position
            (xs[index], ys[index]) = (place.x, place.y)
        }
    }

    /// The least distance of one of its places from any place of another course, in metres.
    func distance(at index: Int, to other: BodyCourse) -> Double {
        let (x, y) = (other.xs - xs[index], other.ys - ys[index])
        return (x * x + y * y).min().squareRoot()
    }

    /// Whether a robot on this course comes no nearer to another one than `distance`, or than it is now if that is
    /// less.
    func keeps(_ distance: Double, from other: BodyCourse) -> Bool {
        let least = min(distance, self.distance(at: 0, to: other))
        return (1..<Self.count).allSatisfy { self.distance(at: $0, to: other) >= least }
    }
}

/// What the traffic of a floor has a robot do in the next second.
package enum TrafficOrder: Hashable, Sendable {
    /// It drives.
    case drive
    /// It waits.
    /// - Parameters:
    ///   - others: where the other robots of the floor are.
    ///   - rank: its place among them; of two that wait for each other the lower one makes way first.
    ///   - isBehindStanding: whether those in its way stand.
    case wait(others: [PlanPoint], rank: Int, isBehindStanding: Bool)
}

/// Whether a robot may drive in the present second.
struct RightOfWay: Hashable, Sendable {
    /// What it may do.
    enum State: Hashable, Sendable {
        /// It drives: no other robot is on its floor.
        case alone
        /// It drives until the end of the second.
        case drives
        /// It stands where it is, for so many seconds so far.
        case waits(seconds: Int)
    }

    /// What it may do.
    private(set) var state = State.alone
    /// How often it has gone back since it took up what it does.
    private(set) var retreats = 0

    /// How long it waits for a robot that stands before it makes way, in seconds.
    private static let patience = 2
    /// From one attempt to make way to the next, in seconds.
    private static let period = 7
    /// How long it waits, in seconds, and how often it goes back, before it is trapped (estimates: longer than
    /// another one needs to leave a room).
    private static let mostSeconds = 600
    private static let mostRetreats = 8

    /// Whether it stands where it is.
    var isWaiting: Bool {
        switch state {
        case .alone, .drives: false
        case .waits: true
        }
    }

    /// Whether nothing is left to try.
    var isTrapped: Bool {
        switch state {
        case .alone, .drives: false
        case .waits(let seconds):
            seconds >= Self.mostSeconds || retreats > Self.mostRetreats
        }
    }

    /// There are others on its floor: from now on the traffic says when it drives.
    mutating func join() { state = .waits(seconds: 0) }

    /// It begins something else: until the next whole second it has no right to drive.
    mutating func beginAnew() {
        retreats = 0
        switch state {
        case .alone: break
        case .drives, .waits: state = .waits(seconds: 0)
        }
    }

    /// It may drive.
    mutating func drive() { state = .drives }

    /// It has to wait another second.
    /// - Returns: whether it is time to make way.
    mutating func wait(rank: Int, isBehindStanding: Bool) -> Bool {
        guard case .waits(let seconds) = state else {
            state = .waits(seconds: 1)
            return false
        }
        state = .waits(seconds: seconds + 1)
        let first = Self.patience + (isBehindStanding ? 0 : 2 * rank)
        let since = seconds + 1 - first
        // What did not help for a minute is tried less often.
        return since >= 0 && since.isMultiple(of: since < 60 ? Self.period : 10 * Self.period)
    }

    /// It cleans on, past where it went back. To have come back to there is not enough.
    mutating func goOn() { if !isWaiting { retreats = 0 } }

    /// It goes back.
    mutating func retreat() { retreats += 1 }
}
