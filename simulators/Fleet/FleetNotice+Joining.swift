/// Makes of what the processes of a fleet say what people are told: one line for all of them.
package struct JoinedNotices: Sendable {
    /// The devices of all processes.
    private let devices: Int
    /// How many processes there are.
    private let parts: Int
    /// How many devices of a part are not connected, once it has said so; none where all were ready.
    private var unconnected: [Int: Int] = [:]
    /// Why devices are not connected, until that is told.
    private var lateReason: String?
    /// What is told of each broker, by its name; the empty name is that of the only one.
    private var outages: [String: JoinedOutage]
    /// Parts that do not keep up with the world clock.
    private var behind: Set<Int> = []
    private var troubles: Set<String> = []

    /// - Parameters:
    ///   - plan: the devices of all processes.
    ///   - parts: the homes of each process.
    ///   - brokers: those of the devices; `nil` without any.
    package init(of plan: FleetPlan, in parts: [FleetHomes], on brokers: FleetBrokers?) {
        self.init(
            devices: plan.devices.count, parts: parts.count,
            outages: brokers?.outages(of: plan, in: parts) ?? [:])
    }

    /// - Parameter outages: what is told of each broker, by its name.
    init(devices: Int, parts: Int, outages: [String: JoinedOutage]) {
        self.devices = devices
        self.parts = parts
        self.outages = outages
    }

    /// What is told when a part says this; `nil` for nothing, or nothing yet.
    package mutating func notice(_ notice: FleetNotice, of part: Int) -> FleetNotice? {
        switch notice {
        case .ready:
            unconnected[part] = 0
            return startNotice()
        case .incomplete(let number, _, let reason):
            unconnected[part] = number
            lateReason = reason
            return startNotice()
        case .brokerLost(let broker, _):
            return outages[broker ?? ""]?.lost(part) == true ? notice : nil
        case .brokerBack(let broker, _):
            return outages[broker ?? ""]?.back(part) == true ? back(broker) : nil
        case .connectionsBroken(let broker, let reason, _):
            switch outages[broker ?? ""]?.broke(part) {
            case .nothing, nil: return nil
            case .back: return back(broker)
            case .over:
                return .connectionsBroken(
                    broker: broker, reason: reason, devices: devices(of: broker))
            }
        case .moreOf(let trouble): return troubles.insert(trouble).inserted ? notice : nil
        case .behind:
            defer { behind.insert(part) }
            return behind.isEmpty ? notice : nil
        case .caughtUp:
            behind.remove(part)
            return behind.isEmpty ? notice : nil
        case .duplicateClient, .gaveUp, .refused, .denied, .claimCommitted, .violated, .told,
            .undelivered:
            return notice
        }
    }

    /// What is told of the start, once every part has said how it goes there.
    private mutating func startNotice() -> FleetNotice? {
        guard unconnected.count == parts else { return nil }
        let number = unconnected.values.reduce(0, +)
        guard number > 0 else { return .ready(devices: devices) }
        defer { lateReason = nil }
        return lateReason.map { .incomplete(unconnected: number, devices: devices, reason: $0) }
    }

    private func back(_ broker: String?) -> FleetNotice {
        .brokerBack(broker: broker, devices: devices(of: broker))
    }

    private func devices(of broker: String?) -> Int { outages[broker ?? ""]?.devices ?? 0 }
}

// What processes of one fleet tell each other.
extension FleetNotice {
    /// The notice as a line.
    package var members: [String: String] {
        switch self {
        case .ready: ["notice": "ready"]
        case .incomplete(let unconnected, _, let reason):
            ["notice": "incomplete", "text": reason, "unconnected": "\(unconnected)"]
        case .brokerLost(let broker, let reason):
            ["notice": "lost", "text": reason, "broker": broker ?? ""]
        case .brokerBack(let broker, _): ["notice": "back", "broker": broker ?? ""]
        case .connectionsBroken(let broker, let reason, _):
            ["notice": "broken", "text": reason, "broker": broker ?? ""]
        case .moreOf(let trouble): ["notice": "more", "text": trouble]
        case .behind(let reached, let wanted):
            ["notice": "behind", "reached": "\(reached)", "wanted": "\(wanted)"]
        case .caughtUp(let speed): ["notice": "caught-up", "wanted": "\(speed)"]
        case .duplicateClient, .gaveUp, .refused, .denied, .claimCommitted, .violated, .told,
            .undelivered:
            ["notice": "told", "text": "\(self)"]
        }
    }

    /// A notice that another process has told; `nil` for something else.
    package init?(_ members: [String: String]) {
        let text = members["text"] ?? ""
        let broker = members["broker"].flatMap { $0.isEmpty ? nil : $0 }
        switch members["notice"] {
        case "ready": self = .ready(devices: 0)
        case "incomplete":
            guard let number = members["unconnected"].flatMap({ Int($0) }) else { return nil }
            self = .incomplete(unconnected: number, devices: 0, reason: text)
        case "lost": self = .brokerLost(broker: broker, reason: text)
        case "back": self = .brokerBack(broker: broker, devices: 0)
        case "broken": self = .connectionsBroken(broker: broker, reason: text, devices: 0)
        case "more": self = .moreOf(trouble: text)
        case "behind":
            guard let reached = members["reached"].flatMap(Double.init),
                let wanted = members["wanted"].flatMap(Double.init)
            else { return nil }
            self = .behind(reached: reached, wanted: wanted)
        case "caught-up":
            guard let speed = members["wanted"].flatMap(Double.init) else { return nil }
            self = .caughtUp(speed: speed)
        case "told": self = .told(text)
        case _?, nil: return nil
        }
    }
}
