import ArgumentParser
import Connectivity
import DeviceControl
import DeviceDomain
import MQTTClient
import MosquittoAdapter

/// `homeport send`.
struct SendVerb: Verb {
    static let name = "send"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: Homeport.name,
        abstract: "Sends a command to a device and tracks it.",
        discussion: """
            Example: homeport send sweeper-1 start-cleaning --set 'rooms=[1,2]' --wait final

            The command and its arguments are checked against the device's own description \
            before anything is recorded or sent. A command that may wait for an offline device \
            does; Ctrl-C ends the wait (status 3), not the command.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp("The device.", valueName: "device"), transform: Parsing.identifier)
    var device: DeviceID

    @Argument(
        help: ArgumentHelp("The command, as 'show' lists it.", valueName: "command"),
        transform: CommandName.init(rawValue:))
    var command: CommandName

    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An argument of the command; may be repeated.",
            discussion: "A value is JSON where it parses as JSON, else a text.",
            valueName: "key=value"),
        transform: { try ArgumentAssignment($0) })
    var assignments: [ArgumentAssignment] = []

    @Option(
        help: ArgumentHelp(
            "How far the command must come: accepted, final or observed.",
            discussion: "Default: final for settings and instants, accepted for actions.",
            valueName: "goal"),
        completion: .list(WaitTarget.allCases.map(\.rawValue)), transform: Parsing.waitTarget)
    var wait: WaitTarget?

    @Option(
        help: ArgumentHelp(
            "Ends the wait, not the command.",
            discussion: """
                Default: as long as it takes; for observed 10s after the final ack.
                """,
            valueName: "time"),
        transform: Parsing.duration)
    var waitTimeout: Duration?

    @Option(
        help: ArgumentHelp(
            "How long the command may be started, 1ms to 24h.",
            discussion: "Default: what the command's offline policy says, else 30s.",
            valueName: "time"),
        transform: Parsing.duration)
    var expires: Duration?

    @Flag(help: "Have the device check everything and do nothing.")
    var dryRun = false

    @OptionGroup(title: "Home") var home: HomeOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        _ = try ArgumentAssignment.arguments(assignments)
        if let expires, !CommandOptions.allowedLifetimes.contains(expires) {
            throw ValidationError("--expires must be from 1ms to 24h, not \(expires.text)")
        }
    }

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(home, broker, output)
        let location = try home.ledgerLocation()
        let order = try order()
        let channel = try station.makeChannel()
        let loop = MQTTLoopTaskExecutor(channel.eventLoop)
        let (survey, opened) = await station.surveying(
            .device(device), over: channel, on: loop
        ) { () throws(Failure) in
            try Ledger.prepare(at: location)
        }
        // From here on everything happens on the connection's thread: an answer wakes no other.
        let result = await withTaskExecutorPreference(loop) {
            let result: Result<VerbStatus, Failure>
            do throws(Failure) {
                let ledger = try opened.get()
                defer { ledger.retire() }
                let errand = Errand(
                    station, ledger, channel, console, CommandRenderer(format: output.format))
                result = .success(try await status(of: order, by: errand, after: survey))
            } catch {
                result = .failure(error)
            }
            await channel.close()
            return result
        }
        return try result.get()
    }

    private func status(
        of order: Errand.Order, by errand: Errand, after survey: Result<HomeSurvey, Failure>
    ) async throws(Failure) -> VerbStatus {
        switch survey {
        case .success(let survey): return try await errand.run(order, after: survey).status
        case .failure(let failure): throw try await queued(order, by: errand, because: failure)
        }
    }

    private func order() throws(Failure) -> Errand.Order {
        let arguments: JSONObject
        do {
            arguments = try ArgumentAssignment.arguments(assignments)
        } catch {
            throw .usage(error.message)
        }
        return Errand.Order(
            device: device, command: command, arguments: arguments,
            options: CommandOptions(lifetime: expires, isDryRun: dryRun),
            target: wait, waitLimit: waitTimeout)
    }

    /// Without a connection a command whose policy lets it wait is queued.
    private func queued(
        _ order: Errand.Order, by errand: Errand, because failure: Failure
    ) async throws(Failure) -> Failure {
        do {
            guard let record = try await errand.queue(order) else { return failure }
            return Failure(
                failure.status,
                "\(failure.message); \(device) \(command.rawValue) is queued as \(record.id) "
                    + "and goes out with the next homeport send or watch")
        } catch  where error.status == .wrongInput {
            return failure
        }
    }
}
