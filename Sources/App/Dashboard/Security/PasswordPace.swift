internal import Basics
internal import DeviceDomain

/// Slows down who tries passwords, each address for itself: ten attempts are judged at once, then one every
/// six seconds. A guesser gets at most 14,400 a day, and keeps nobody else waiting.
final class PasswordPace: Sendable {
    /// How many attempts of an address are judged without delay.
    static let attempts = 10
    /// The time between the attempts after them, in milliseconds.
    static let interval = 6_000
    /// How long an attempt may have to wait, in milliseconds; one that would wait longer is refused.
    static let longestWait = 30_000
    /// How many addresses are remembered; the one that waits least is forgotten first.
    static let addresses = 1_024

    /// When the attempts of each address so far would have been made at the slow pace, in milliseconds.
    private let paid = Guarded<[String: Int]>([:])

    /// Counts an attempt.
    /// - Returns: how long it must wait before it is judged; `nil` where too many others wait already.
    func delay(of address: String, at moment: Timestamp) -> Duration? {
        let now = moment.milliseconds
        return paid.withLock { paid in
            let start = max(paid[address] ?? now, now)
            let delay = max(0, start - now - (Self.attempts - 1) * Self.interval)
            guard delay <= Self.longestWait else { return nil }
            paid[address] = start + Self.interval
            Self.forget(in: &paid, at: now)
            return .milliseconds(delay)
        }
    }

    /// An attempt was right: it does not count.
    func succeed(from address: String) {
        paid.withLock { $0[address]? -= Self.interval }
    }

    private static func forget(in paid: inout [String: Int], at now: Int) {
        guard paid.count > addresses else { return }
        paid = paid.filter { $0.value > now }
        guard paid.count > addresses, let least = paid.min(by: { $0.value < $1.value }) else {
            return
        }
        paid[least.key] = nil
    }
}
