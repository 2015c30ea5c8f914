import ArgumentParser
import Fleet
import Scenarios

/// The forms of CLI values that more than one option has.
enum OptionValues {
    /// A whole number within a range.
    static func count(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
        { text in
            guard let value = Int(text), range.contains(value) else {
                throw ValidationError(
                    "it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// What random numbers derive from.
    static let seed: @Sendable (String) throws -> UInt64 = { text in
        guard let seed = UInt64(text) else {
            throw ValidationError("it must be a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }

    /// Time written as `500ms`, `30s`, `10m` or `24h`, from `least` to `most`, written so too.
    static func time(
        from least: String, to most: String
    ) -> @Sendable (String) throws -> Duration {
        { text in
            guard let value = Duration(written: text) else {
                throw ValidationError("times are written like 500ms, 30s, 10m or 24h")
            }
            guard let lowest = Duration(written: least), let highest = Duration(written: most),
                (lowest...highest).contains(value)
            else { throw ValidationError("it must be from \(least) to \(most)") }
            return value
        }
    }

    /// A part of a fleet, `2/3`.
    static let part: @Sendable (String) throws -> FleetPart = { text in
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, let number = Int(words[0]), let count = Int(words[1]), count >= 1
        else { throw ValidationError("write I/N in whole numbers, such as 2/3") }
        guard (1...count).contains(number) else {
            throw ValidationError("of \(count) parts there are 1 to \(count), not \(number)")
        }
        return FleetPart(number, of: count)
    }

    /// A rule for reconnecting, such as `jitter:1s:60s`.
    static let reconnect: @Sendable (String) throws -> ReconnectRule = { text in
        do throws(ReconnectRule.Unreadable) {
            return try ReconnectRule(text)
        } catch { throw ValidationError("\(error)") }
    }

    /// A share of devices.
    static let share: @Sendable (String) throws -> Double = { text in
        guard let share = Double(text), share > 0, share <= 1 else {
            throw ValidationError(
                "a share is a number above 0, and 1 at most: write 0.5 for half")
        }
        return share
    }

    /// The path of a folder.
    static let folder: @Sendable (String) throws -> String = { text in
        guard !text.isEmpty else { throw ValidationError("name a folder: the path is empty") }
        return text
    }

    /// The number of a process.
    static let process: @Sendable (String) throws -> Int32 = { text in
        guard let number = Int32(text), number > 0 else {
            throw ValidationError("it must be the number of a process")
        }
        return number
    }
}
