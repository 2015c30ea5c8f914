/// What an assertion can be about.
package enum Metric: String, Hashable, Sendable, CaseIterable {
    /// The part of the devices that are connected, 0 to 1; of a stretch of time, the least and the largest.
    case onlineShare = "online-share"
    /// How often the effect of one command was started at most.
    case executionsPerCommand = "executions-per-command"
    /// How many acks came again.
    case duplicateAcks = "duplicate-acks"
    /// How many commands have no final ack.
    case openCommands = "open-commands"
    /// What half of the commands took at most, from when they were meant to be sent to the final ack, ms.
    case commandP50 = "command-p50"
    /// What 99 of 100 commands took at most, ms.
    case commandP99 = "command-p99"
    /// How many samples of devices never came.
    case lostSamples = "lost-samples"
    /// How often invariants of the world did not hold.
    case invariantViolations = "invariant-violations"
    /// The part of the devices of which the broker retains what they say, 0 to 1.
    case convergedShare = "converged-share"
    /// The most connections that the broker accepted in one second of the wall clock.
    case connectRate = "connect-rate"

    /// What it counts in.
    package var unit: String {
        switch self {
        case .onlineShare, .convergedShare: "share"
        case .commandP50, .commandP99: "ms"
        case .connectRate: "1/s"
        case .executionsPerCommand, .duplicateAcks, .openCommands, .lostSamples,
            .invariantViolations:
            "count"
        }
    }

    /// Whether there is nothing to measure without a broker.
    package var needsBroker: Bool {
        switch self {
        case .onlineShare, .lostSamples, .convergedShare, .connectRate: true
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99,
            .invariantViolations:
            false
        }
    }

    /// Whether it can be about a stretch of time.
    package var takesWindow: Bool {
        switch self {
        case .onlineShare, .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50,
            .commandP99, .connectRate:
            true
        case .lostSamples, .invariantViolations, .convergedShare: false
        }
    }

    /// Whether it can be about some of the devices.
    package var takesTarget: Bool { self != .invariantViolations }

    /// What its bounds can be.
    package var range: ClosedRange<Double> {
        switch self {
        case .onlineShare, .convergedShare: 0...1
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99,
            .lostSamples, .invariantViolations, .connectRate:
            0...1e12
        }
    }

    /// What it says, for the table of members and metrics.
    package var documentation: String {
        switch self {
        case .onlineShare: "part of the devices that are connected; over a window the worst"
        case .executionsPerCommand: "how often the effect of one command was started at most"
        case .duplicateAcks: "acks that came again without the command having been repeated"
        case .openCommands: "commands without a final ack"
        case .commandP50: "median from the intended time of a command to its final ack"
        case .commandP99: "99th percentile of the same"
        case .lostSamples: "gaps in the numbers of samples as a reader of the broker hears them"
        case .invariantViolations: "how often invariants of the world did not hold"
        case .convergedShare: "part of the devices of which the broker retains what they say now"
        case .connectRate: "most connections that were accepted in one second of the wall clock"
        }
    }
}
