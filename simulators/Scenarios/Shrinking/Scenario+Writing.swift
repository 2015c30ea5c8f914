import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Fleet

// A scenario as a file has it.
extension Scenario {
    /// The text of a file that is read as this scenario, without the comments of ``text``.
    package var written: String {
        var lines = head.all.map { "\($0.name): \($0.value)" }
        lines.append("devices:")
        lines += groups.map { "  \(quoted($0.group.name)): \($0.written.braced)" }
        lines += list("stages", stages.map(\.written))
        lines += list("commands", commands.map(\.written))
        lines += list("faults", faults.map(\.written))
        lines += list("assertions", assertions.map(\.written))
        return lines.map { $0 + "\n" }.joined()
    }

    private var head: WrittenMembers {
        WrittenMembers(
            ("name", name.map(quoted)), ("seed", seed.map { "\($0)" }),
            ("epoch", epoch.map { quoted("\($0)") }), ("duration", duration?.written),
            ("speed", speed?.written), ("homes", "\(homes)"), ("regions", "\(regions)"))
    }

    private func list(_ name: String, _ items: [WrittenMembers]) -> [String] {
        items.isEmpty ? [] : ["\(name):"] + items.map { "  - \($0.braced)" }
    }
}

/// Members with their values as YAML has them in one line.
private struct WrittenMembers {
    let all: [(name: String, value: String)]

    /// Those that have a value.
    init(_ members: (name: String, value: String?)...) {
        all = members.compactMap { name, value in value.map { (name, $0) } }
    }

    /// All of them in one line.
    var braced: String {
        "{" + all.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// A text in quotes: YAML reads those of JSON.
private func quoted(_ text: String) -> String { json(.string(text)) }

private func json(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.write(value), as: UTF8.self)
}

extension PlannedGroup {
    fileprivate var written: WrittenMembers {
        WrittenMembers(
            ("kind", kind.rawValue), ("model", model?.rawValue), ("count", "\(count)"),
            ("telemetry-interval", group.telemetryInterval?.written),
            ("reconnect", group.reconnect.map { quoted($0.written) }),
            ("access-point", group.accessPoint.map(quoted)), ("feeder", group.feeder.map(quoted)),
            ("buffer-offline", group.buffersOffline ? "true" : nil),
            ("parameters", writtenParameters))
    }

    private var writtenParameters: String? {
        guard !group.parameters.isEmpty else { return nil }
        let ranges = group.parameters.mapValues { range -> JSONValue in
            [.number(range.lowerBound), .number(range.upperBound)]
        }
        return json(.object(ranges))
    }
}

extension ReconnectRule {
    fileprivate var written: String {
        switch self {
        case .fixed(let time): "fixed:\(time.written)"
        case .backoff(let first, let longest): "backoff:\(first.written):\(longest.written)"
        case .jitter(let first, let longest): "jitter:\(first.written):\(longest.written)"
        }
    }
}

extension Scenario.Stage {
    fileprivate var written: WrittenMembers {
        WrittenMembers(
            ("name", quoted(name)), ("for", duration.written), ("connect", connect?.written),
            ("disconnect", disconnect?.written))
    }
}

extension Scenario.Stage.Flow {
    fileprivate var written: String {
        switch self {
        case .perSecond(let rate): WrittenMembers(("per-second", "\(rate)")).braced
        case .within(let time): WrittenMembers(("within", time.written)).braced
        }
    }
}

extension Scenario.Command {
    fileprivate var written: WrittenMembers {
        WrittenMembers(
            ("at", at.written), ("every", every?.written),
            ("jitter", jitter > .zero ? jitter.written : nil), ("until", until?.written),
            ("to", quoted(target)), ("name", name.rawValue),
            ("arguments", arguments.isEmpty ? nil : json(.object(arguments))),
            ("lane", lane?.rawValue))
    }
}

extension Scenario.FaultItem {
    fileprivate var written: WrittenMembers {
        var (begin, rate) = (String?.none, String?.none)
        switch time {
        case .at(let time): begin = time.written
        case .rate(let perHour): rate = "\(perHour)"
        }
        // A scenario asks for no end of a fault.
        guard case .inject(let fault, let lasting) = order else { return WrittenMembers() }
        let settings = fault.settings.mapValues(JSONValue.number)
        return WrittenMembers(
            ("fault", fault.name.rawValue), ("on", quoted(target)),
            ("share", share < 1 ? "\(share)" : nil), ("at", begin), ("rate", rate),
            ("for", lasting?.written), ("set", settings.isEmpty ? nil : json(.object(settings))))
    }
}

extension Scenario.Assertion {
    fileprivate var written: WrittenMembers {
        WrittenMembers(
            ("name", quoted(name)), ("metric", metric.rawValue), ("on", target.map(quoted)),
            ("at", at?.written), ("from", from?.written), ("to", to?.written),
            ("min", least.map { "\($0)" }), ("max", most.map { "\($0)" }))
    }
}
