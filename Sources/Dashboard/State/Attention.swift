internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// Something that a person should look at.
struct Attention: Hashable, Sendable {
    /// What it is about.
    enum Reason: Hashable, Sendable {
        /// The link of a channel is lost.
        case link(String)
        /// The ledger cannot be read.
        case ledger(String)
        /// The device reports an error.
        case error(String)
        /// It raises alarms.
        case alarms([String])
        /// It publishes something that cannot be read.
        case problem(String)
        /// Its battery is nearly empty, in percent, and it does not charge.
        case lowBattery(Double)
        /// Its dustbin is nearly full, in percent.
        case fullDustbin(Double)
        /// It is offline.
        case offline
        /// The outcome of this command is unknown.
        case undecided(CommandName)
    }

    let reason: Reason
    /// The device; `nil` for the home itself.
    let device: DeviceID?
    /// What the device is called.
    let name: String

    /// Whether something is broken, as opposed to something that is to be done some time.
    var isBad: Bool {
        switch reason {
        case .link, .ledger, .error, .alarms, .problem: true
        case .lowBattery, .fullDustbin, .offline, .undecided: false
        }
    }
}

extension Attention {
    /// Below this a battery needs a charger, in percent.
    static let lowBatteryPercent = 15.0
    /// From this on a dustbin is to be emptied, in percent.
    static let fullDustbinPercent = 90.0

    /// What a person should look at in a home, the worst first.
    @MainActor
    static func all(in home: HomeState) -> [Attention] {
        var all: [Attention] = []
        if let problem = home.ledgerProblem { all.append(Attention(.ledger(problem))) }
        for (_, link) in home.links.sorted(by: { $0.key < $1.key }) {
            if case .lost(let error, _) = link { all.append(Attention(.link("\(error)"))) }
        }
        for device in home.allDevices {
            all += reasons(device.known).map {
                Attention(reason: $0, device: device.id, name: device.name)
            }
        }
        for command in home.undecided {
            let device = command.intent.device
            all.append(
                Attention(
                    reason: .undecided(command.intent.name), device: device,
                    name: home.devices[device]?.name ?? device.text))
        }
        return all.filter(\.isBad) + all.filter { !$0.isBad }
    }

    private init(_ reason: Reason) { self.init(reason: reason, device: nil, name: "") }

    private static func reasons(_ device: KnownDevice) -> [Reason] {
        var reasons: [Reason] = []
        let state = device.state?.members ?? [:]
        if let error = state["error"]?.string { reasons.append(.error(error)) }
        let alarms = state["alarms"]?.array?.compactMap(\.string) ?? []
        if !alarms.isEmpty { reasons.append(.alarms(alarms)) }
        if let problem = device.problem { reasons.append(.problem(problem)) }
        if case .offline = device.connection { reasons.append(.offline) }
        if let percent = device.chargePercent, percent < lowBatteryPercent,
            state["isCharging"] != true
        {
            reasons.append(.lowBattery(percent))
        }
        if let percent = device.telemetry?.values["dustbinPercent"]?.number,
            percent >= fullDustbinPercent
        {
            reasons.append(.fullDustbin(percent))
        }
        return reasons
    }
}

extension KnownDevice {
    /// How full its battery is, in percent; `nil` where it has none, or has not said.
    var chargePercent: Double? {
        for name in ["batteryPercent", "stateOfChargePercent"] {
            let value = telemetry?.values[name] ?? state?.members[name]
            if let number = value?.number { return number }
        }
        return nil
    }

    /// What it does or how it works, in its own word.
    var activity: String? {
        state?.members["activity"]?.string ?? state?.members["mode"]?.string
    }
}
