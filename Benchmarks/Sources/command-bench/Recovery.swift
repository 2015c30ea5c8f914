import Glibc
import Homeport

/// A process that takes over what a dead one left open.
struct Recovery {
    private let port: Int
    private let ledger: String

    init(port: Int, _ ledger: String) {
        self.port = port
        self.ledger = ledger
    }

    /// Takes the commands over and waits until every device has been asked.
    func run() async throws {
        let watch = Watch()
        try await withHome(.bench(port: port, ledger: ledger)) { home in
            // They were meant for a broker that has ended.
            _ = try await home.moveCommandsHere()
            report("moved-s", watch.seconds)
            let commands = try await home.takeOverOpenCommands()
            report("taken-over-s", watch.seconds)
            await home.settle(commands, within: .seconds(120))
            report("settled-s", watch.seconds)
            report("commands", Double(commands.count))
        }
    }
}
