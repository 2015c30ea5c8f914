import DeviceDomain
import DeviceMessages
import DeviceTopics
import TestSupport
import Testing

/// What a controller makes of the faults that `homeport-sim inject` lets happen.
@Suite(.timeLimit(.minutes(2))) struct InjectTests {
    @Test func aStuckRobotFailsItsCleaningAndCleansAgainAfterTheEnd() async throws {
        try await FaultHouse.with { house in
            try await house.send(
                "sweeper-1", "start-cleaning", "--wait", "final", status: 1,
                saying: #""code":"STUCK""#
            ) { house in
                try await house.listener.hearState(of: "sweeper-1", "activity", "cleaning")
                try await house.inject("sweeper-1", "stuck")
            }
            let devices = try await house.homeport("devices", "--json", status: 0)
            #expect(devices.output.contains(#""error":"WHEEL_BLOCKED""#))
            let refused = try await house.homeport(
                "send", "sweeper-1", "start-cleaning", "--json", status: 1)
            #expect(refused.output.contains(#""code":"WRONG_STATE""#))
            try await house.inject("sweeper-1", "clear", "--set", "fault=stuck")
            try await house.homeport("send", "sweeper-1", "start-cleaning", status: 0)
        }
    }

    @Test func aMuteDeviceLeavesACommandUnknownUntilItAnswers() async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", "mute")
            let sent = try await house.homeport(
                "send", "sweeper-1", "locate", "--expires", "500ms", "--json", status: 3)
            #expect(sent.output.contains(#""state":"unknown""#))
            try await house.inject("sweeper-1", "clear")
            try await house.homeport("resolve", status: 0)
            let history = try await house.homeport("history", "--json", status: 0)
            #expect(history.output.contains(#""state":"succeeded""#), "\(history)")
        }
    }

    @Test func anOfflineDeviceGetsItsCommandOnceItIsBack() async throws {
        try await FaultHouse.with { house in
            let boot = try await house.listener.hearPresence(of: "sweeper-1", .online).report.boot
            try await house.inject("sweeper-1", "offline")
            let lost = try await house.listener.hearPresence(of: "sweeper-1", .offline)
            #expect(lost.report.boot == boot, "the will")
            let devices = try await house.homeport("devices", "--json", status: 0)
            #expect(devices.lines.filter { $0.contains(#""presence":"offline""#) }.count == 1)
            try await house.homeport(
                "send", "sweeper-1", "set-suction-level", "level=max", "--expires", "60s",
                "--wait-timeout", "100ms", status: 3)
            let queue = try await house.homeport("queue", "--json", status: 0)
            #expect(queue.output.contains(#""state":"queued""#), "\(queue)")
            try await house.inject("sweeper-1", "clear")
            let back = try await house.listener.hearPresence(of: "sweeper-1", .online)
            #expect(back.report.boot == boot)
            try await house.homeport("resolve", status: 0)
            let history = try await house.homeport("history", "--json", status: 0)
            #expect(history.output.contains(#""state":"succeeded""#), "\(history)")
        }
    }

    @Test func aRebootInterruptsWhatRuns() async throws {
        try await FaultHouse.with { house in
            let boot = try await house.listener.hearPresence(of: "sweeper-2", .online).report.boot
            try await house.send(
                "sweeper-2", "start-cleaning", "--wait", "final", status: 1,
                saying: #""code":"INTERRUPTED""#
            ) { house in
                try await house.listener.hearState(of: "sweeper-2", "activity", "cleaning")
                try await house.inject("sweeper-2", "reboot")
            }
            let back = try await house.listener.hearPresence(of: "sweeper-2", .online)
            #expect(back.report.boot != boot)
        }
    }

    @Test func aFaultEndsByItself() async throws {
        try await FaultHouse.with { house in
            try await house.inject("store-1", "grid-outage", "--for", "1s")
            try await house.listener.hearState(of: "store-1", "gridConnected", false)
            try await house.listener.hearState(of: "store-1", "gridConnected", true)
            let status = try await house.sim("status", "--json")
            #expect(!status.output.contains("grid-outage"))
        }
    }
}

extension Listener {
    /// Waits for a state of a device in which a member has this value.
    func hearState(of device: String, _ member: String, _ value: JSONValue) async throws {
        _ = try await hear { message -> Bool? in
            guard case .state(let state) = message.content, state.device.text == device else {
                return nil
            }
            return state.state[member] == value ? true : nil
        }
    }
}
