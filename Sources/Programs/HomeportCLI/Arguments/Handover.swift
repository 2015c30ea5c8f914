import Basics

/// Gives a value away once, so that whoever passes it on keeps no secret that is in it.
final class Handover<Value: Sendable>: Sendable {
    private let value: Guarded<Value?>

    init(_ value: Value) { self.value = Guarded(value) }

    /// The value.
    /// - Precondition: it was not taken before.
    func take() -> Value {
        guard let value = value.withLock({ $0.take() }) else {
            preconditionFailure("a value is handed over once")
        }
        return value
    }
}
