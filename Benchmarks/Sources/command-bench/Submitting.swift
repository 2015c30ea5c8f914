import Glibc
import Homeport

/// Commands that are submitted as fast as they go.
struct Submitting {
    private let port: Int
    private let count: Int
    private let ledger: String

    /// From `PORT COUNT …` and `LEDGER`.
    init(_ numbers: [Int], _ ledger: String) {
        port = numbers[0]
        count = numbers[1]
        self.ledger = ledger
    }

    /// Accepts groups of one command for every device into the ledger.
    func accept() async throws {
        try await withDevices { home, _ in
            let watch = Watch()
            var accepted = 0
            while accepted < count { accepted += try await locateAll(in: home) }
            report("rate", Double(accepted) / watch.seconds)
        }
    }

    /// Sends commands and waits for the final acknowledgement of each.
    func finish(concurrent: Int) async throws {
        try await withDevices { home, devices in
            let watch = Watch()
            let times = await withTaskGroup(of: [Double].self) { group in
                for first in 0..<concurrent {
                    group.addTask {
                        await send(stride(from: first, to: count, by: concurrent), devices, home)
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }.sorted()
            }
            report("rate", Double(count) / watch.seconds)
            report("succeeded", Double(times.count))
            guard !times.isEmpty else { return }
            report("p50", times[times.count / 2] * 1e6)
            report("p99", times[times.count * 99 / 100] * 1e6)
        }
    }

    /// Lets commands wait for devices that are away.
    func queue() async throws {
        try await withDevices { home, _ in
            var accepted = 0
            while accepted < count { accepted += try await cleanAll(in: home) }
            say("queued")
            while readLine() != nil {}
        }
    }

    /// Leaves the commands to mute devices open, as a process that was killed.
    func abandon() async throws {
        try await withDevices { home, _ in
            var accepted = 0
            while accepted < count { accepted += try await cleanAll(in: home) }
            report("accepted", Double(accepted))
            kill(getpid(), SIGKILL)
        }
    }

    // MARK: Parts

    private func withDevices(
        _ body: (Home, [DeviceID]) async throws -> Void
    ) async throws {
        try await withHome(.bench(port: port, ledger: ledger)) { home in
            let survey = try await home.survey(.everyDeviceWithoutTelemetry)
            // The invoker listens to a device from its first command on.
            try await home.rememberDevices()
            say("ready")
            try await body(home, survey.devices.map(\.id))
        }
    }

    private func locateAll(in home: Home) async throws -> Int {
        try await home.send(Self.locate, to: DeviceFilter()).receipts.count
    }

    private func cleanAll(in home: Home) async throws -> Int {
        let options = CommandOptions(lifetime: .seconds(3_600))
        return try await home.send(Self.startCleaning, to: DeviceFilter(), options: options)
            .receipts.count
    }

    /// - Returns: the seconds that each command took which succeeded.
    private func send(
        _ numbers: StrideTo<Int>, _ devices: [DeviceID], _ home: Home
    ) async -> [Double] {
        var times: [Double] = []
        for number in numbers {
            let watch = Watch()
            do {
                let receipt = try await home.send(
                    Self.locate, to: devices[number % devices.count])
                let end = try await receipt.finished()
                if end.record.state == .succeeded { times.append(watch.seconds) }
            } catch {
                say("command-bench: \(error)")
            }
        }
        return times
    }

    private static let locate = CommandName(rawValue: "locate")
    private static let startCleaning = CommandName(rawValue: "start-cleaning")
}

/// The time since it was made.
struct Watch {
    private let clock = ContinuousClock()
    private let begun = ContinuousClock.now

    /// Seconds so far.
    var seconds: Double { (clock.now - begun).inSeconds }
}
