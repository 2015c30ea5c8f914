package import DeviceDomain

/// What was heard of a device in a diagnosis.
package struct DeviceEvidence: Hashable, Sendable {
    /// How many violations are kept.
    package static let longestList = 3
    /// How many names of telemetry a reader keeps of a device (PROTOCOL section 2, limits).
    package static let mostTelemetryNames = 64

    /// What a device retains besides its presence.
    package enum Part: String, CaseIterable, Sendable {
        case description, state
    }

    /// A message that cannot be used.
    package struct Violation: Hashable, Sendable {
        /// What is wrong with it.
        package let text: String
        /// Whether it is of another version of the protocol, and so of a newer one: the first is 1.
        package let isOfOtherVersion: Bool
    }

    /// What it should retain and was asked for without an answer; empty for a device that was not asked.
    package var missingParts: Set<Part> = []
    /// Whether it is there.
    package var presence = ConnectionState.unknown
    /// Messages that the protocol does not allow, the first ones.
    package var violations: [Violation] = []
    /// The boot ids of its live messages in their order, without immediate repetitions. A will is not
    /// among them: it speaks of a connection that has ended.
    package var boots: [BootID] = []
    /// The times that it wrote.
    package var clockReadings: [ClockReading] = []
    /// When it was asked by a dry run; `nil` if it was not.
    package var askedAt: Timestamp?
    /// The names of its telemetry, up to one more than readers keep.
    package var telemetryNames: Set<String> = []
    /// The boot ids of the answers to that.
    package var answeringBoots: Set<BootID> = []
    /// Whether the broker did not let the question pass.
    package var isQuestionRefused = false

    package init() {}

    /// Whether two devices use its id: a boot id has come back after another one, or two have answered one
    /// question.
    package var hasTwoOwners: Bool {
        answeringBoots.count > 1 || Set(boots).count < boots.count
    }

    /// Whether readers leave out some of its telemetry.
    package var hasTooManyNames: Bool { telemetryNames.count > Self.mostTelemetryNames }

    /// Takes the names of a sample.
    mutating func take(telemetryNames names: some Sequence<String>) {
        for name in names where !hasTooManyNames { telemetryNames.insert(name) }
    }

    /// Takes a part that the device retains.
    mutating func take(_ part: Part) { missingParts.remove(part) }

    /// Takes the boot id of a live message.
    mutating func take(_ boot: BootID) {
        if boots.last != boot { boots.append(boot) }
    }

    /// Takes a message that the protocol does not allow.
    mutating func takeViolation(_ violation: Violation) {
        if violations.count < Self.longestList { violations.append(violation) }
    }
}
