import ArgumentParser

/// One verb of `homeport`: parses its options, calls one use case, hands a value to one renderer.
protocol Verb: AsyncParsableCommand {
    /// The word that calls it.
    static var name: String { get }
    /// What every verb can be told.
    var common: CommonOptions { get }

    /// Does what the verb is for.
    /// - Returns: how the program ends.
    /// - Throws: ``Failure`` where there is no result.
    func perform(on console: Console) async throws(Failure) -> VerbStatus
}

extension Verb {
    /// The verb with these options and arguments; `nil` if they are not all that is wanted.
    static func call(_ words: [String]) -> Self? {
        guard case .success(let call) = Result(catching: { try parseAsRoot(words) }) else {
            return nil
        }
        return call as? Self
    }

    func run() async throws { try await execute() }

    /// Does what the verb is for and tells how it went, on the caller's thread.
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
