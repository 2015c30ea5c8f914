import DeviceDomain
package import Fleet

extension Scenario.Assertion {
    /// What came of it.
    /// - Parameters:
    ///   - measured: what all processes measured together; `nil` where the run ended before.
    ///   - context: what is told beside the place of a failure.
    package func outcome(
        of measured: Measurement?, in context: FailureContext? = nil
    ) -> AssertionOutcome {
        guard let measured else {
            return AssertionOutcome(
                name: name, metric: metric.rawValue, passed: false, found: nil,
                text: "\(expectation); the run ended before that")
        }
        let found = values(in: measured)
        let value = found.first { !holds($0) } ?? found.first
        let passed = value.map(holds) ?? false
        var text = "\(expectation); found " + (value.map(written) ?? "nothing to measure")
        if !passed, let place = place(in: measured, context) { text += ", \(place)" }
        return AssertionOutcome(
            name: name, metric: metric.rawValue, passed: passed, found: value, text: text)
    }

    /// Where it shows first, or most, that it does not hold, which faults are there, and how many devices it is about.
    private func place(in measured: Measurement, _ context: FailureContext?) -> String? {
        let (example, devices): (CommandExample.Kind, Int?)
        let figures = measured.commands
        switch metric {
        case .onlineShare, .lostSamples, .convergedShare:
            return measured.example.map { device in
                let time = context?.time(of: self)
                let faults = time.flatMap { context?.faults(of: device, from: $0, to: $0) } ?? ""
                return "first at \(device)\(faults)" + remark(measured.devices - measured.right)
            }
        case .invariantViolations, .connectRate: return nil
        case .duplicateAcks: (example, devices) = (.repeated, figures.devices[.repeated])
        case .openCommands: (example, devices) = (.open, figures.devices[.open])
        case .executionsPerCommand: (example, devices) = (.executed, nil)
        case .commandP50, .commandP99: (example, devices) = (.slow, nil)
        }
        return figures.examples[example].map {
            place(of: $0, example, context) + remark(devices ?? 0)
        }
    }

    private func place(
        of example: CommandExample, _ kind: CommandExample.Kind, _ context: FailureContext?
    ) -> String {
        let time = context?.written(example.at) ?? example.at.writtenBriefly
        // What matters to a command may come until it expires, or until it has ended.
        let (words, rest): (String, Duration) =
            switch kind {
            case .repeated: ("first at \(example.device) at \(time)", .zero)
            case .open: ("first at \(example.device), sent at \(time)", ScriptedCommand.lifetime)
            case .executed: ("at \(example.device), sent at \(time)", .zero)
            case .slow:
                ("the slowest at \(example.device), sent at \(time)", .milliseconds(example.size))
            }
        let faults = context?.faults(of: example.device, from: example.at, to: example.at + rest)
        return words + (faults ?? "")
    }

    /// How many devices a failure is about; nothing for one.
    private func remark(_ devices: Int) -> String { devices > 1 ? "; \(devices) devices" : "" }

    private func holds(_ value: Double) -> Bool {
        (least.map { value >= $0 } ?? true) && (most.map { value <= $0 } ?? true)
    }

    /// What was found; the least and the largest where it changed meanwhile; none where there was nothing to measure.
    private func values(in measured: Measurement) -> [Double] {
        let commands = measured.commands
        return switch metric {
        case .onlineShare:
            isWindow
                ? measured.shares
                : measured.devices > 0 ? [measured.share] : []
        case .convergedShare: measured.devices > 0 ? [measured.share] : []
        case .connectRate: measured.largestRate.map { [$0] } ?? []
        case .executionsPerCommand: commands.sent > 0 ? [Double(commands.executions)] : []
        case .duplicateAcks: [Double(commands.repeatedAcks)]
        case .openCommands: [Double(commands.open)]
        case .commandP50: commands.quantile(0.5)
        case .commandP99: commands.quantile(0.99)
        case .lostSamples, .invariantViolations: [Double(measured.count)]
        }
    }

    /// Whether it is about a stretch of time.
    var isWindow: Bool { from != nil || to != nil }

    // MARK: Words

    /// Such as `online-share of all at 10m: at least 0.99`.
    private var expectation: String {
        let bounds = [
            least.map { "at least \(written($0))" }, most.map { "at most \(written($0))" },
        ].compactMap(\.self).joined(separator: ", ")
        return "\(metric.rawValue) of \(target ?? "all") \(time): \(bounds)"
    }

    private var time: String {
        switch (from, to, at) {
        case (let from?, let to?, _): "from \(from.written) to \(to.written)"
        case (let from?, nil, _): "from \(from.written) to the end"
        case (nil, let to?, _): "until \(to.written)"
        case (nil, nil, let at?): "at \(at.written)"
        case (nil, nil, nil): "at the end"
        }
    }

    private func written(_ value: Double) -> String {
        let rounded = (value * 10_000).rounded() / 10_000
        let number = Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
        return metric.unit == "ms" ? "\(number) ms" : number
    }
}

extension CommandFigures {
    /// The time that a share of the commands did not exceed, ms; none without any that ended.
    fileprivate func quantile(_ share: Double) -> [Double] {
        latency.total > 0 ? [Double(latency.quantile(share))] : []
    }
}

extension Measurement {
    /// The part of the devices that are as they should be.
    fileprivate var share: Double { Double(right) / Double(max(devices, 1)) }

    /// The seconds of which every process has told, in their order.
    private var wholeTicks: [(number: Int, tick: Tick)] {
        let parts = ticks.values.map(\.parts).max() ?? 1
        return ticks.filter { $0.value.parts == parts }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The least and the largest part of the devices that were connected at a second.
    fileprivate var shares: [Double] {
        let shares = wholeTicks.filter { $0.tick.present > 0 }
            .map { Double($0.tick.online) / Double($0.tick.present) }
        guard let least = shares.min(), let largest = shares.max() else { return [] }
        return [least, largest]
    }

    /// The most connections in a second.
    fileprivate var largestRate: Double? {
        let ticks = wholeTicks
        return zip(ticks, ticks.dropFirst()).map { first, second in
            Double(second.tick.connects - first.tick.connects)
                / Double(second.number - first.number)
        }.max()
    }
}
