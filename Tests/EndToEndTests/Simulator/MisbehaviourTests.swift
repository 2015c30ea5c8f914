import TestSupport
import Testing

/// What a controller makes of devices that misbehave: what it says is true, or it says that it does not know.
@Suite(.timeLimit(.minutes(2))) struct MisbehaviourTests {
    @Test func acksThatComeTwiceAndInAnotherOrderEndACommandOnce() async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", "duplicate-acks")
            try await house.inject("sweeper-1", "reorder", "--set", "percent=100")
            try await house.inject("sweeper-2", "replay", "--set", "percent=100")
            for device in ["sweeper-1", "sweeper-2"] {
                let sent = try await house.homeport(
                    "send", device, "set-suction-level", "level=max", "--json", status: 0)
                #expect(sent.output.contains(#""state":"succeeded""#), "\(sent)")
            }
            let history = try await house.homeport("history", "--json", status: 0)
            #expect(history.lines.count == 2, "\(history)")
            // States come out of order too: what the broker keeps is true again at the end.
            try await house.inject("sweeper-1", "clear", "--set", "fault=reorder")
            try await house.inject("sweeper-2", "clear")
            let devices = try await house.homeport("devices", "--json", status: 0)
            let levels = devices.lines.filter { $0.contains(#""fanSpeed":"max""#) }
            #expect(levels.count == 2, "\(devices)")
            for device in ["sweeper-1", "sweeper-2"] {
                // What it undoes is what it did once.
                try await house.homeport("undo", device, status: 0)
                try await house.homeport("undo", device, status: 1)
            }
            try await house.homeport("audit", "verify", status: 0)
        }
    }

    @Test func lostAcksLeaveACommandUnknownUntilTheDeviceIsAsked() async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", "drop-acks", "--set", "percent=100")
            let sent = try await house.homeport(
                "send", "sweeper-1", "locate", "--expires", "500ms", "--json", status: 3)
            #expect(sent.output.contains(#""state":"unknown""#))
            try await house.inject("sweeper-1", "clear")
            try await house.homeport("resolve", status: 0)
            let history = try await house.homeport("history", "--json", status: 0)
            #expect(history.output.contains(#""state":"succeeded""#), "\(history)")
        }
    }

    @Test(arguments: ["truncate", "wrong-payload"])
    func whatCannotBeReadIsAProblemOfItsDevice(fault: String) async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", fault, "--set", "percent=100")
            let devices = try await house.homeport("devices", "--json", status: 0)
            let wrong = devices.lines.filter { $0.contains(#""problem":"#) }
            #expect(wrong.count == 1 && wrong[0].contains("sweeper-1"), "\(devices)")
            // No state is made up of what cannot be read.
            #expect(wrong.first?.contains(#""activity":"#) == false, "\(devices)")
            try await house.inject("sweeper-1", "clear")
            let sound = try await house.homeport("devices", "--json", status: 0)
            #expect(!sound.output.contains(#""problem":"#), "\(sound)")
            try await house.homeport("send", "sweeper-1", "locate", status: 0)
        }
    }

    /// The effect is there, but nobody can say so before the device is asked.
    @Test func acksThatCannotBeReadLeaveACommandUnknown() async throws {
        try await FaultHouse.with { house in
            // From here on its description is remembered.
            try await house.homeport("send", "sweeper-1", "identify", status: 0)
            try await house.inject("sweeper-1", "truncate", "--set", "percent=100")
            let sent = try await house.homeport(
                "send", "sweeper-1", "locate", "--expires", "1s", "--json", status: 3)
            #expect(sent.output.contains(#""state":"unknown""#), "\(sent)")
            try await house.inject("sweeper-1", "clear")
            try await house.homeport("resolve", status: 0)
            let history = try await house.homeport("history", "--json", status: 0)
            let ended = history.lines.filter { $0.contains(#""state":"succeeded""#) }
            #expect(ended.count == 2, "\(history)")
        }
    }

    @Test(arguments: ["600000", "-600000"])
    func aWrongClockNeitherExpiresACommandNorPassesUnnoticed(offset: String) async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", "clock-offset", "--set", "offsetMs=\(offset)")
            for command in ["locate", "identify"] {
                let sent = try await house.homeport(
                    "send", "sweeper-1", command, "--expires", "5s", "--json", status: 0)
                #expect(sent.output.contains(#""state":"succeeded""#), "\(sent)")
            }
            let devices = try await house.homeport("devices", "--json", status: 0)
            #expect(!devices.output.contains(#""presence":"unknown""#), "\(devices)")
        }
    }

    @Test func aFrozenStateShowsNoEffectUntilItThaws() async throws {
        try await FaultHouse.with { house in
            try await house.inject("sweeper-1", "frozen-state")
            let sent = try await house.homeport(
                "send", "sweeper-1", "set-suction-level", "level=max", "--wait", "observed",
                "--wait-timeout", "1s", "--json", status: 3)
            #expect(sent.output.contains(#""state":"succeeded""#), "the device says so: \(sent)")
            let before = try await house.homeport("devices", "--json", status: 0)
            #expect(!before.output.contains(#""fanSpeed":"max""#), "\(before)")
            try await house.inject("sweeper-1", "clear")
            let after = try await house.homeport("devices", "--json", status: 0)
            #expect(after.output.contains(#""fanSpeed":"max""#), "\(after)")
        }
    }

    @Test func anUnknownErrorIsShownAsItIs() async throws {
        try await FaultHouse.with { house in
            try await house.inject("all", "unknown-error")
            let devices = try await house.homeport("devices", "--json", status: 0)
            #expect(devices.output.contains(#""error":"ERROR_4711""#), "\(devices)")
            #expect(devices.output.contains("error-4711"), "\(devices)")
            try await house.homeport("devices", status: 0)
        }
    }
}
