package import Basics

/// When a command without an ack is sent again: 1, 2, 4 and 8 s after the send before, ± 20 %;
/// after that every 8 s (PROTOCOL section 4). What else is tried again goes by it, too: a send that failed, a question
/// about a command, an attempt to listen to a device.
package struct ResendSchedule: Hashable, Sendable {
    /// The waits before their scatter.
    package static let backoff = Backoff(first: .seconds(1), longest: .seconds(8))
    /// The scatter as a part of each wait.
    package static let scatter = 0.2

    private var position = 0
    private var generator: SeededGenerator

    /// A schedule whose scatter follows from a seed.
    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next wait.
    package mutating func next() -> Duration {
        defer { position += 1 }
        return Self.backoff.wait(
            after: position, scatteredBy: Self.scatter, using: &generator)
    }

    /// Begins again with the shortest wait; the scatter goes on.
    package mutating func restart() { position = 0 }
}
