/// How `homeport` ends. The numbers are part of the command line's contract.
package enum VerbStatus: Int32, Hashable, Sendable, CaseIterable {
    /// Everything reached what was asked for.
    case done = 0
    /// A command was refused, rejected, failed, cancelled or superseded.
    case notDone = 1
    /// An outcome is unknown, or the wait ended while the command runs.
    case undecided = 3
    /// A command expired without having run.
    case expired = 4
    /// No usable connection, credentials refused or TLS refused.
    case noConnection = 5
    /// The command line is wrong.
    case usage = 64
    /// Unknown device, command or argument; nothing was recorded or sent.
    case wrongInput = 65
    /// Something failed inside.
    case internalError = 70
    /// The keychain is damaged.
    case damagedKeychain = 74
    /// Somebody else could read or replace the keychain.
    case unsafeKeychain = 77
    /// The master key or passphrase of the keychain does not fit.
    case wrongKey = 78
    /// Ctrl-C came before anything was recorded: the program ends as an uncaught one does.
    case interrupted = 130
}

extension VerbStatus {
    /// The status that tells the most where several apply to a verb's commands.
    private static let precedence: [VerbStatus] = [.noConnection, .undecided, .notDone, .expired]

    /// One status for many commands: 5 before 3 before 1 before 4.
    static func summary(of statuses: some Sequence<VerbStatus>) -> VerbStatus {
        let seen = Set(statuses)
        return precedence.first(where: seen.contains) ?? .done
    }

    /// What the status means, as `--help` says it.
    var meaning: String {
        switch self {
        case .done: "done"
        case .notDone: "refused, rejected, failed, cancelled or superseded"
        case .undecided: "the outcome is unknown, or the wait ended while the command runs"
        case .expired: "expired without having run"
        case .noConnection: "no usable connection, credentials refused or TLS refused"
        case .usage: "wrong usage"
        case .wrongInput:
            "unknown device, command, argument or member; nothing was recorded or sent"
        case .internalError: "internal error"
        case .damagedKeychain: "the keychain is damaged"
        case .unsafeKeychain: "refused: somebody else could read or replace the keychain"
        case .wrongKey: "wrong master key or passphrase of the keychain"
        case .interrupted: "interrupted, and nothing was recorded"
        }
    }

    /// The paragraph of `--help` that lists these statuses.
    /// - Parameter own: what a status means for the verb alone.
    static func help(_ statuses: [VerbStatus], but own: [VerbStatus: String] = [:]) -> String {
        statuses.reduce("Exit status:") { text, status in
            let number = String(status.rawValue)
            let indent = String(repeating: " ", count: 4 - number.count)
            return text + "\n\(indent)\(number)  \(own[status] ?? status.meaning)"
        }
    }

    /// What may end every verb that opens the ledger: a configuration or options whose credentials are in the
    /// keychain bring its statuses.
    static let ofEveryHome: [VerbStatus] = [
        .usage, .wrongInput, .internalError, .damagedKeychain, .unsafeKeychain, .wrongKey,
        .interrupted,
    ]
    /// The statuses of a verb that connects and only reads.
    static let ofReading: [VerbStatus] = [.done, .noConnection] + ofEveryHome
    /// The statuses of a verb that needs the ledger only.
    static let ofLedger: [VerbStatus] = [.done] + ofEveryHome
}
