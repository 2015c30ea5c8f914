extension ReconnectRule {
    /// A text that says no rule; the description says what to write.
    package struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The times that a rule may have: below lies what no device does, above a day without a connection.
    private static let times = Duration.milliseconds(10)...Duration.seconds(24 * 3600)

    /// Reads `fixed:T`, `backoff:FIRST:CAP` or `jitter:FIRST:CAP`, with times from 10 ms to 24 h.
    package init(_ text: String) throws(Unreadable) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var times: [Duration] = []
        for word in words.dropFirst() {
            guard let value = Duration(written: word) else {
                throw Unreadable(
                    description: "\(word.debugDescription) is no time: write 500ms, 30s, 10m or 24h"
                )
            }
            guard Self.times.contains(value) else {
                throw Unreadable(description: "times must be from 10ms to 24h, not \(word)")
            }
            times.append(value)
        }
        switch (words.first, times.count) {
        case ("fixed", 1): self = .fixed(times[0])
        case ("backoff", 2): self = .backoff(first: times[0], longest: times[1])
        case ("jitter", 2): self = .jitter(first: times[0], longest: times[1])
        case (_, _):
            throw Unreadable(
                description: "write fixed:T, backoff:FIRST:CAP or jitter:FIRST:CAP, such as "
                    + "jitter:1s:60s")
        }
        if times.count == 2, times[0] > times[1] {
            throw Unreadable(description: "FIRST must not be longer than CAP")
        }
    }
}
