import Glibc
import HomeAssistant
import Homeport
import LocalServices
import Notifications
import TerminalOutput

/// What `homeport serve` does until it is cancelled.
struct HomeServer: Sendable {
    /// How often it checks that it receives the whole home, and records the devices.
    private static let surveyInterval = Duration.seconds(60)
    /// How long it waits for the list of devices before it says that it is ready.
    private static let listingLimit = Duration.seconds(5)

    let home: Home
    let console: Console
    /// What the server says over `console`, for those who ask later.
    let log: ServerLog
    /// The view in a browser; `nil` for none.
    let dashboard: HomeDashboard?
    /// The options that the home was made from.
    let options: VerbOptions
    /// Where Home Assistant looks for devices; `nil` if they are not announced.
    let announcesUnder: DiscoveryPrefix?
    /// How long samples, presence and events are kept beside a ledger in a file.
    let keptHistory: KeptHistory
    /// How long they are kept in a database; `nil` for not at all.
    let keptTelemetry: Duration?
    /// How the user is told what rules have to say.
    let notifications: ConfiguredNotifications

    /// Serves calls and runs schedules.
    /// - Throws: ``HomeError``, ``CommandLineError``, ``HomeAssistantError`` and what the socket throws; untyped for
    ///   that reason.
    func run() async throws {
        // So that a ledger that cannot be used ends it before it says that it is ready.
        if keptTelemetry != nil { try home.deviceHistory.requireDatabase() }
        _ = try await home.schedules()
        try await home.lifetime.own(home.id, of: home.controller, clock: MachineClock())
        guard announcesUnder != nil else { return try await serve() }
        try await home.withRole("home-assistant", orThrow: secondBridge) {
            try await serve()
        }
    }

    private var secondBridge: CommandLineError {
        CommandLineError(
            .notDone,
            "another 'homeport serve --home-assistant' announces \(home.id) from this ledger, and "
                + "every command of Home Assistant would be sent twice; end that one first, or "
                + "leave out --home-assistant")
    }

    private func serve() async throws {
        let meetingPoint = MeetingPoint()
        if let warning = meetingPoint.warning { console.note(warning) }
        let entry = try announcement()
        reportOtherServers(entry, at: meetingPoint)
        try await meetingPoint.withAnnouncement(entry) {
            try await work(
                LocalServer(
                    at: meetingPoint.socket(of: entry), requestsOf: CallRequest.limit,
                    greeting: CallReply.ready.line),
                entry)
        }
    }

    /// Carries out the calls of other processes.
    private func answerCalls(
        over server: LocalServer, _ entry: ServerAnnouncement
    ) async throws(LocalServicesError) {
        try await server.run { line, connection in
            guard let request = try? CallRequest(line: line.get()) else { return }
            await ServedConversation(
                home: home, dashboard: dashboard, log: log, announcement: entry,
                connection: connection
            ).run(request)
        }
    }

    private func work(_ server: LocalServer, _ entry: ServerAnnouncement) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await answerCalls(over: server, entry) }
            group.addTask { try await home.runSchedules(report) }
            let notifier = Notifier(
                notifications, showing: dashboard?.notify, for: home.id, clock: MachineClock()
            ) {
                console.note("notifications: \($0)")
            }
            group.addTask { await notifier.run() }
            group.addTask { try await runRules(telling: notifier) }
            group.addTask { try await followLinks() }
            group.addTask {
                try await home.lifetime.watchOwnership(
                    of: home.id, of: home.controller, clock: MachineClock(), reportDatabase)
            }
            if keptHistory != .none || keptTelemetry != nil {
                group.addTask { try await keepHistory() }
            }
            if let lapsed { group.addTask { await lapsed.run() } }
            let (listed, tell) = AsyncStream<Void>.makeStream()
            group.addTask { await knowDevices { tell.finish() } }
            try await open(dashboard, in: &group)
            if let bridge { group.addTask { try await bridge.run() } }
            let isConnected = await connect()
            if isConnected { await Self.wait(for: listed) }
            reportServedHome(isConnected)
            console.announce("ready")
            try await group.next()
        }
    }

    /// Keeps samples, presence and events; where nobody asked for that and it is not possible it says so, and goes on
    /// without.
    private func keepHistory() async throws(HomeError) {
        do throws(HomeError) {
            try await home.deviceHistory.keep(for: keptTelemetry) { console.note("\($0)") }
        } catch {
            guard error.code == .configuration, keptTelemetry == nil else { throw error }
            console.note(error.message)
            while !Task.isCancelled { await MachineClock().sleep(for: .seconds(3_600)) }
        }
    }

    private func runRules(telling notifier: Notifier) async throws(HomeError) {
        try await home.rules.run { notification in
            console.note("notification: \(notification.name): \(notification.text)")
            await notifier.notify(notification)
        } _: { notice in
            if case .failed(let error) = notice, error.isLostDatabase { return }
            console.note("\(notice)")
        }
    }

    /// Begins to serve the dashboard, and prints its link once it listens.
    private func open(
        _ dashboard: HomeDashboard?, in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        guard let dashboard else { return }
        let (links, tell) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        group.addTask {
            defer { tell.finish() }
            try await dashboard.serve(
                home, options,
                HomeDashboard.Reports(
                    note: { console.note($0) }, isListening: { tell.yield($0) }))
        }
        // It ends without a link where the address was taken in between.
        for await link in links {
            return console.announce("dashboard \(link)")
        }
    }

    /// Announces the devices over the broker of the home; a home without one has no bridge.
    private var bridge: HomeAssistantBridge? {
        guard let prefix = announcesUnder else { return nil }
        guard let connection = home.observation.brokerConnection else {
            console.note("no channel of the home has a broker, so Home Assistant is told nothing")
            return nil
        }
        return HomeAssistantBridge(home, over: connection, prefix: prefix) { notice in
            console.note("Home Assistant: \(notice)")
        }
    }

    /// Takes back certificates in time; `nil` without a keychain.
    private var lapsed: LapsedCertificates? {
        do throws(CommandLineError) {
            return LapsedCertificates(authority: try options.identityAuthority()) {
                console.note($0)
            }
        } catch {
            console.note("certificates that are not confirmed in time are not taken back: \(error)")
            return nil
        }
    }

    /// Where the broker may be found that nobody named.
    private var locator: PrivateBrokerLocator? {
        home.observation.brokerConnection?.locator as? PrivateBrokerLocator
    }

    /// The address of the broker that a call names.
    private var brokerAddress: String {
        home.observation.brokerConnection?.brokers.clusterText ?? home.address
    }

    private func announcement() throws(HomeError) -> ServerAnnouncement {
        let scope = try ServerScope(options)
        return ServerAnnouncement(
            processID: getpid(), version: HomeportCommand.version, scope: scope,
            address: locator?.followsMeetingPoint == true
                ? ServerAnnouncement.meetingPoint
                : scope.config.isEmpty || options.namedBroker != nil ? brokerAddress : "")
    }

    /// Connects, as far as that is possible now. The home keeps trying, which the state of its links shows.
    /// - Returns: whether a channel is connected.
    private func connect() async -> Bool {
        do throws(HomeError) {
            try await home.requireConnection()
            return true
        } catch {
            return false
        }
    }

    private static func wait(for listed: AsyncStream<Void>) async {
        await withTaskGroup { group in
            group.addTask { for await _ in listed {} }
            // A cancelled sleep ends the wait, too.
            group.addTask { try? await Task.sleep(for: listingLimit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Says which home is served, over which brokers, and how many devices it has so far.
    private func reportServedHome(_ isConnected: Bool) {
        let count = home.model.devices.count
        let devices = count == 1 ? "1 device" : "\(count) devices"
        console.note(
            "serving \(home.id) on \(home.observation.addresses.joined(separator: ", ")): "
                + (isConnected ? devices : "not connected yet")
                + (locator?.isUndecided == true
                    ? "; no broker was named, so a homeport-sim that is started is found as well"
                    : ""))
    }

    /// Two servers may work on one ledger; who starts the second one may not know of the first.
    private func reportOtherServers(_ entry: ServerAnnouncement, at meetingPoint: MeetingPoint) {
        // An error of the meeting point is reported when the server is announced there.
        let others = (try? meetingPoint.announcements(of: ServerAnnouncement.self)) ?? []
        for other in others where other.scope.database == entry.scope.database {
            console.note(
                "another homeport serve (process \(other.processID)) works on this ledger, with home "
                    + other.scope.home)
        }
    }

    /// Says what happens to the links. Credentials that are refused end the server.
    private func followLinks() async throws(HomeError) {
        var links = LinkLogs(home)
        for await change in home.linkChanges() {
            guard case .link(let channel, let state) = change else { continue }
            if let remark = links.remark(on: channel, state) { console.note(remark) }
            if let failure = home.finalFailure { throw failure }
        }
    }

    /// Knows the devices of the home before anybody asks, also those that are away later.
    /// - Parameter listed: is called after each attempt.
    private func knowDevices(_ listed: @Sendable () -> Void) async {
        // Some devices may not have answered because another process had just asked them.
        var doubtfulRepeats = 3
        while !Task.isCancelled {
            if doubtfulRepeats > 0, home.observation.isDoubtful {
                doubtfulRepeats -= 1
                home.observation.forgetDoubtfulReplays()
            }
            do throws(HomeError) {
                // This costs nothing unless a link is new; then the devices are asked for again.
                _ = try await home.survey(.everyDeviceWithoutTelemetry)
                try await home.rememberDevices()
            } catch {
                // Of the links something was said already.
                if error.code == .ledger { console.note("\(error)") }
            }
            listed()
            // A cancelled sleep ends it.
            do { try await Task.sleep(for: Self.surveyInterval) } catch { return }
        }
    }

    @Sendable
    private func reportDatabase(_ failure: HomeError?) {
        console.note(
            failure.map { "\($0.message): nothing is sent until it is back" }
                ?? "the database of the ledger is back: commands are sent again")
    }

    @Sendable
    private func report(_ result: Result<ScheduleNotice, HomeError>) {
        switch result {
        case .success(let notice): console.note(notice.sentence)
        case .failure(let error) where error.isLostDatabase: break
        case .failure(let error): console.note("the schedules were not read: \(error)")
        }
    }
}

extension HomeError {
    /// Whether it is that the database is away, which a server says once for all that needs it.
    var isLostDatabase: Bool { code == .ledgerUnreachable }
}

extension ScheduleNotice {
    /// What is said of it on stderr.
    var sentence: String {
        let command = "\(schedule.command.device) \(schedule.command.name.rawValue)"
        let run = "schedule \(schedule.id), \(command) at \(LocalTime.dateAndTime(due))"
        return switch content {
        case .sent(let record): "\(run): \(record.state.rawValue), id \(record.id)"
        case .missed(let reason): "\(run): missed, \(reason)"
        }
    }
}
