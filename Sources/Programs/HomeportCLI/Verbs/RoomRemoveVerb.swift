import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport room remove`.
struct RoomRemoveVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a room; its devices stay, and are in no room.",
        discussion: """
            Example: homeport room remove Kitchen

            With --json: {"name","home","devices"}, with the devices that were in it.

            \(RoomCommand.statuses)
            """)

    @Argument(
        help: ArgumentHelp("The room, as 'room list' names it.", valueName: "room"),
        completion: .rooms, transform: Parsing.givenName)
    var room: GivenName

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            let devices = try await home.naming.removeRoom(room.text)
            call.console.write(
                LabelRenderer(format: common.format).lines(
                    for: room, of: home.id, devices, "removed the room \(room)"))
            if !devices.isEmpty {
                let are = devices.count == 1 ? "is" : "are"
                call.console.note("\(devices.map(\.text).listed) \(are) in no room now")
            }
            return .done
        }
    }
}
