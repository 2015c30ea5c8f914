internal import CLocking
package import Synchronization

/// State behind a lock: a `Mutex` whose hand-over between threads ThreadSanitizer can see.
///
/// A contended `Mutex` is handed over by the kernel, without an instruction that the sanitizer could
/// observe, so it would report races on what the lock protects. Outside the sanitizer the two calls
/// do nothing.
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>

    @inlinable package init(_ state: State) {
        mutex = Mutex(state)
    }

    /// Runs `body` with the state, alone. It must not take the same lock again.
    @inlinable package borrowing func withLock<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try mutex.withLock { state throws(Failure) in
            // The state lies inside the lock, so its address identifies the lock.
            let identity = withUnsafePointer(to: &state) { UnsafeRawPointer($0) }
            lockAcquired(identity)
            defer { lockReleasing(identity) }
            return try body(&state)
        }
    }
}

@usableFromInline func lockAcquired(_ identity: UnsafeRawPointer) { clocking_acquired(identity) }

@usableFromInline func lockReleasing(_ identity: UnsafeRawPointer) { clocking_releasing(identity) }
