import Glibc
import MQTTClient

/// The clients, the broker, and what is done to it.
struct Soak {
    /// What can happen to a broker.
    private enum Fault: CaseIterable {
        /// SIGKILL, and another one after a while.
        case kill
        /// SIGTERM, and another one at once.
        case restart
        /// SIGSTOP: sockets stay open, nothing answers.
        case pause
    }

    private static let clients = 40
    /// Long enough after a fault that every client is back: the longest delay is the cap of
    /// ``Worker``'s policy above its floor.
    private static let recoveryTime = Duration.seconds(20)

    /// How often, every 10 ms, the gate is checked; in all longer than a short-lived client runs.
    private static let gateChecks = 3_000

    private let port: UInt16
    private let broker: Broker
    private let tally = Tally()
    private let gate = PauseGate()
    private let random: SeededRandom

    init(seed: UInt64) throws {
        broker = try Broker()
        port = broker.port
        random = SeededRandom(seed: seed)
    }

    /// Returns when the time is over.
    func run(for duration: Duration) throws -> Verdict {
        let clock = ContinuousClock()
        let end = clock.now + duration
        try broker.start()
        try startClients()
        var samples: [Sample] = []
        var round = 0
        while clock.now < end {
            pass(Self.recoveryTime)
            round += 1
            closeGate()
            let sample = try Sample(round: round, tally: tally)
            gate.open()
            say("soak: \(sample)")
            samples.append(sample)
            if clock.now < end { try causeFault() }
        }
        broker.stop()
        return Verdict(samples: samples, clients: Self.clients)
    }

    /// A client that does not end shows in the verdict.
    private func closeGate() {
        for _ in 0..<Self.gateChecks {
            if gate.close() { return }
            pass(.milliseconds(10))
        }
    }

    private func startClients() throws {
        let loops = try (0..<2).map { try MQTTEventLoop(label: "soak-\($0)") }
        for number in 0..<Self.clients {
            let worker = try Worker(
                number: number, of: Self.clients, port: port, loop: loops[number % 2], tally: tally)
            // The process ends before its clients do; what they throw is counted.
            Task.detached { await worker.keepConnected() }
            Task.detached { await worker.publish() }
            Task.detached { await worker.consume() }
        }
        let clients = ShortLivedClients(port: port, loop: loops[0], tally: tally, gate: gate)
        Task.detached { await clients.run() }
    }

    private func causeFault() throws {
        switch Fault.allCases[random.next(in: 0..<Fault.allCases.count)] {
        case .kill:
            let away = Duration.milliseconds(random.next(in: 500..<5_000))
            say("soak: broker killed for \(away)")
            broker.signal(SIGKILL)
            pass(away)
            try broker.start()
        case .restart:
            say("soak: broker restarted")
            broker.signal(SIGTERM)
            try broker.start()
        case .pause:
            let away = Duration.milliseconds(random.next(in: 500..<20_000))
            say("soak: broker paused for \(away)")
            broker.signal(SIGSTOP)
            pass(away)
            broker.signal(SIGCONT)
        }
    }

    private func pass(_ time: Duration) {
        usleep(UInt32(time / .microseconds(1)))
    }
}
