internal import Basics

/// How far a channel follows what changes at its platform.
final class FollowingState: Sendable {
    private struct State {
        var isBegun = false
        var isSubscribing = false
        var isSubscribed = false
        /// Whether somebody wished while nobody waited.
        var isWished = false
        var waiter: AnswerSlot<Bool>?
    }

    /// Names this client in the consumer group: at most 64 characters.
    let client: String
    private let state = Guarded(State())

    init() {
        client = "homeport-\(UInt64.random(in: .min ... .max).hexadecimal)"
    }

    /// - Returns: whether it was not begun yet.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
    }

    /// - Returns: whether it was not begun yet.
    func beginSubscribing() -> Bool {
        state.withLock { state in
            defer { state.isSubscribing = true }
            return !state.isSubscribing
        }
    }

    /// Whether messages of the subscription come.
    var isSubscribed: Bool { state.withLock { $0.isSubscribed } }

    /// Messages of the subscription come from now on, or do not.
    func subscribed(_ isSubscribed: Bool) { state.withLock { $0.isSubscribed = isSubscribed } }

    /// Everything is to be read again soon. Several wishes are one.
    func wish() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isWished = true }
            return state.waiter
        }
        waiter?.resolve(true)
    }

    /// Waits for a wish, or for the end of the task. One caller at a time.
    func waitForWish() async {
        let slot = AnswerSlot<Bool>()
        let isWished = state.withLock { state in
            defer { state.isWished = false }
            state.waiter = state.isWished ? nil : slot
            return state.isWished
        }
        if !isWished { _ = await slot.value(ifCancelled: false) }
    }
}
