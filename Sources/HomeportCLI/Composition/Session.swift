import Homeport

/// The home that the options of a verb describe.
struct Session: Sendable {
    private let configuration: HomeConfiguration
    private let hints: ConnectionHints
    private let console: Console

    /// Reads the options that describe the home and its channels.
    /// - Throws: ``Failure`` with ``VerbStatus/usage`` or ``VerbStatus/wrongInput``.
    init(_ options: VerbOptions) throws(Failure) {
        let file = try options.configurationFile()
        let home = try options.resolvedHome(file)
        let (channels, source) = try options.channels(file)
        var configuration = HomeConfiguration(
            home: home, controller: try options.resolvedController(file), channels: channels,
            rules: file?.rules.map { $0.rule(in: home) } ?? [],
            ledger: options.ledgerLocation(file), takesOverOpenCommands: false,
            logger: options.common.logger)
        configuration.endsWithProcess = true
        self.configuration = configuration
        console = Console(isVerbose: options.common.verbose)
        hints = ConnectionHints(source: source, home: home)
    }

    /// Runs the home for as long as `body` does, which may throw `HomeError` or ``Failure``.
    /// - Throws: ``Failure``.
    func withHome<Value: Sendable>(
        _ body: @Sendable (Home) async throws -> Value
    ) async throws(Failure) -> Value {
        try await explainingErrors { try await run(try Home(configuration), body) }
    }

    /// As ``withHome(_:)``, on the thread of the home's connections: an answer then wakes no other
    /// thread.
    func withHomeOnLoop<Value: Sendable>(
        _ body: @Sendable (Home) async throws -> Value
    ) async throws(Failure) -> Value {
        try await explainingErrors {
            let home = try Home(configuration)
            return try await withTaskExecutorPreference(home.executor) {
                try await run(home, body)
            }
        }
    }

    private func explainingErrors<Value>(
        _ body: () async throws -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await body()
        } catch let failure as Failure {
            throw failure
        } catch let error as HomeError {
            throw failure(for: error)
        } catch {
            throw Failure(.internalError, "\(error)")
        }
    }

    private func run<Value: Sendable>(
        _ home: Home, _ body: @Sendable (Home) async throws -> Value
    ) async throws -> Value {
        try await home.whileRunning {
            async let _ = tellWhyItWaits(home)
            return try await body(home)
        }
    }

    /// A person at a terminal is told that a broker is away, which is tried again for a while.
    private func tellWhyItWaits(_ home: Home) async {
        guard console.showsProgress else { return }
        for await change in home.linkChanges() {
            if case .link(_, .connected) = change { return }
            guard case .link(_, .lost(let error, .some)) = change else { continue }
            return console.note("\(error); trying again")
        }
    }

    /// An error of the home as exit status and message.
    func failure(for error: HomeError) -> Failure { Failure(error, hints) }

    /// What to try where the home has no device.
    var emptyHomeHint: String { hints.forEmptyHome }
}

/// Hints on what the user may have overlooked.
struct ConnectionHints: Sendable {
    /// Where the broker's URL came from; `nil` for a configuration file.
    let source: BrokerChoice.Source?
    let home: HomeID

    /// What to do about a connection that failed.
    func remedy(for error: CommunicationError?) -> String {
        switch error?.code {
        case .credentialsRefused: "; check the credentials file"
        case .unreachable where source == .fallback: "; start homeport-sim, or pass --broker"
        default: ""
        }
    }

    var forEmptyHome: String {
        guard case .privateBroker(let lived) = source, lived != home.text else { return "" }
        return "; the running homeport-sim has home \(lived): pass --home \(lived)"
    }
}

extension Failure {
    init(_ error: HomeError, _ hints: ConnectionHints) {
        switch error.code {
        case .noConnection:
            self.init(
                .noConnection, error.message + hints.remedy(for: error.communication))
        case .unknownDevice:
            self.init(.wrongInput, error.message + error.listingHint + hints.forEmptyHome)
        case .ambiguousName, .refusedCommand, .unknownCommand, .configurationFile:
            self.init(.wrongInput, error.message)
        case .cannotUndo, .queueFull: self.init(.notDone, error.message)
        case .badLifetime, .badCondition, .configuration: self.init(.usage, error.message)
        default: self.init(.internalError, error.message)
        }
    }
}

extension HomeError {
    /// How to find the devices, where the message suggests none.
    fileprivate var listingHint: String {
        message.hasSuffix("?") ? "" : "; 'homeport devices' lists the devices"
    }
}
