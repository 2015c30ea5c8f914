/// A value that is looked at often and changes rarely: it says which looks find it changed.
struct ComparedValue<Value: Equatable & Sendable>: Sendable {
    /// The value as it was last seen; `nil` before the first look.
    private var last: Value?

    /// Takes note of the value as it is now.
    /// - Returns: whether it differs from the last one; at first it does.
    mutating func takeChange(to present: Value) -> Bool {
        guard last != present else { return false }
        last = present
        return true
    }
}
