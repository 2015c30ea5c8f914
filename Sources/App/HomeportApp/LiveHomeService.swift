public import Homeport
public import SharedPresentation

/// A running home as the service of view models.
public struct LiveHomeService: HomeService {
    private let home: Home

    /// The service of a home that runs for as long as it is used.
    public init(_ home: Home) { self.home = home }

    public var id: HomeID { home.id }

    public func address(of channel: ChannelID) -> String { home.address(of: channel) }

    public func latest(_ device: DeviceID) -> KnownDevice? { home.latest(device) }

    public func changes() -> HomeChanges { home.changes() }

    public func recallDevices() async throws(Failure) -> [KnownDevice] {
        do { try await home.observation.recallDevices() } catch { throw Failure(error) }
        return home.model.allDevices
    }

    public func earlierSamples(of device: DeviceID) async throws(Failure) -> EarlierSamples {
        do {
            let history = home.deviceHistory
            guard let newest = try await history.span(of: device)?.upperBound else {
                return EarlierSamples()
            }
            let end = newest.advanced(by: .milliseconds(1))
            return EarlierSamples(
                lastHour: try await history.samples(
                    of: device, from: end.advanced(by: .seconds(-3_600)), to: end),
                lastDay: try await history.samples(
                    of: device, from: end.advanced(by: .seconds(-86_400)), to: end,
                    every: .seconds(300)))
        } catch {
            throw Failure(error)
        }
    }

    public func firstSample(of device: DeviceID) async throws(Failure) -> Timestamp? {
        do { return try await home.deviceHistory.span(of: device)?.lowerBound } catch {
            throw Failure(error)
        }
    }

    public func means(
        of device: DeviceID, from start: Timestamp, to end: Timestamp, every length: Duration
    ) async throws(Failure) -> [RecordedSample] {
        do {
            return try await home.deviceHistory.samples(
                of: device, from: start, to: end, every: length)
        } catch {
            throw Failure(error)
        }
    }

    public func facts(
        of device: DeviceID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> [RecordedFact] {
        do { return try await home.deviceHistory.facts(of: device, from: start, to: end) } catch {
            throw Failure(error)
        }
    }

    public func forget(_ device: DeviceID) async throws(Failure) -> String? {
        do { return try await home.forget(device).comesBack } catch { throw Failure(error) }
    }

    // MARK: Names and rooms

    public func labels() async throws(Failure) -> HomeLabels {
        do { return try await home.naming.labels() } catch { throw Failure(error) }
    }

    public func name(_ device: DeviceID, _ name: GivenName?) async throws(Failure) {
        do { try await home.naming.name(device, name) } catch { throw Failure(error) }
    }

    public func move(_ device: DeviceID, toRoom room: String?) async throws(Failure) {
        do { try await home.naming.move(device, toRoom: room) } catch { throw Failure(error) }
    }

    public func addRoom(_ room: GivenName) async throws(Failure) {
        do { try await home.naming.addRoom(room) } catch { throw Failure(error) }
    }

    public func removeRoom(_ room: String) async throws(Failure) {
        do { try await home.naming.removeRoom(room) } catch { throw Failure(error) }
    }

    // MARK: Rules

    public func rules() async throws(Failure) -> [Rule] {
        do { return try await home.rules.list() } catch { throw Failure(error) }
    }

    public func addRule(_ plan: RulePlan) async throws(Failure) {
        do { _ = try await home.rules.add(plan) } catch { throw Failure(error) }
    }

    public func pauseRule(_ rule: RuleID, _ isPaused: Bool) async throws(Failure) {
        do {
            if isPaused {
                try await home.rules.pause("\(rule)")
            } else {
                try await home.rules.resume("\(rule)")
            }
        } catch {
            throw Failure(error)
        }
    }

    public func removeRule(_ rule: RuleID) async throws(Failure) {
        do { try await home.rules.remove("\(rule)") } catch { throw Failure(error) }
    }

    public func ruleRun(ofCause cause: String?) async throws(Failure) -> RecordedRun? {
        do { return try await home.rules.run(ofCause: cause) } catch { throw Failure(error) }
    }

    public func rehearseRule(
        _ rule: RuleID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> RuleRehearsal {
        do { return try await home.rules.rehearse("\(rule)", from: start, to: end) } catch {
            throw Failure(error)
        }
    }

    // MARK: Commands

    public func send(
        _ name: CommandName, _ arguments: JSONObject, to device: DeviceID, options: CommandOptions
    ) async throws(Failure) -> SentCommand {
        do {
            return SentCommand(try await home.send(name, arguments, to: device, options: options))
        } catch {
            throw Failure(error)
        }
    }

    public func undo(_ device: DeviceID) async throws(Failure) -> SentCommand {
        do { return SentCommand(try await home.undo(device)) } catch { throw Failure(error) }
    }

    public func redo(_ device: DeviceID) async throws(Failure) -> SentCommand {
        do { return SentCommand(try await home.redo(device)) } catch { throw Failure(error) }
    }

    public func cancel(
        _ command: CommandID
    ) async throws(Failure) -> (CommandRecord, reason: String?) {
        do {
            let cancellation = try await home.cancel(command)
            return (cancellation.record, cancellation.reason)
        } catch {
            throw Failure(error)
        }
    }

    public func putAway(_ command: CommandID) async throws(Failure) -> CommandRecord {
        do { return try await home.putAway(command) } catch { throw Failure(error) }
    }

    public func history(_ filter: CommandFilter) async throws(Failure) -> [CommandRecord] {
        do {
            return try await home.commands.history(
                ofAny: filter.devices, filter.states, filter.since, until: filter.until,
                isHere: true, offset: filter.offset, limit: filter.limit)
        } catch {
            throw Failure(error)
        }
    }

    public func waitingCommands() async throws(Failure) -> [CommandRecord] {
        do { return try await home.waitingCommands() } catch { throw Failure(error) }
    }

    public func explain(_ command: CommandID) async throws(Failure) -> CommandExplanation {
        do { return try await home.explain(command) } catch { throw Failure(error) }
    }

    // MARK: Schedules

    public func schedules() async throws(Failure) -> [Schedule] {
        do { return try await home.schedules() } catch { throw Failure(error) }
    }

    public func addSchedule(
        _ command: ScheduledCommand, at rule: ScheduleRule
    ) async throws(Failure) {
        do {
            _ = try await home.addSchedule(
                command.name, command.arguments, toDeviceCalled: command.device.text, at: rule)
        } catch {
            throw Failure(error)
        }
    }

    public func changeSchedule(
        _ schedule: ScheduleID, _ arguments: JSONObject, at rule: ScheduleRule
    ) async throws(Failure) {
        do { _ = try await home.scheduling.change(schedule, arguments, at: rule) } catch {
            throw Failure(error)
        }
    }

    public func pauseSchedule(
        _ schedule: ScheduleID, _ isPaused: Bool
    ) async throws(Failure) {
        do {
            if isPaused {
                try await home.scheduling.pause(schedule)
            } else {
                try await home.scheduling.resume(schedule)
            }
        } catch {
            throw Failure(error)
        }
    }

    public func removeSchedule(_ schedule: ScheduleID) async throws(Failure) {
        do { try await home.removeSchedule(schedule) } catch { throw Failure(error) }
    }
}

extension SentCommand {
    fileprivate init(_ receipt: CommandReceipt) {
        self.init(
            record: receipt.record, obstacle: receipt.obstacle.map(Failure.init),
            changes: receipt.changes)
    }
}

extension Failure {
    /// An error of a home, with what the user can do about its kind.
    public init(_ error: HomeError) {
        let remedy: Remedy =
            switch error.code {
            case .noConnection: .checkConnection
            case .unknownDevice, .ambiguousName: .chooseDevice
            case .deviceOnline: .switchDeviceOff
            case .nameTaken, .refusedCommand, .badLifetime, .badSchedule, .badCondition, .badRule,
                .unknownMember:
                .changeEntry
            case .ledger, .history: .checkStorage
            case .cannotUndo, .unknownCommand, .foreignCommand, .unknownSchedule, .unknownRoom,
                .unknownRule, .queueFull:
                .lookAgain
            case .configuration, .configurationFile: .changeConfiguration
            default: .tryAgain
            }
        self.init(error.message, remedy, code: error.code.rawValue)
    }
}
