/// Makes of what the processes of a fleet say what people are told: one line for all of them.
package struct JoinedNotices: Sendable {
    /// The devices of all processes.
    private let devices: Int
    /// How many processes there are.
    private let parts: Int
    private var ready: Set<Int> = []
    /// Parts that are not back, once the loss of the broker was told.
    private var away: Set<Int> = []
    /// Parts whose connections broke and are back, while others have not said so.
    private var broken: Set<Int> = []
    /// Parts that do not keep up with the world clock.
    private var behind: Set<Int> = []
    private var troubles: Set<String> = []

    package init(devices: Int, parts: Int) {
        self.devices = devices
        self.parts = parts
    }

    /// What is told when a part says this; `nil` for nothing, or nothing yet.
    package mutating func notice(_ notice: FleetNotice, of part: Int) -> FleetNotice? {
        switch notice {
        case .ready:
            ready.insert(part)
            return ready.count == parts ? .ready(devices: devices) : nil
        case .brokerLost:
            guard away.isEmpty else { return nil }
            // The others lose it too, if they have not said so yet.
            away = Set(1...parts).subtracting(broken).union([part])
            broken = []
            return notice
        case .brokerBack: return back(part)
        case .connectionsBroken(let reason, _):
            guard away.isEmpty else { return back(part) }
            broken.insert(part)
            guard broken.count == parts else { return nil }
            broken = []
            return .connectionsBroken(reason: reason, devices: devices)
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

    private mutating func back(_ part: Int) -> FleetNotice? {
        guard away.remove(part) != nil, away.isEmpty else { return nil }
        return .brokerBack(devices: devices)
    }
}

// What processes of one fleet tell each other.
extension FleetNotice {
    /// The notice as a line.
    package var members: [String: String] {
        switch self {
        case .ready: ["notice": "ready"]
        case .brokerLost(let reason): ["notice": "lost", "text": reason]
        case .brokerBack: ["notice": "back"]
        case .connectionsBroken(let reason, _): ["notice": "broken", "text": reason]
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
        switch members["notice"] {
        case "ready": self = .ready(devices: 0)
        case "lost": self = .brokerLost(reason: text)
        case "back": self = .brokerBack(devices: 0)
        case "broken": self = .connectionsBroken(reason: text, devices: 0)
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
