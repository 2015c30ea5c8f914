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

    @OptionGroup(title: "Command") var sending: SendOptions
    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(common)
        let location = try common.ledgerLocation()
        let order = try order()
        let channel = try station.makeChannel()
        let loop = MQTTLoopTaskExecutor(channel.eventLoop)
        let (survey, prepared) = await station.surveying(
            .device(device), over: channel, on: loop
        ) { () throws(Failure) in
            Errand(
                station, try Ledger.prepare(at: location), channel, console,
                CommandRenderer(format: common.format))
        }
        // From here on everything happens on the connection's thread: an answer wakes no other.
        let result = await withTaskExecutorPreference(loop) {
            let result: Result<VerbStatus, Failure>
            do throws(Failure) {
                let errand = try prepared.get()
                defer { errand.ledger.retire() }
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
        Errand.Order(
            device: device, command: command, arguments: try sending.arguments,
            options: CommandOptions(lifetime: sending.expires, isDryRun: sending.dryRun),
            target: sending.wait, waitLimit: sending.waitTimeout)
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
