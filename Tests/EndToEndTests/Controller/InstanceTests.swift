import DeviceMessages
import Glibc
import TestSupport
import Testing

/// Several instances that drive six homes with one PostgreSQL and one broker, and what happens when one of them is
/// killed, stopped or added.
@Suite(.timeLimit(.minutes(3))) struct InstanceTests {
    @Test func theHomesOfAKilledInstanceAndItsCommandsAreTakenOver() async throws {
        try await withHouse { house in
            try await house.queueCommands()
            try await house.instance("one") { one in
                try await one.share(6)
                try await house.instance("two") { two in
                    try await two.share(3)
                    one.kill()
                    try await two.share(6)
                    // The devices come back, and their commands go to them.
                    try await house.fleet {
                        let states = try await house.waitForEnds()
                        #expect(states == ["succeeded"])
                    }
                    kill(two.processID, SIGTERM)
                }
            }
            try await house.verifyAudit()
        }
    }

    @Test func aStoppedInstanceWritesNothingAndComesBackForItsShare() async throws {
        try await withHouse { house in
            try await house.fleet {
                try await house.instance("one") { one in
                    try await one.share(6)
                    try await house.instance("two") { two in
                        try await two.share(3)
                        two.suspend()
                        try await one.share(6)
                        let before = try await house.anchors(of: "two")
                        kill(two.processID, SIGCONT)
                        try await two.line(beginning: "homeport: lost 3 homes")
                        try await two.share(3)
                        #expect(before == 3)
                        #expect(try await house.anchors(of: "two") == 6)
                        kill(two.processID, SIGTERM)
                    }
                    try await one.share(6)
                    kill(one.processID, SIGTERM)
                }
            }
            try await house.verifyAudit()
        }
    }

    /// What another machine sends meanwhile reaches the next owner.
    @Test func whatIsSentWhileAnInstanceIsDeadIsCarriedOut() async throws {
        try await withHouse { house in
            try await house.fleet {
                try await house.instance("one") { one in
                    try await one.share(6)
                    try await house.instance("two") { two in
                        try await two.share(3)
                        while try await house.knownDevices() != 6 {}
                        one.kill()
                        try await house.sendToAll()
                        try await two.share(6)
                        kill(two.processID, SIGTERM)
                    }
                }
            }
            #expect(try await house.waitForEnds() == ["succeeded"])
            try await house.verifyAudit()
        }
    }

    @Test func anAddedInstanceGetsItsShare() async throws {
        try await withHouse { house in
            try await house.instance("one") { one in
                try await one.share(6)
                try await house.instance("two") { two in
                    try await two.share(3)
                    try await house.instance("three") { three in
                        try await three.share(2)
                        kill(three.processID, SIGTERM)
                    }
                    kill(two.processID, SIGTERM)
                }
                kill(one.processID, SIGTERM)
            }
            try await house.verifyAudit()
        }
    }

    /// A new owner hears what the former one has kept, and goes on where that ended.
    @Test func whatDevicesSayIsKeptOnceWhoeverOwnsTheirHomes() async throws {
        try await withHouse { house in
            try await house.fleet(["--telemetry-interval", "200ms"]) {
                let keeping = ["--keep-telemetry", "1d"]
                try await house.instance("one", keeping) { one in
                    try await one.share(6)
                    while try await house.homesWithSamples(behind: 0) != 6 {}
                    try await house.instance("two", keeping) { two in
                        try await two.share(3)
                        one.kill()
                        try await two.share(6)
                        let before = try await house.newestSample()
                        while try await house.homesWithSamples(behind: before) != 6 {}
                        kill(two.processID, SIGTERM)
                    }
                }
            }
            #expect(
                try await house.database.execute(
                    "SELECT count(*) - count(DISTINCT (home, device, boot, n)) FROM sample")
                    == "0\n")
            #expect(
                try await house.database.execute(
                    "SELECT DISTINCT name FROM fact WHERE kind = 'presence'") == "online\n")
        }
    }

    /// RabbitMQ lists no retained messages, and devices announce themselves once in five seconds.
    @Test(.enabled(if: RabbitMQ.isInstalled, "rabbitmq-server is not installed"))
    func devicesThatSomebodyElseHasJustAskedAreFoundAllTheSame() async throws {
        try await withPostgreSQL { database in
            try await withRabbitMQ { port in
                let house = House(
                    database: database, brokerURL: "mqtt://127.0.0.1:\(port)",
                    journal: try TemporaryFolder(), workplace: try Workplace())
                let old = ["--mqtt-version", "3.1.1"]
                try await house.fleet(old) {
                    try await withThrowingDiscardingTaskGroup { group in
                        for home in House.homes {
                            group.addTask {
                                try await house.homeport(["devices", "--home", home] + old)
                            }
                        }
                    }
                    // The listing above was not by an owner: the ledger of the homes is empty.
                    try await database.execute("DELETE FROM device")
                    try await house.instance("one", old) { one in
                        try await one.share(6)
                        while try await house.knownDevices() != 6 {}
                        kill(one.processID, SIGTERM)
                    }
                }
            }
        }
    }

    // MARK: Parts

    /// A database, a broker and a fleet of six homes that have been seen.
    private struct House: Sendable {
        let database: PostgreSQLDatabase
        let brokerURL: String
        let journal: TemporaryFolder
        let workplace: Workplace

        static let homes = (1...6).map { "home-\($0)" }

        /// Runs the fleet beside `body`.
        func fleet(
            _ others: [String] = [], _ body: () async throws -> Void
        ) async throws {
            let options =
                [
                    "--broker", brokerURL, "--homes", "6", "--sweepers", "1", "--journal",
                    journal.path,
                ] + others
            try await SimulatorProcess.run(options) { fleet in
                try await fleet.line(beginning: "ready 6 devices")
                try await body()
            }
        }

        /// Runs an instance beside `body`, which ends it.
        func instance(
            _ name: String, _ others: [String] = [],
            _ body: (ChildProcess) async throws -> Void
        ) async throws {
            _ = try await workplace.runningForRemarks(
                [
                    "serve", "--homes", Self.homes.joined(separator: ","), "--instance", name,
                    "--lease", "1s",
                ] + others, environment: variables, body)
        }

        /// Queues a command in every home, whose devices were seen and are away.
        func queueCommands() async throws {
            try await fleet {
                for home in Self.homes { try await homeport("devices", "--home", home) }
            }
            for home in Self.homes {
                // It waits for its device when the call ends.
                try await homeport(
                    "send", "sweeper-1", "set-suction-level", "level=max", "--home", home,
                    "--wait-timeout", "10ms", "--expires", "10m", status: 3)
            }
        }

        /// Sends a command to a device of every home, side by side, and waits for its end.
        func sendToAll() async throws {
            try await withThrowingDiscardingTaskGroup { group in
                for home in Self.homes {
                    group.addTask {
                        try await homeport("send", "sweeper-1", "identify", "--home", home)
                    }
                }
            }
        }

        /// How many devices the ledger knows.
        func knownDevices() async throws -> Int? { try await number("SELECT count(*) FROM device") }

        /// The states of all commands, once none is open.
        func waitForEnds() async throws -> Set<String> {
            while try await database.execute("SELECT count(*) FROM command WHERE isOpen") != "0\n" {
            }
            let states = try await database.execute("SELECT DISTINCT state FROM command")
            return Set(states.split(separator: "\n").map(String.init))
        }

        /// In how many homes a sample was kept behind a number of the device.
        func homesWithSamples(behind n: Int?) async throws -> Int? {
            try await number("SELECT count(DISTINCT home) FROM sample WHERE n > \(n ?? 0)")
        }

        /// The highest number of a sample that is kept.
        func newestSample() async throws -> Int? { try await number("SELECT max(n) FROM sample") }

        /// How often an instance has taken a home.
        func anchors(of instance: String) async throws -> Int? {
            try await number("SELECT count(*) FROM anchor WHERE instance = '\(instance)'")
        }

        private func number(_ query: String) async throws -> Int? {
            Int(try await database.execute(query).split(separator: "\n").last ?? "")
        }

        func verifyAudit() async throws {
            for home in Self.homes { try await homeport("audit", "verify", "--home", home) }
        }

        private func homeport(_ arguments: String..., status: Int32 = 0) async throws {
            try await homeport(arguments, status: status)
        }

        func homeport(_ arguments: [String], status: Int32 = 0) async throws {
            let run = try await workplace.homeport(arguments, environment: variables)
            #expect(run.status == status, "\(arguments): \(run)")
        }

        private var variables: [String: String] {
            ["HOMEPORT_DATABASE": database.url, "HOMEPORT_BROKER": brokerURL]
        }
    }

    private func withHouse(_ body: (House) async throws -> Void) async throws {
        try await withPostgreSQL { database in
            try await withBroker { broker in
                try await body(
                    House(
                        database: database, brokerURL: broker.url, journal: try TemporaryFolder(),
                        workplace: try Workplace()))
            }
        }
    }
}

extension ChildProcess {
    /// Waits until an instance says that it drives so many homes.
    fileprivate func share(_ homes: Int) async throws {
        while let line = try await line() {
            if line.hasSuffix("; driving \(homes) homes") { return }
        }
        throw TestSupportError("the instance never had \(homes) homes: \(lines)")
    }
}
