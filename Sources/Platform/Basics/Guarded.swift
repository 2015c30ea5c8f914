internal import CLocking
public import Synchronization

/// State behind a lock: a `Mutex` whose synchronization ThreadSanitizer can see.
///
/// The kernel passes a contended `Mutex` to the next thread, without an instruction that the
/// sanitizer could observe, so it would report races on what the lock protects. Outside the
/// sanitizer the two calls
/// do nothing.
///
/// It is public, though no product exports it: the compiler specializes only public code across modules.
public struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>

    /// State that nobody uses yet.
    @inlinable public init(_ state: State) {
        mutex = Mutex(state)
    }

    /// Runs `body` with the state, alone. It must not take the same lock again.
    @inlinable public borrowing func withLock<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // A lock stays where it is, so its address identifies it. The sanitizer would take an
        // address of
        // the state for an access to it.
        let identity = withUnsafePointer(to: mutex) { UnsafeRawPointer($0) }
        return try mutex.withLock { state throws(Failure) in
            lockAcquired(identity)
            defer { lockReleasing(identity) }
            return try body(&state)
        }
    }
}

@usableFromInline func lockAcquired(_ identity: UnsafeRawPointer) { clocking_acquired(identity) }

@usableFromInline func lockReleasing(_ identity: UnsafeRawPointer) { clocking_releasing(identity) }
