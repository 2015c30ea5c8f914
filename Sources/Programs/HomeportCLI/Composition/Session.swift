import Homeport
import TerminalOutput

/// The home that the options of a verb describe.
struct Session: Sendable {
    /// Whose home it is.
    private enum Place {
        /// That of this process, while the verb runs.
        case own(HomeConfiguration)
        /// That of the server that runs the verb.
        case served(Home)
    }

    private let place: Place
    private let hints: ConnectionHints
    private let console: Console

    /// The home of the server that runs the verb, which was chosen because it is the one that the
    /// options describe; else the one that the options and the configuration file describe.
    /// - Parameter runsUntilStopped: whether the process runs until it is stopped, and so takes over by itself
    ///   what dead processes left open.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/usage`` or ``VerbStatus/wrongInput``.
    init(_ options: VerbOptions, _ call: Call, runsUntilStopped: Bool = false)
        throws(CommandLineError)
    {
        console = call.console
        if let home = call.server?.home {
            place = .served(home)
            hints = .ofLedger(home.id)
            return
        }
        let file = try options.common.configurationFile()
        let options = try options.inContext(of: file)
        let home = try options.resolvedHome(file)
        let (channels, source) = try options.channels(file)
        var configuration = HomeConfiguration(
            home: home, controller: try options.resolvedController(file), channels: channels,
            rules: file?.channelRules(in: home) ?? [],
            ledger: options.ledgerLocation(file), takesOverOpenCommands: runsUntilStopped,
            logger: options.common.logger)
        do throws(HomeError) {
            try configuration.ledger.requireReadableURL()
        } catch {
            throw .usage(error.message)
        }
        configuration.endsWithProcess = !runsUntilStopped
        configuration.deviceBroker = file?.deviceBroker
        configuration.aliases = file?.aliases ?? [:]
        configuration.location = file?.location
        place = .own(configuration)
        // What has no broker has credentials of its own, if any.
        let isNamed =
            file?.channels.contains { $0.connection.map { $0.credentials != nil } ?? true } ?? false
        hints = ConnectionHints(
            source: source, hasCredentials: isNamed || options.broker.credentialsFile != nil,
            version: options.broker.mqttVersion, home: home)
    }

    /// Runs the home for as long as `body` does, which may throw `HomeError` or ``CommandLineError``.
    /// - Throws: ``CommandLineError``.
    func withHome<Value: Sendable>(
        _ body: @Sendable (Home) async throws -> Value
    ) async throws(CommandLineError) -> Value {
        try await explainingErrors { try await run(try ownOrServed(), body) }
    }

    /// Drives several homes for as long as `body` does, which the options describe but for their ids.
    /// - Throws: ``CommandLineError``.
    func withInstance<Value: Sendable>(
        _ plan: InstancePlan, _ hooks: InstanceHooks, _ body: () async -> Value
    ) async throws(CommandLineError) -> Value {
        try await explainingErrors {
            switch place {
            case .own(let configuration):
                try await HomeInstance.whileRunning(configuration, plan, hooks, body)
            case .served:
                throw CommandLineError.usage("a server of one home drives no others")
            }
        }
    }

    /// As ``withHome(_:)``, on the thread of the home's connections: an answer then wakes no other
    /// thread.
    func withHomeOnLoop<Value: Sendable>(
        _ body: @Sendable (Home) async throws -> Value
    ) async throws(CommandLineError) -> Value {
        try await explainingErrors {
            let home = try ownOrServed()
            return try await withTaskExecutorPreference(home.executor) { try await run(home, body) }
        }
    }

    private func ownOrServed() throws(HomeError) -> Home {
        switch place {
        case .own(let configuration): try Home(configuration)
        case .served(let home): home
        }
    }

    private func explainingErrors<Value>(
        _ body: () async throws -> Value
    ) async throws(CommandLineError) -> Value {
        do {
            return try await body()
        } catch let failure as CommandLineError {
            throw failure
        } catch let error as HomeError {
            throw failure(for: error)
        } catch {
            throw CommandLineError(.internalError, "\(error)")
        }
    }

    private func run<Value: Sendable>(
        _ home: Home, _ body: @Sendable (Home) async throws -> Value
    ) async throws -> Value {
        switch place {
        case .own: return try await home.whileRunning { try await reportingLink(home, body) }
        case .served: return try await reportingLink(home, body)
        }
    }

    private func reportingLink<Value: Sendable>(
        _ home: Home, _ body: @Sendable (Home) async throws -> Value
    ) async throws -> Value {
        async let _ = reportLinkFailure(home)
        return try await body(home)
    }

    /// Reports at a terminal, once, that a broker is away and is tried again; and everywhere that a part of a link
    /// is, such as the subscription of a platform.
    private func reportLinkFailure(_ home: Home) async {
        var reported: Set<String> = []
        var mayBeAway = console.showsProgress
        for await change in home.linkChanges() {
            guard case .link(_, let link) = change else { continue }
            switch link {
            case .connecting, .lost(_, retryIn: nil): break
            case .connected: mayBeAway = false
            case .lost(let error, .some):
                if mayBeAway { console.note("\(error); trying again") }
                mayBeAway = false
            case .limited(let error):
                guard error.code == .unreachable, reported.insert(error.message).inserted else {
                    continue
                }
                console.note("\(error)")
            }
        }
    }

    /// An error of the home as exit status and message.
    func failure(for error: HomeError) -> CommandLineError { CommandLineError(error, hints) }

    /// What to try where the home has no device.
    var emptyHomeHint: String { hints.forEmptyHome }
}

/// Hints on what the user may have overlooked.
struct ConnectionHints: Sendable {
    /// Where the broker's URL came from; `nil` for a configuration file.
    let source: BrokerChoice.Source?
    /// Whether the user has named credentials.
    let hasCredentials: Bool
    /// The version of MQTT that the user has named.
    let version: MQTTProtocolVersion?
    let home: HomeID

    /// None, for a call that connects to no broker.
    static func ofLedger(_ home: HomeID) -> ConnectionHints {
        ConnectionHints(source: nil, hasCredentials: true, version: nil, home: home)
    }

    /// What to do about a connection that failed.
    func remedy(for error: CommunicationError?) -> String {
        switch error?.code {
        case .credentialsRefused where !hasCredentials && error?.isCuredByCredentials == true:
            "; none were given: pass --credentials-file"
        case .otherVersion: "; pass --mqtt-version \(version == .v3_1_1 ? "5" : "3.1.1")"
        case .unreachable where source == .fallback: "; start homeport-sim, or pass --broker"
        default: ""
        }
    }

    var forEmptyHome: String {
        guard case .privateBroker(let runningHome) = source, runningHome != home.text else {
            return ""
        }
        return "; the running homeport-sim has home \(runningHome): pass --home \(runningHome)"
    }
}

extension CommandLineError {
    init(_ error: HomeError, _ hints: ConnectionHints) {
        switch error.code {
        case .noConnection:
            self.init(
                .noConnection, error.message + hints.remedy(for: error.communication))
        case .ledgerUnreachable: self.init(.noConnection, error.message)
        case .ownedElsewhere: self.init(.notDone, error.message)
        case .unknownDevice:
            self.init(
                .wrongInput,
                error.message + hints.forEmptyHome + " ('homeport devices' lists the devices)")
        case .unknownCommand:
            self.init(.wrongInput, error.message + "; 'homeport history' lists the commands")
        case .unknownSchedule:
            self.init(
                .wrongInput, error.message + "; 'homeport schedule list' lists the schedules")
        case .unknownRule:
            self.init(.wrongInput, error.message + " ('homeport rule list' lists the rules)")
        case .unknownRoom:
            self.init(.wrongInput, error.message + " ('homeport room add ROOM' adds one)")
        case .unknownMember:
            self.init(
                .wrongInput,
                error.message + " ('homeport show DEVICE' lists what a device reports)")
        case .ambiguousName, .nameTaken, .refusedCommand, .foreignCommand, .configurationFile,
            .unknownChannel:
            self.init(.wrongInput, error.message)
        case .deviceOnline:
            self.init(.notDone, error.message + "; --force forgets one that can connect no more")
        case .cannotUndo, .queueFull: self.init(.notDone, error.message)
        case .badLifetime, .badCondition, .badSchedule, .badRule, .configuration:
            self.init(.usage, error.message)
        default: self.init(.internalError, error.message)
        }
    }
}
