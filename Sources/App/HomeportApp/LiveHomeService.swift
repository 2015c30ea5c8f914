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

    public func forget(_ device: DeviceID) async throws(Failure) -> String? {
        do { return try await home.forget(device).comesBack } catch { throw Failure(error) }
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

    public func history(
        of device: DeviceID?, limit: Int
    ) async throws(Failure) -> [CommandRecord] {
        do {
            return try await home.commands.history(
                ofAny: device.map { [$0] }, isHere: true, limit: limit)
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
            case .refusedCommand, .badLifetime, .badSchedule, .badCondition: .changeEntry
            case .ledger: .checkStorage
            case .cannotUndo, .unknownCommand, .foreignCommand, .unknownSchedule, .queueFull:
                .lookAgain
            case .configuration, .configurationFile: .changeConfiguration
            default: .tryAgain
            }
        self.init(error.message, remedy, code: error.code.rawValue)
    }
}
