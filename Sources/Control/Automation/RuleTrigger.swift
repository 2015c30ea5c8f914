public import DeviceDomain
public import HomeModel

/// What lets a rule run.
public enum RuleTrigger: Hashable, Sendable {
    /// A device reports an event of this name.
    case event(EventName)
    /// A device can be reached from then on, or no longer.
    case presence(PresenceReport.Status)
    /// What a device reports meets a condition that it did not meet before.
    case comparison(DeviceCondition)
    /// A time of day, every day.
    case time(TimeOfDay)
    /// The sun at the place of the home.
    case sun(SunEvent)

    /// Reads `event=NAME`, `presence=offline`, `presence=online`, `at=HH:MM`, `sunrise`, `sunset`, or a condition as
    /// `batteryPercent<20`.
    /// - Throws: ``InvalidRule`` if the text is none of them.
    public init(_ text: String) throws(InvalidRule) {
        let text = String(text.withoutOuterBlanks)
        if let event = SunEvent(rawValue: text) {
            self = .sun(event)
            return
        }
        guard let sign = text.firstIndex(of: "="),
            let word = Word(rawValue: String(String(text[..<sign]).withoutOuterBlanks))
        else {
            self = .comparison(try Self.condition(text))
            return
        }
        let value = String(text[text.index(after: sign)...])
        self = try Self.of(word, String(value.withoutOuterBlanks))
    }

    /// What may stand before `=` and names no member of a device.
    private enum Word: String {
        case event, presence, at
    }

    private static func of(_ word: Word, _ value: String) throws(InvalidRule) -> RuleTrigger {
        switch word {
        case .event:
            do {
                return .event(try EventName(value))
            } catch {
                throw InvalidRule("\(error), such as event=stuck")
            }
        case .presence:
            guard let status = PresenceReport.Status(rawValue: value) else {
                throw InvalidRule("write presence=offline or presence=online")
            }
            return .presence(status)
        case .at:
            guard let time = TimeOfDay(value) else {
                throw InvalidRule("write a time from 00:00 to 23:59, as at=08:30")
            }
            return .time(time)
        }
    }

    private static func condition(_ text: String) throws(InvalidRule) -> DeviceCondition {
        do {
            return try DeviceCondition(reading: text)
        } catch {
            throw InvalidRule(
                "\(error); or write event=NAME, presence=offline, at=HH:MM, sunrise or sunset")
        }
    }

    /// Whether it lasts: a device may meet it for a time.
    var lasts: Bool {
        switch self {
        case .presence, .comparison: true
        case .event, .time, .sun: false
        }
    }

    /// Whether it happens at a device.
    public var isOfDevice: Bool {
        switch self {
        case .event, .presence, .comparison: true
        case .time, .sun: false
        }
    }

    var comparesNumbers: Bool {
        guard case .comparison(let condition) = self else { return false }
        return condition.value.number != nil && !condition.relation.isEquality
    }
}

/// As it can be read.
extension RuleTrigger: CustomStringConvertible {
    public var description: String {
        switch self {
        case .event(let name): "event=\(name)"
        case .presence(let status): "presence=\(status.rawValue)"
        case .comparison(let condition): "\(condition)"
        case .time(let time): "at=\(time)"
        case .sun(let event): event.rawValue
        }
    }
}
