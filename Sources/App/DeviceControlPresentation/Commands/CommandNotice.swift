public import SharedPresentation

/// What came of the last thing that the user did with commands.
public enum CommandNotice: Hashable, Sendable {
    /// It could not be done.
    case failed(Failure)
    /// The command waits, and why.
    case waits(Failure)
    /// A command was not taken back, and why.
    case notCancelled(String)
    /// The device was forgotten, but comes back, and why.
    case comesBack(String)
}
