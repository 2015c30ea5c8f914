import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport undo`.
struct UndoVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undoes the last command to a device that can be undone.",
        discussion: """
            Examples: homeport undo sweeper-1
                      homeport undo 01a20b4d-7d64-76ac-89a8-a7e2ba071f01

            A setting gets back the value that it replaced; an action that is under way is ended by \
            the command that reverses it. It is refused, with the reason, where it would not restore \
            what was: the state has changed since, the outcome is unknown, the action has finished.

            With the id of a group that 'send --all' printed its commands are undone one after the \
            other, the last one first.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device, by its id or name; or the id of a group.", valueName: "device"),
        completion: .devices)
    var device: String

    @OptionGroup(title: "Wait") var waiting: GoalOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let follower = waiting.follower(in: call, common)
        return try await session.withHomeOnLoop { home throws(HomeError) in
            if let group = CommandID(device), try await home.hasGroup(group) {
                return try await undo(group, in: home, follower)
            }
            return try await follower.status(in: home) { () throws(HomeError) in
                try await home.undo(try await home.commands.receiver(called: device).id)
            }
        }
    }

    private func undo(
        _ group: CommandID, in home: Home, _ follower: CommandFollower
    ) async throws(HomeError) -> VerbStatus {
        let steps = try await home.undo(group: group)
        var receipts: [CommandReceipt] = []
        for step in steps {
            switch step.result {
            case .success(let receipt): receipts.append(receipt)
            case .failure(let error): follower.console.note("\(step.device): \(error.message)")
            }
        }
        let isWhole = receipts.count == steps.count
        let status = try await follower.status(
            in: home, ofSendingAll: { [receipts] () throws(HomeError) in receipts })
        return .summary(of: isWhole ? [status] : [status, .notDone])
    }
}
