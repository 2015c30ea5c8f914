import ArgumentParser

/// One verb of `homeport`: parses its options, calls one use case, hands a value to one renderer.
protocol Verb: AsyncParsableCommand {
    /// How its results are printed.
    var output: OutputOptions { get }

    /// Does what the verb is for.
    /// - Returns: how the program ends.
    /// - Throws: ``Failure`` where there is no result.
    func perform(on console: Console) async throws(Failure) -> VerbStatus
}

extension Verb {
    func run() async throws {
        let console = Console(isVerbose: output.verbose)
        let status: VerbStatus
        do {
            status = try await perform(on: console)
        } catch {
            console.note(error.message)
            status = error.status
        }
        guard status == .done else { throw ExitCode(status.rawValue) }
    }
}
