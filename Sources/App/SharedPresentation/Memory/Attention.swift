internal import Connectivity
internal import DeviceControl
public import DeviceDomain
public import DeviceMessages
public import HomeModel

/// Something that a person should look at.
public struct Attention: Hashable, Sendable {
    /// What it is about.
    public enum Reason: Hashable, Sendable {
        /// The link of a channel is lost; this is why.
        case link(Failure)
        /// What is stored cannot be read.
        case storage(Failure)
        /// The device reports this error.
        case error(String)
        /// It raises these alarms.
        case alarms([String])
        /// It publishes something that cannot be read.
        case problem(String)
        /// Its battery is nearly empty, in whole percent, and it does not charge.
        case lowBattery(Double)
        /// Its dustbin is nearly full, in whole percent.
        case fullDustbin(Double)
        /// It is offline.
        case offline
        /// Whether it can be reached is not known.
        case doubtful
        /// The outcome of this command is unknown.
        case undecided(CommandName, CommandID)
    }

    /// What it is about.
    public let reason: Reason
    /// The device; `nil` for the home itself.
    public let device: DeviceID?
    /// What the device is called; empty for the home itself.
    public let name: String

    /// Whether something is broken, as opposed to something that is to be done some time.
    public var isBad: Bool {
        switch reason {
        case .link, .storage, .error, .alarms, .problem: true
        case .lowBattery, .fullDustbin, .offline, .doubtful, .undecided: false
        }
    }
}

extension Attention {
    /// Below this a battery needs a charger, in percent.
    public static let lowBatteryPercent = 15.0
    /// From this on a dustbin is to be emptied, in percent.
    public static let fullDustbinPercent = 90.0

    /// What a person should look at in a home, the worst first.
    @MainActor
    public static func all(in home: HomeMemory) -> [Attention] {
        var all: [Attention] = []
        if let failure = home.storageFailure { all.append(Attention(.storage(failure))) }
        for (_, link) in home.links.sorted(by: { $0.key < $1.key }) {
            if case .lost(let cause, _) = link { all.append(Attention(.link(cause))) }
        }
        for device in home.allDevices {
            let summary = device.summary
            for reason in summary.attention {
                // A lost link is named once, not by each of its devices.
                if reason == .doubtful, home.isLost(device.channel) { continue }
                all.append(Attention(reason: reason, device: summary.id, name: summary.name))
            }
        }
        all += home.undecided.map { command in
            let device = command.intent.device
            return Attention(
                reason: .undecided(command.intent.name, command.id), device: device,
                name: home.devices[device]?.name ?? device.text)
        }
        return all.filter(\.isBad) + all.filter { !$0.isBad }
    }

    private init(_ reason: Reason) { self.init(reason: reason, device: nil, name: "") }

    /// What a person should look at in one device, with whole percents.
    static func reasons(_ device: KnownDevice) -> [Reason] {
        var reasons: [Reason] = []
        let state = device.state?.members ?? [:]
        if let error = state[.error]?.string { reasons.append(.error(error)) }
        let alarms = state[.alarms]?.array?.compactMap(\.string) ?? []
        if !alarms.isEmpty { reasons.append(.alarms(alarms)) }
        if let problem = device.problem { reasons.append(.problem(problem)) }
        switch DevicePresence(device) {
        case .offline: reasons.append(.offline)
        case .doubtful: reasons.append(.doubtful)
        case .online, .unknown: break
        }
        if let percent = device.chargePercent, percent < lowBatteryPercent, !device.isCharging {
            reasons.append(.lowBattery(percent.rounded()))
        }
        if let percent = device.telemetry?.values[.dustbinPercent]?.number,
            percent >= fullDustbinPercent
        {
            reasons.append(.fullDustbin(percent.rounded()))
        }
        return reasons
    }
}

extension HomeMemory {
    fileprivate func isLost(_ channel: ChannelID) -> Bool {
        switch links[channel] {
        case .lost: true
        case .connecting, .connected, .limited, nil: false
        }
    }
}

extension KnownDevice {
    /// How full its battery is, in percent; `nil` where it has none, or has not said.
    public var chargePercent: Double? {
        for signal in [Signal.batteryPercent, .stateOfChargePercent] {
            if let number = newest(signal.rawValue)?.number { return number }
        }
        return nil
    }

    /// The value that it gave last of something that its state, its samples or both contain; `nil` where
    /// neither does.
    public func newest(_ name: String) -> JSONValue? {
        let (stated, measured) = (state?.members[name], telemetry?.values[name])
        guard let stated, let measured else { return stated ?? measured }
        guard let stateAt = state?.at, let sampledAt = telemetry?.at else { return measured }
        return stateAt > sampledAt ? stated : measured
    }

    /// Whether it says that it charges.
    public var isCharging: Bool { state?.members[.isCharging] == true }

    /// What it does or how it works, in its own word.
    public var activity: String? {
        state?.members[.activity]?.string ?? state?.members[.mode]?.string
    }
}
