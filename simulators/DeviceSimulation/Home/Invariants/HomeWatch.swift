import DeviceDomain

/// Looks at one device at each of its instants.
struct DeviceInspector: Sendable {
    private var last: (look: DeviceLook, at: Timestamp)?

    /// Its body at the last look.
    var body: DeviceLook.Body? { last?.look.body }

    /// Looks at a device.
    /// - Returns: what does not hold, mostly nothing.
    mutating func look(
        at behaviour: any DeviceBehaviour, _ instant: Timestamp
    ) -> [InvariantFinding] {
        let look = behaviour.look
        defer { last = (look, instant) }
        // What has not changed was checked when it came about, but for a body that has to sink.
        if let last, last.look == look, look.body?.isSettled ?? true { return [] }
        let step = DeviceStep(
            before: last?.look, now: look, start: last?.at ?? instant, end: instant,
            behaviour: behaviour)
        return step.findings
    }

    /// Somebody has done something to the device: its body may be elsewhere.
    mutating func handled() { last?.look.body = nil }

    /// The device was started anew, or time was left out.
    mutating func forget() { last = nil }
}

/// Watches that the invariants hold in one home.
struct HomeWatch: Sendable {
    private let home: HomeID?
    private var devices: [DeviceInspector]
    private let names: [DeviceID]
    private var stores: [StoreLook] = []
    private var storesAt: Timestamp?
    private var wasDark = false
    /// What was found so far.
    private(set) var record = InvariantRecord()

    init(_ identities: [DeviceIdentity]) {
        home = identities.first?.home
        names = identities.map(\.device)
        devices = identities.map { _ in DeviceInspector() }
    }

    /// Looks at a device of the home.
    mutating func look(at behaviour: any DeviceBehaviour, of place: Int, _ instant: Timestamp) {
        let findings = devices[place].look(at: behaviour, instant)
        guard !findings.isEmpty else { return }
        note(findings, of: names[place], instant)
    }

    /// Looks at the energy of the home at a whole second.
    mutating func look(at household: Household, _ second: Timestamp) {
        guard !household.stores.isEmpty else { return }
        note(Household.checks.findings(in: household), of: household.stores[0].device, second)
        let isNext =
            stores.count == household.stores.count
            && storesAt.map { second.since($0) == .seconds(1) } ?? false
        if !isNext { stores = household.stores.map(StoreLook.init) }
        for index in stores.indices where isNext {
            let look = StoreLook(household.stores[index])
            let step = StoreStep(
                before: stores[index], now: look, wasDark: wasDark || !household.hasPower)
            note(step.findings, of: look.device, second)
            stores[index] = look
        }
        storesAt = second
        wasDark = !household.hasPower
    }

    /// Looks at robots that share floors, at a whole second.
    /// - Parameter floors: for each of them the places of its robots.
    mutating func look(atRobotsOn floors: [[Int]], _ second: Timestamp) {
        for robots in floors {
            for (rank, one) in robots.enumerated() {
                for other in robots[..<rank] {
                    guard let body = self.body(of: one), let otherBody = self.body(of: other) else {
                        continue
                    }
                    let pair = RobotPair(one: body, other: otherBody, name: names[other])
                    note(RobotPair.checks.findings(in: pair), of: names[one], second)
                }
            }
        }
    }

    /// The body of a device at the last look.
    func body(of place: Int) -> DeviceLook.Body? { devices[place].body }

    /// Somebody has done something to a device.
    mutating func handled(_ place: Int) { devices[place].handled() }

    /// A device was started anew.
    mutating func restarted(_ place: Int) {
        devices[place].forget()
        storesAt = nil
    }

    /// Time was left out.
    mutating func timeWasLeftOut() {
        for place in devices.indices { restarted(place) }
    }

    /// Takes the violations that are to be told.
    mutating func takeNews() -> [InvariantViolation] { record.takeNews() }

    private mutating func note(
        _ findings: [InvariantFinding], of device: DeviceID, _ instant: Timestamp
    ) {
        guard let home else { return }
        for finding in findings {
            record.add(
                InvariantViolation(
                    invariant: finding.invariant, home: home, device: device, at: instant,
                    text: finding.text))
        }
    }
}

/// Two robots on one floor.
struct RobotPair {
    /// The body of one.
    let one: DeviceLook.Body
    /// The body of the other.
    let other: DeviceLook.Body
    /// The name of the other.
    let name: DeviceID

    /// What is checked of them.
    static let checks: [InvariantCheck<RobotPair>] = [
        InvariantCheck(.robotsApart) { $0.contact }
    ]

    private var contact: String? {
        let distance = one.position.distance(to: other.position)
        let least = 2 * SweeperChassis.standard.bodyRadius.value
        guard distance < least - Invariant.robotsApart.tolerance.value else { return nil }
        return "its middle is \(distance) m from that of \(name)"
    }
}
