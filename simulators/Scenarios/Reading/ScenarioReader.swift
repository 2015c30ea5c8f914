import DeviceDomain
import Fleet
import YAMLText

/// Reads parts of a scenario, and collects everything that is wrong in them instead of ending at the first.
struct ScenarioReader {
    /// What is wrong so far.
    private(set) var problems: [YAMLProblem] = []

    /// Notes something that is wrong.
    mutating func note(_ problem: YAMLProblem) { problems.append(problem) }

    /// What `read` returns; `nil` where it throws, which is noted.
    mutating func attempt<Value>(_ read: () throws(YAMLProblem) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            note(error)
            return nil
        }
    }

    // MARK: Mappings and lists

    /// The known members of a mapping; members that are not known, and those that are missing, are noted.
    mutating func members(_ node: YAMLNode, _ shape: ScenarioShape) -> [String: YAMLNode] {
        var unknown: [YAMLProblem] = []
        let members = attempt { () throws(YAMLProblem) in
            try node.members(shape.names) { unknown.append($0) }
        }
        problems += unknown
        guard let members else { return [:] }
        for member in shape.members where member.isRequired && members[member.name] == nil {
            note(node.error("\(member.name) is missing; write \(member.clause)"))
        }
        return members
    }

    /// The items of a list; none where it is missing.
    mutating func items(_ node: YAMLNode?) -> [YAMLNode] {
        guard let node else { return [] }
        return attempt { () throws(YAMLProblem) in try node.items() } ?? []
    }

    // MARK: Values; `nil` where they are missing or wrong

    mutating func text(_ node: YAMLNode?) -> String? {
        guard let node else { return nil }
        return attempt { () throws(YAMLProblem) in try node.text() }
    }

    mutating func choice(_ node: YAMLNode?, _ noun: String, of known: [String]) -> String? {
        guard let node else { return nil }
        return attempt { () throws(YAMLProblem) in try node.choice(noun, of: known) }
    }

    mutating func identifier<Role>(_ node: YAMLNode?) -> Identifier<Role>? {
        guard let node else { return nil }
        return attempt { () throws(YAMLProblem) in try node.identifier() }
    }

    mutating func truth(_ node: YAMLNode?) -> Bool? {
        choice(node, "truth values", of: ["true", "false"]).map { $0 == "true" }
    }

    mutating func instant(_ node: YAMLNode?) -> Timestamp? {
        guard let node, let text = text(node) else { return nil }
        guard let instant = Timestamp(text) else {
            note(node.error("times are written like 2026-06-21T06:00:00Z"))
            return nil
        }
        return instant
    }

    mutating func speed(_ node: YAMLNode?) -> WorldSpeed? {
        guard let node, let text = text(node) else { return nil }
        guard let speed = WorldSpeed(written: text) else {
            note(node.error("a speed is a number from 0.01 to 1000, or max"))
            return nil
        }
        return speed
    }

    mutating func whole(_ node: YAMLNode?, in range: ClosedRange<Int>) -> Int? {
        guard let node, let text = text(node) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            note(
                node.error(
                    "this must be a whole number from \(range.lowerBound) to \(range.upperBound)"))
            return nil
        }
        return number
    }

    mutating func number(_ node: YAMLNode?, in range: ClosedRange<Double>) -> Double? {
        guard let node, let text = text(node) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            note(
                node.error(
                    "this must be a number from \(Self.text(range.lowerBound)) to "
                        + Self.text(range.upperBound)))
            return nil
        }
        return number
    }

    /// A time from the epoch, or a length of time.
    /// - Parameters:
    ///   - range: from where to where it may be.
    ///   - end: the end of the scenario, which it may not be after; `nil` where that is not known.
    mutating func time(
        _ node: YAMLNode?, in range: ClosedRange<Duration>? = nil, upTo end: Duration? = nil
    ) -> Duration? {
        guard let node, let text = text(node) else { return nil }
        guard let time = Duration(written: text) else {
            note(node.error("times are written like 500ms, 30s, 10m, 24h or 1h30m"))
            return nil
        }
        if let range, !range.contains(time) {
            note(
                node.error(
                    "this must be from \(range.lowerBound.written) to \(range.upperBound.written)"))
            return nil
        }
        if let end, time > end {
            note(node.error("\(text) is after the end of the scenario, which is \(end.written)"))
            return nil
        }
        return time
    }

    /// A number as people write it.
    static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
