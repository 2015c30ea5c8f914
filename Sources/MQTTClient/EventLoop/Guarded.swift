private import CMosquittoShims
private import Synchronization

/// A `Mutex` whose hand-over ThreadSanitizer can see.
///
/// Where threads meet at a `Mutex` the kernel passes it on, without an instruction that the sanitizer
/// could observe, so it reports what the lock protects. Outside the sanitizer the two calls do nothing.
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>

    package init(_ state: State) {
        mutex = Mutex(state)
    }

    /// Runs `body` with the state, alone. `owner` identifies the lock.
    package borrowing func withLock<Value: Sendable, Failure: Error>(
        of owner: AnyObject, _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let identity = UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
        return try mutex.withLock { state throws(Failure) in
            cmosquitto_lock_acquired(identity)
            defer { cmosquitto_lock_released(identity) }
            return try body(&state)
        }
    }
}
