/// Lets the robots of a home drive so that none of them touches another.
///
/// At each whole second every robot that wants to drive says where its body comes within the second. One after the
/// other, in the order of the home, gets the right to it where it keeps clear of those that have it already, and of
/// the places of those that have not: these stand for the second. So no two of them ever meet, whatever they are told
/// in between, because a robot that begins something else waits for the next second.
struct FloorTraffic: Sendable {
    /// For each floor the places in the home of its robots. Robots whose docks have the same place live on floors of
    /// their own, one above the other, with the same plan.
    private(set) var floors: [[Int]] = []
    private var claims: [BodyCourse?] = []

    /// How near robots come to each other, from middle to middle, in metres.
    static let distance =
        2 * SweeperChassis.standard.bodyRadius.value + SweeperChassis.standard.apart.value
    /// Robots that are farther from each other do not meet within a second, in metres.
    private static let reach = distance + 2 * SweeperChassis.standard.peakSpeed.value

    /// - Parameter docks: where the dock of each device is; `nil` for one that shares no floor.
    init(docks: [PlanPoint?]) {
        for (place, dock) in docks.enumerated() {
            guard let dock else { continue }
            let number = docks[..<place].count { $0 == dock }
            if floors.count <= number { floors.append([]) }
            floors[number].append(place)
        }
    }

    /// The other robots on the floor of one.
    func neighbours(of place: Int) -> [Int] {
        floors.first { $0.contains(place) }?.filter { $0 != place } ?? []
    }

    /// Decides who drives in the second that begins.
    /// - Parameter watch: has looked at all of them at this second.
    mutating func direct(_ devices: inout [SimulatedDevice], seenBy watch: HomeWatch) {
        for robots in floors where robots.count > 1 {
            let isQuiet = robots.allSatisfy { place in
                watch.body(of: place).map { $0.isAtRest && !$0.isHeld } ?? true
            }
            if isQuiet { continue }
            let seen = robots.map(watch.body)
            claims = robots.map { _ in nil }
            for rank in robots.indices {
                guard let body = seen[rank] else { continue }
                let order =
                    body.isHeld
                    ? rescue(rank, in: devices[robots[rank]], seen)
                    : self.order(rank, body, in: devices, robots, seen)
                if let order { devices[robots[rank]].behaviour.direct(order) }
            }
        }
    }

    /// Whether a robot that is carried to its dock finds it free.
    private func rescue(
        _ rank: Int, in device: SimulatedDevice, _ seen: [DeviceLook.Body?]
    ) -> TrafficOrder? {
        guard let dock = device.behaviour.dockPlace else { return nil }
        let isFree = seen.indices.allSatisfy { other in
            other == rank || (seen[other]?.position.distance(to: dock) ?? .infinity) > Self.reach
        }
        return isFree ? .drive : .wait(others: [], rank: rank, isBehindStanding: false)
    }

    private mutating func order(
        _ rank: Int, _ body: DeviceLook.Body, in devices: [SimulatedDevice], _ robots: [Int],
        _ seen: [DeviceLook.Body?]
    ) -> TrafficOrder? {
        guard !body.isAtRest else { return nil }
        let near = seen.indices.filter { other in
            other != rank
                && (seen[other]?.position.distance(to: body.position) ?? .infinity) < Self.reach
        }
        guard !near.isEmpty else { return .drive }
        let course = devices[robots[rank]].behaviour.course ?? BodyCourse(at: body.position)
        let blocking = near.filter { other in
            let claim = claims[other] ?? seen[other].map { BodyCourse(at: $0.position) }
            return claim.map { !course.keeps(Self.distance, from: $0) } ?? false
        }
        guard !blocking.isEmpty else {
            claims[rank] = course
            return .drive
        }
        let others = seen.indices.compactMap { $0 == rank ? nil : seen[$0]?.position }
        return .wait(
            others: others, rank: rank,
            isBehindStanding: blocking.allSatisfy { seen[$0]?.isAtRest ?? true })
    }
}
