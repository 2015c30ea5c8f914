import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Commands over a broker: where they come at the same instants of the world, the devices say the same.
@Suite(.timeLimit(.minutes(3))) struct DeterminismTests {
    /// A command that two runs get, with the same id.
    private struct Order {
        let device: String
        let home: String
        let command: TestCommand

        init(
            _ name: String, _ arguments: JSONObject = [:], to device: String, in home: String,
            seed: UInt64
        ) throws {
            var ids = SeededGenerator(seed: seed)
            let id = CommandID(at: Timestamp(milliseconds: 1_782_036_000_000), using: &ids)
            self.device = device
            self.home = home
            command = try TestCommand(name, arguments, id: id)
        }
    }

    private static func orders() throws -> [Order] {
        [
            try Order(
                "set-suction-level", ["level": "max"], to: "sweeper-1", in: "home-1", seed: 1),
            try Order("start-cleaning", to: "sweeper-1", in: "home-2", seed: 2),
            try Order("discharge", ["powerW": 1200], to: "store-1", in: "home-1", seed: 3),
            try Order("locate", to: "sweeper-2", in: "home-2", seed: 4),
            try Order("return-to-dock", to: "sweeper-1", in: "home-2", seed: 5),
        ]
    }

    @Test func fiveCommandsAndALostConnectionGiveTheSameHashes() async throws {
        var reports: [[[String]]] = []
        for processes in [1, 2, 2] { reports.append(try await run(in: processes)) }
        #expect(reports[0].count == 14 && reports[0].allSatisfy { $0[2] != "0" })
        #expect(reports[1] == reports[0] && reports[2] == reports[0])
    }

    /// The world stands still while a command is sent, and is set forward between them.
    private func run(in processes: Int) async throws -> [[String]] {
        let (workplace, folder) = (try Workplace(), try TemporaryFolder())
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--homes", "2", "--processes", "\(processes)", "--epoch",
                "2026-06-21T10:00:00Z", "--speed", "0.01", "--report", "\(folder.path)/report.json",
            ]
            let ending = try await SimulatorProcess.run(options, meetingIn: workplace.folder) {
                simulator in
                try await simulator.line(beginning: "ready 14 devices")
                try await sim("pause", in: workplace)
                try await sim("step", "next", in: workplace)
                let orders = try Self.orders()
                try await send(Array(orders.prefix(3)), on: broker, stepping: "7s", in: workplace)
                await broker.kill()
                try await simulator.line(beginning: "lost the broker: ")
                try await sim("step", "13s", in: workplace)
                try await broker.start()
                try await simulator.line(beginning: "all 14 devices are connected again")
                try await send(
                    Array(orders.dropFirst(3)), on: broker, stepping: "31s", in: workplace)
            }
            #expect(ending.status == 0, "\(ending.lines)")
        }
        return try RunReport("report.json", in: folder).devices
    }

    private func send(
        _ orders: [Order], on broker: MosquittoBroker, stepping time: String,
        in workplace: Workplace
    ) async throws {
        try await Listener.with(broker.url) { listener in
            for order in orders {
                try await listener.send(order.command.payload, to: order.device, in: order.home)
                _ = try await listener.hearAck(of: order.command.id)
                try await sim("step", time, in: workplace)
            }
        }
    }

    private func sim(_ words: String..., in workplace: Workplace) async throws {
        let ending = try await FaultHouse.sim(words, in: workplace)
        #expect(ending.status == 0, "\(words): \(ending.errors)")
    }
}
