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
        // The commands were meant for a broker that has ended.
        try await withHome(.bench(port: port, ledger: ledger)) { home in
            _ = try await home.moveCommandsHere()
        }
        let watch = Watch()
        try await withHome(.bench(port: port, ledger: ledger)) { home in
            let commands = try await home.takeOverOpenCommands()
            report("taken-over-s", watch.seconds)
            await home.settle(commands, within: .seconds(120))
            report("settled-s", watch.seconds)
            report("commands", Double(commands.count))
        }
    }
}
