/// What a screen shows: exactly one of four things.
public enum ScreenState<Content: Sendable>: Sendable {
    /// Nothing is known yet; it is being read.
    case loading
    /// There is something to show.
    case content(Content)
    /// It was read, and there is nothing.
    case empty
    /// It cannot be read.
    case failed(Failure)

    /// What there is to show; `nil` in every other state.
    public var content: Content? { if case .content(let content) = self { content } else { nil } }
}

extension ScreenState: Equatable where Content: Equatable {}
