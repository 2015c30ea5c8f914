import ArgumentParser
import Homeport

/// `homeport show`.
struct ShowVerb: Verb {
    static let name = "show"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Shows one device: description, state, latest telemetry, commands.",
        discussion: """
            Example: homeport show sweeper-1

            Telemetry is not retained: it is shown if a sample came while the retained messages \
            did. To wait for one, use watch.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The device: its id or name.", valueName: "device"),
        completion: .devices)
    var device: String

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(common)
        let renderer = ShowRenderer(format: common.format)
        return try await session.withHome { home throws(Failure) in
            let known: KnownDevice
            do throws(HomeError) {
                known = try await home.find(device)
            } catch {
                throw session.failure(for: error)
            }
            await tellWhetherDown(known, home, console)
            console.write(renderer.lines(for: known))
            await OpenCommands.takeOver(home, console)
            return .done
        }
    }

    /// A device of a channel that is down is shown as it was last known.
    private func tellWhetherDown(_ device: KnownDevice, _ home: Home, _ console: Console) async {
        guard device.connection == .unknown,
            let channel = await home.channels().first(where: { $0.id == device.channel }),
            case .lost = channel.link
        else { return }
        console.note(
            "the channel \(channel.id) is down: \(channel.reason); "
                + "the device is shown as it was last known")
    }
}
