import TestSupport
import Testing

/// The built `homeport` and a device with wall clocks that differ, or are set while they work.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: WrongClock.isPossible, "run scripts/setup check first"))
struct WrongClockTests {
    @Test(arguments: FleetBench.versions)
    func whoIsAheadIsUnderstoodAndWhoIsBehindIsToldThatTheCommandHasExpired(version: String)
        async throws
    {
        try await FleetBench.with(version) { bench in
            let ahead = try WrongClock(secondsAhead: 600)
            try await send("locate", from: bench, by: ahead, ends: "succeeded")
            let behind = try WrongClock(secondsAhead: -600)
            let late = try await send("identify", from: bench, by: behind, ends: "expired")
            #expect(late.output.contains("after its expiry"), "\(late)")
        }
    }

    /// Its time does not pass because the clock is set forward, and does not last because it is set back.
    @Test(arguments: FleetBench.versions)
    func aStepDuringAWaitChangesNothing(version: String) async throws {
        try await FleetBench.with(version) { bench in
            try await Listener.with(
                bench.broker.url, hearing: ["homeport/v1/+/+/command"]
            ) { listener in
                for (command, step) in [("locate", 600), ("identify", -600)] {
                    bench.freezeDevice()
                    let clock = try WrongClock(secondsAhead: 0)
                    let status = try await bench.workplace.running(
                        ["send", "sweeper-1", command] + bench.connection,
                        environment: clock.environment
                    ) { program in
                        try await listener.hearCommand()
                        try clock.set(secondsAhead: step)
                        bench.thawDevice()
                        try await program.readToEnd()
                    }
                    #expect(status == 0, "\(step)")
                    try await expect(command, of: bench, toEndAs: "succeeded")
                }
            }
        }
    }

    /// The clock of a device that works is set forward, then back. What it does goes on. While its clock is
    /// ahead, what it is told comes too late, questions about its work too; afterwards not.
    @Test(arguments: FleetBench.versions)
    func aDeviceWhoseClockIsSetGoesOnWithItsWork(version: String) async throws {
        let clock = try WrongClock(secondsAhead: 0)
        try await FleetBench.with(version, deviceClock: clock) { bench in
            try await bench.expect(
                "send", "sweeper-1", "start-cleaning", "--wait", "accepted", status: 0)
            try clock.set(secondsAhead: 3_600)
            try await bench.expect("send", "sweeper-1", "locate", status: 4)
            let late = try await bench.command("locate")
            #expect(late.state == "expired")
            #expect(try bench.executions(of: late) == 0)
            try clock.set(secondsAhead: -3_600)
            try await bench.expect("send", "sweeper-1", "identify", status: 0)
            #expect(try bench.executions(of: try await bench.command("identify")) == 1)
            let doctor = try await bench.homeport("doctor")
            #expect(
                doctor.output.contains("clocks of sweeper-1 and of this machine differ"),
                "\(doctor)")
            try await bench.expect("send", "sweeper-1", "stop", status: 0)
            try await expect("start-cleaning", of: bench, toEndAs: "cancelled", executions: 1)
        }
    }

    @discardableResult
    private func send(
        _ name: String, from bench: FleetBench, by clock: WrongClock, ends state: String
    ) async throws -> Workplace.Run {
        let run = try await bench.workplace.homeport(
            ["send", "sweeper-1", name] + bench.connection,
            environment: clock.environment)
        try await expect(name, of: bench, toEndAs: state)
        return run
    }

    /// Compares what the ledger says with what the device did.
    private func expect(
        _ name: String, of bench: FleetBench, toEndAs state: String, executions: Int? = nil
    ) async throws {
        let command = try await bench.command(name)
        #expect(command.state == state, "MQTT \(bench.version)")
        #expect(
            try bench.executions(of: command) == executions ?? (state == "succeeded" ? 1 : 0))
    }
}
