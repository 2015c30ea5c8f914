import ArgumentParser

/// A verb of `homeport`: it parses its options, calls one use case and renders the result.
protocol Verb: AsyncParsableCommand {
    /// Its name on the command line.
    static var name: String { get }
    /// Whose devices, printed how.
    var common: CommonOptions { get }
    /// Whose ledger, and where it is.
    var ledger: LedgerOptions { get }
    /// How to connect.
    var broker: BrokerOptions { get }

    /// Runs the verb.
    /// - Returns: how the program ends.
    /// - Throws: ``Failure`` where there is no result.
    func perform(on console: Console) async throws(Failure) -> VerbStatus
}

extension Verb {
    /// The verb with these options and arguments; `nil` if they are incomplete or wrong.
    static func call(_ words: [String]) -> Self? {
        guard case .success(let call) = Result(catching: { try parseAsRoot(words) }) else {
            return nil
        }
        return call as? Self
    }

    /// The options that every verb accepts.
    var options: VerbOptions { VerbOptions(common: common, ledger: ledger, broker: broker) }

    func run() async throws { try await execute() }

    /// Runs the verb and reports its outcome, on the caller's thread.
    func execute() async throws {
        let console = Console(isVerbose: common.verbose)
        let status: VerbStatus
        do {
            status = try await perform(on: console)
        } catch {
            console.note(error.message)
            status = error.status
        }
        if let failure = console.writeFailure {
            console.note(failure.message)
            throw ExitCode(failure.status.rawValue)
        }
        guard status == .done else { throw ExitCode(status.rawValue) }
    }
}
