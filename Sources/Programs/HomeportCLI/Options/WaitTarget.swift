import Homeport

/// How far a command must have come before `send` returns.
enum WaitTarget: String, Hashable, Sendable, CaseIterable {
    /// The device has accepted it.
    case accepted
    /// The device has said how it ended.
    case final
    /// The device's state shows the effect.
    case observed

    /// What is waited for unless it is said: actions take long, all else ends at once.
    static func usual(for sort: CommandSort) -> WaitTarget {
        switch sort {
        case .setting, .instant: .final
        case .action: .accepted
        }
    }
}
