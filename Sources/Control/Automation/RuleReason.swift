package import DeviceDomain

/// Why a rule runs, or was stopped. The ledger keeps it as the text that people read (``description``); what shows it in
/// another language reads it from there.
package enum RuleReason: Hashable, Sendable {
    /// It is a time of day, as `HH:MM`.
    case time(String)
    /// The sun has risen or set, at a time of day.
    case sun(SunEvent, at: String)
    /// A device, as people call it, has reported an event, with a code where it has one.
    case event(String, code: String?, device: String)
    /// A device can be reached from then on, or no longer.
    case presence(PresenceReport.Status, device: String)
    /// A device reports this value of a member: a text, or JSON.
    case value(String, member: String, device: String)
    /// A rule triggers itself; its number and name.
    case triggersItself(String)
    /// Rules trigger each other; the number and the name of each.
    case triggerEachOther(String)
}

extension RuleReason: CustomStringConvertible {
    private static let loopAlone = " triggers itself again and again, and is paused"
    private static let loop = " trigger each other again and again, and are paused"

    package var description: String {
        switch self {
        case .time(let time): "it was \(time)"
        case .sun(let event, let time): "\(event.rawValue) at \(time)"
        case .event(let name, let code, let device):
            "\(device) reported \(name)" + (code.map { " (\($0))" } ?? "")
        case .presence(let status, let device): "\(device) is \(status.rawValue)"
        case .value(let value, let member, let device): "\(device) reports \(member) \(value)"
        case .triggersItself(let rule): "rule \(rule)\(Self.loopAlone)"
        case .triggerEachOther(let rules): "rules \(rules)\(Self.loop)"
        }
    }

    /// Reads what ``description`` wrote, also where `": "` and the trigger of the rule follow; `nil` for another text.
    package init?(reading text: String) {
        let text = text[...]
        if text.hasPrefix("rule "), text.hasSuffix(Self.loopAlone) {
            self = .triggersItself(String(text.dropFirst(5).dropLast(Self.loopAlone.count)))
        } else if text.hasPrefix("rules "), text.hasSuffix(Self.loop) {
            self = .triggerEachOther(String(text.dropFirst(6).dropLast(Self.loop.count)))
        } else if text.hasPrefix("it was ") {
            self = .time(String(text.dropFirst(7)))
        } else if let (name, time) = text.halves(at: " at "), let event = SunEvent(rawValue: name) {
            self = .sun(event, at: time)
        } else {
            self.init(ofDevice: text)
        }
    }

    private init?(ofDevice text: Substring) {
        if let (device, event) = text.halves(at: " reported ") {
            let coded = event.hasSuffix(")") ? event.dropLast().halves(at: " (") : nil
            self = .event(coded?.0 ?? event, code: coded?.1, device: device)
        } else if let (device, report) = text.halves(at: " reports "),
            let (member, value) = report[...].halves(at: " ")
        {
            // A value that is a text may have a colon, too: the last one begins the trigger.
            let end = value.ranges(of: ": ").last?.lowerBound ?? value.endIndex
            self = .value(String(value[..<end]), member: member, device: device)
        } else if let (device, rest) = text.halves(at: " is "),
            let status = PresenceReport.Status(rawValue: String(rest.prefix { $0 != ":" }))
        {
            self = .presence(status, device: device)
        } else {
            return nil
        }
    }
}

extension Substring {
    /// What is before and after the first place of a sign; `nil` where it is not there.
    fileprivate func halves(at sign: String) -> (String, String)? {
        firstRange(of: sign).map { place in
            (String(self[..<place.lowerBound]), String(self[place.upperBound...]))
        }
    }
}
