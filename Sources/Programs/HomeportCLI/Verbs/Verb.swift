import ArgumentParser

/// A verb of `homeport`: it parses its options, calls one use case and renders the result.
protocol Verb: AsyncParsableCommand {
    /// Its name on the command line.
    static var name: String { get }
    /// Whose devices, printed how.
    var common: CommonOptions { get }

    /// The verb with these options and arguments; `nil` if they are incomplete or wrong.
    static func call(_ words: [String]) -> Self?

    /// Runs the verb.
    /// - Returns: how the program ends.
    /// - Throws: ``Failure`` where there is no result.
    func perform(in call: Call) async throws(Failure) -> VerbStatus
}

extension Verb {
    static func call(_ words: [String]) -> Self? { parsed(words) }

    /// What the parser makes of options and arguments; `nil` if they are incomplete or wrong.
    static func parsed(_ words: [String]) -> Self? {
        guard case .success(let call) = Result(catching: { try parseAsRoot(words) }) else {
            return nil
        }
        return call as? Self
    }

    func run() async throws { try await execute() }

    /// Runs the verb and reports its outcome, on the caller's thread.
    func execute() async throws {
        let call = Call(console: Console(isVerbose: common.verbose))
        switch await status(of: call) {
        case .done: return
        case .interrupted: Interrupts.endProgram()
        case let status: throw ExitCode(status.rawValue)
        }
    }

    /// Runs the verb and writes why it failed, if it did.
    func status(of call: Call) async -> VerbStatus {
        let status: VerbStatus
        do {
            status = try await perform(in: call)
        } catch {
            call.console.note(error.message)
            status = error.status
        }
        guard let failure = call.console.writeFailure else { return status }
        call.console.note(failure.message)
        return failure.status
    }
}

/// A verb that works in a home, with its ledger and its brokers.
protocol HomeVerb: Verb {
    /// Whose ledger, and where it is.
    var ledger: LedgerOptions { get }
    /// How to connect.
    var broker: BrokerOptions { get }
}

extension HomeVerb {
    /// The options that every such verb accepts.
    var options: VerbOptions { VerbOptions(common: common, ledger: ledger, broker: broker) }
}
