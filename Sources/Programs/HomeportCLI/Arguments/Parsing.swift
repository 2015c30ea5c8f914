import ArgumentParser
import Homeport
import TerminalOutput

/// Parses the texts of options. A text that does not fit is a usage error that states the rule.
enum Parsing {
    /// An identifier of the protocol.
    @Sendable
    static func identifier<Role>(_ text: String) throws -> Identifier<Role> {
        do {
            return try Identifier(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// What a user calls a device or a room.
    @Sendable
    static func givenName(_ text: String) throws -> GivenName {
        do {
            return try GivenName(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The same, or an empty text for none.
    @Sendable
    static func nameOrNothing(_ text: String) throws -> NameOrNothing {
        NameOrNothing(name: text.withoutOuterBlanks.isEmpty ? nil : try givenName(text))
    }

    /// The form of a list.
    @Sendable
    static func listForm(_ text: String) throws -> ListStyle.Form {
        guard let form = ListStyle.Form(rawValue: text) else {
            let known = ListStyle.Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("write one of \(known)")
        }
        return form
    }

    /// A command by its id, the end of it, or as the newest one.
    @Sendable
    static func commandReference(_ text: String) throws -> CommandReference {
        guard let reference = CommandReference(text) else {
            throw ValidationError(
                "write the id of a command, as 'history' lists it, its last 6 or more digits, or last"
            )
        }
        return reference
    }

    /// The states of commands, with commas between them.
    @Sendable
    static func commandStates(_ text: String) throws -> Set<CommandState> {
        let known = CommandState.allCases.map(\.rawValue)
        return Set(
            try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                let word = word.trimmingPrefix { $0 == " " }
                guard let state = CommandState(rawValue: String(word)) else {
                    let question = Suggestion.question(about: String(word), among: known)
                    throw ValidationError(
                        "'\(word)' is no state of a command"
                            + (question.isEmpty
                                ? "; the states are \(known.joined(separator: ", "))" : question))
                }
                return state
            })
    }

    /// A moment.
    @Sendable
    static func moment(_ text: String) throws -> Timestamp {
        guard let moment = MomentText.moment(text) else {
            throw ValidationError(
                "write how long ago, as 30m or 24h, or a time as 08:30, 2026-12-24 or "
                    + "2026-12-24T08:30, with Z behind it for UTC")
        }
        return moment
    }

    /// A duration above zero.
    @Sendable
    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text), duration > .zero else {
            throw ValidationError(
                "write a duration above zero as 500ms, 30s, 10m or 24h")
        }
        return duration
    }

    /// Which homes an instance drives.
    @Sendable
    static func servedHomes(_ text: String) throws -> ServedHomes {
        if text == "all" { return .all }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard !words.contains("all") else {
            throw ValidationError("write either all, or the homes by their ids")
        }
        return .only(Set(try words.map { word -> HomeID in try identifier(String(word)) }))
    }

    /// What an instance is called.
    @Sendable
    static func instanceName(_ text: String) throws -> String {
        guard (1...100).contains(text.count), text == text.printable else {
            throw ValidationError("write a name of 1 to 100 characters that can be printed")
        }
        return text
    }

    /// A number of things, at least one.
    @Sendable
    static func count(_ text: String) throws -> Int {
        guard let count = Int(text), count > 0 else {
            throw ValidationError("write a whole number above zero")
        }
        return count
    }

    /// A time of day.
    @Sendable
    static func timeOfDay(_ text: String) throws -> TimeOfDay {
        guard let time = TimeOfDay(text) else {
            throw ValidationError("write a time from 00:00 to 23:59, as 08:30")
        }
        return time
    }

    /// Days of the week.
    @Sendable
    static func days(_ text: String) throws -> Set<Weekday> {
        guard let days = Set<Weekday>(text) else {
            throw ValidationError("write days as mon,tue or mon-fri")
        }
        return days
    }

    /// A date.
    @Sendable
    static func date(_ text: String) throws -> CalendarDate {
        guard let date = CalendarDate(text) else {
            throw ValidationError("write a date as 2026-12-24")
        }
        return date
    }

    /// The id of a schedule.
    @Sendable
    static func schedule(_ text: String) throws -> ScheduleID {
        guard let id = ScheduleID(text) else {
            throw ValidationError("write the id of a schedule, as 'schedule list' names it")
        }
        return id
    }

    /// What lets a rule run.
    @Sendable
    static func trigger(_ text: String) throws -> RuleTrigger {
        do {
            return try RuleTrigger(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// A condition on what a device reported last.
    @Sendable
    static func condition(_ text: String) throws -> DeviceCondition {
        do {
            return try DeviceCondition(text)
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// A kind of devices.
    @Sendable
    static func kind(_ text: String) throws -> DeviceKind {
        guard !text.isEmpty else {
            throw ValidationError("write a kind, such as sweeping-robot")
        }
        return DeviceKind(rawValue: text)
    }

    /// How far a number must come back.
    @Sendable
    static func margin(_ text: String) throws -> Double {
        guard let margin = Double(text), margin >= 0, margin.isFinite else {
            throw ValidationError("write a number from 0 on, as in --margin 5")
        }
        return margin
    }

    /// How far a command must have come.
    @Sendable
    static func waitTarget(_ text: String) throws -> WaitTarget {
        guard let target = WaitTarget(rawValue: text) else {
            let known = WaitTarget.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("write one of \(known)")
        }
        return target
    }

    /// A version of MQTT: `5` or `3.1.1`.
    @Sendable
    static func version(_ text: String) throws -> MQTTProtocolVersion {
        switch text {
        case "5": return .v5
        case "3.1.1": return .v3_1_1
        default: throw ValidationError("write 5 or 3.1.1")
        }
    }
}
