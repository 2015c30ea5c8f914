import Basics
import DeviceDomain
import DeviceMessages
import Fleet
import Testing

@testable import Scenarios

/// What people are told of an assertion about commands that does not hold.
@Suite struct FailureTextTests {
    private let hall = DeviceKey(home: .literal("home-1"), device: .literal("hall-1"))
    private let loft = DeviceKey(home: .literal("home-2"), device: .literal("loft-1"))

    /// Three commands: one of the loft has no final ack, of one in the hall the ack came again, one took 700 ms.
    private func figures() throws -> CommandFigures {
        var log = CommandLog()
        var generator = SeededGenerator(seed: 1)
        let ids = (0..<3).map { CommandID(at: Timestamp(milliseconds: $0), using: &generator) }
        log.note(ids[0], for: loft, meantAt: .seconds(60))
        log.note(ids[1], for: hall, meantAt: .seconds(70))
        log.note(ids[2], for: hall, meantAt: .seconds(80))
        let ack = try ack(of: ids[1])
        log.note(ack, at: .seconds(71), latency: .milliseconds(20))
        log.note(ack, at: .seconds(95), latency: .milliseconds(20))
        log.note(try self.ack(of: ids[2]), at: .seconds(81), latency: .milliseconds(700))
        return log.figures(
            of: [hall, loft], meantWithin: .zero ... .seconds(600), upTo: .seconds(600))
    }

    private func ack(of id: CommandID) throws -> AckMessage {
        AckMessage(
            id: id, device: hall.device, boot: try BootID("b1"), n: 1, stage: .succeeded,
            revision: 1,
            executions: 1, at: Timestamp(milliseconds: 1))
    }

    private func text(of metric: String, _ bound: String) throws -> String {
        let scenario = try Scenario(
            """
            duration: 10m
            devices: {hall: {kind: sweeping-robot, count: 1}}
            assertions: [{name: it, metric: \(metric), \(bound)}]
            """, path: "x.yaml")
        var measured = Measurement()
        measured.commands = try figures()
        // As another process would tell it.
        measured = Measurement(measured.members)
        return scenario.assertions[0].outcome(of: measured).text
    }

    /// As above, with the faults of a scenario, and told from an epoch.
    private func text(of metric: String, beside faults: String) throws -> String {
        let scenario = try Scenario(
            """
            duration: 10m
            homes: 2
            devices: {hall: {kind: sweeping-robot, count: 1}, loft: {kind: sweeping-robot, count: 1}}
            faults: [\(faults)]
            assertions: [{name: it, metric: \(metric), max: 0}]
            """, path: "x.yaml")
        let fleet = FleetPlan(homes: .numbered(2), groups: scenario.groups, seed: 1)
        let plan = ScenarioPlan(scenario, for: fleet, seed: 1, duration: .seconds(600))
        var measured = Measurement()
        measured.commands = try figures()
        measured = Measurement(measured.members)
        let epoch = try #require(Timestamp("2026-06-21T18:00:00Z"))
        return scenario.assertions[0].outcome(
            of: measured, in: FailureContext(plan, from: epoch)
        ).text
    }

    @Test func aFailureNamesTheFaultsThatTheDeviceHadThen() throws {
        #expect(
            try text(
                of: "duplicate-acks",
                beside: "{fault: duplicate-acks, on: hall, at: 1m}, {fault: slow, on: loft, at: 1m}"
            ).hasSuffix(
                "found 1, first at home-1/hall-1 at 18:01:35 (1m35s): duplicate-acks"))
        #expect(
            try text(
                of: "open-commands",
                beside:
                    "{fault: offline, on: all, at: 1m10s, for: 2m}, {fault: reboot, on: all, at: 40s}"
            ).hasSuffix(
                "found 1, first at home-2/loft-1, sent at 18:01:00 (1m): offline, reboot at 40s"))
        #expect(
            try text(of: "command-p99", beside: "{fault: slow, on: all, at: 1s, for: 10s}")
                .hasSuffix("the slowest at home-1/hall-1, sent at 18:01:20 (1m20s)"),
            "it was over more than a minute before")
        #expect(try text(of: "open-commands", beside: "").hasSuffix("sent at 18:01:00 (1m)"))
    }

    @Test func aFailureSaysOnHowManyDevicesItShows() throws {
        var measured = Measurement()
        measured.commands = try figures()
        var other = CommandLog()
        var generator = SeededGenerator(seed: 2)
        other.note(
            CommandID(at: Timestamp(milliseconds: 1), using: &generator), for: hall,
            meantAt: .seconds(483.364))
        measured.commands.add(
            other.figures(of: [hall], meantWithin: .zero ... .seconds(600), upTo: .seconds(600)))
        let scenario = try Scenario(
            """
            duration: 10m
            devices: {hall: {kind: sweeping-robot, count: 1}}
            assertions: [{name: it, metric: open-commands, max: 0}]
            """, path: "x.yaml")
        let text = scenario.assertions[0].outcome(of: Measurement(measured.members)).text
        #expect(text.hasSuffix("found 2, first at home-2/loft-1, sent at 1m; 2 devices"))
        #expect(Duration.milliseconds(480_364).writtenBriefly == "8m")
        #expect(Duration.milliseconds(59_364).writtenBriefly == "59s364ms")
    }

    @Test func aFailureNamesTheDeviceThatItIsAbout() throws {
        #expect(
            try text(of: "duplicate-acks", "max: 0").hasSuffix(
                "found 1, first at home-1/hall-1 at 1m35s"))
        #expect(
            try text(of: "open-commands", "max: 0").hasSuffix(
                "found 1, first at home-2/loft-1, sent at 1m"))
        #expect(
            try text(of: "executions-per-command", "max: 0").hasSuffix(
                "found 1, at home-1/hall-1, sent at 1m10s"))
        #expect(
            try text(of: "command-p99", "max: 100").hasSuffix(
                "the slowest at home-1/hall-1, sent at 1m20s"))
    }
}
