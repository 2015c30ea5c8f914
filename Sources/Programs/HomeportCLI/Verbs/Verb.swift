import ArgumentParser
import TerminalOutput

/// A verb of `homeport`: it parses its options, calls one use case and renders the result.
protocol Verb: ParsableCommand {
    /// Whose devices, printed how.
    var common: CommonOptions { get }

    /// Runs the verb.
    /// - Returns: how the program ends.
    /// - Throws: ``CommandLineError`` where there is no result.
    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus
}

extension Verb {
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
    /// Whether a running server may carry out such a verb for another process.
    static var serverUse: ServerUse { get }
    /// Whether it may carry out this one, with its options.
    var serverUse: ServerUse { get }
}

extension HomeVerb {
    /// The options that every such verb accepts.
    var options: VerbOptions { VerbOptions(common: common, ledger: ledger, broker: broker) }

    static var serverUse: ServerUse { .never }
    var serverUse: ServerUse { Self.serverUse }
}

/// Whether a running server carries a verb out, and what to do where the server ends before the call does.
enum ServerUse: Hashable, Sendable {
    /// The process does the work itself.
    case never
    /// The process does it again.
    case mayBeRepeated
    /// A command may have left: the process does not send it again.
    case mayHaveSent
}
