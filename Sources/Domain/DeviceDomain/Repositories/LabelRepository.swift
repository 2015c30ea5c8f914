/// Stores what a user calls devices and rooms. Several processes may change it at once.
public protocol LabelRepository: Sendable {
    /// What was said in a home.
    func labels(in home: HomeID) async throws -> HomeLabels
    /// Changes it in one step, which no other process can come between.
    /// - Parameter body: makes the change, or says why not; then nothing is stored.
    /// - Returns: what was said before, what is from now on, and why nothing was changed.
    func change(
        in home: HomeID,
        _ body: @escaping @Sendable (inout HomeLabels) throws(LabelRefusal) -> Void
    ) async throws -> LabelChange
}

/// What came of a change of labels.
public struct LabelChange: Hashable, Sendable {
    /// What was said before.
    public let former: HomeLabels
    /// What is said now.
    public let current: HomeLabels
    /// Why it was not changed; `nil` where it was.
    public let refusal: LabelRefusal?

    public init(former: HomeLabels, current: HomeLabels, refusal: LabelRefusal?) {
        self.former = former
        self.current = current
        self.refusal = refusal
    }
}
