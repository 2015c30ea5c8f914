import DeviceDomain
import DeviceMessages
import Testing

/// The examples of PROTOCOL section 2, their ellipses filled in.
@Suite struct ProtocolExampleTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func expectCanonical<Message: PayloadMessage>(
        _ text: String, as _: Message.Type
    ) throws -> Message {
        let message = try Message(payload: bytes(text))
        #expect(String(decoding: message.payload, as: UTF8.self) == text)
        return message
    }

    @Test func command() throws {
        let text = """
            {"v":1,"id":"018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11","controller":"ctl-home","name":"start-cleaning",
             "arguments":{"rooms":[3,5]},"issuedAt":1764000000000,"expiresAt":1764000030000,
             "sequence":41,"ifRevision":118,"boot":"b7","cause":"undo:018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e10","dryRun":false}
            """
        let command = try CommandMessage(payload: bytes(text))
        #expect(command.cause == "undo:018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e10")
        #expect(!command.dryRun)
        let canonical = text.replacing("\n ", with: "").replacing(",\"dryRun\":false", with: "")
        #expect(String(decoding: command.payload, as: UTF8.self) == canonical)
    }

    @Test func ack() throws {
        let ack = try expectCanonical(
            """
            {"v":1,"id":"018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11","device":"robot-1","boot":"b7","n":2,\
            "stage":"progress","final":false,"code":"OK","message":"","percent":40,"result":{},\
            "revision":119,"executions":1,"replay":false,"at":1764000004120}
            """, as: AckMessage.self)
        #expect(ack.stage == .progress)
        #expect(ack.percent == 40)
        #expect(!ack.isFinal)
    }

    @Test func state() throws {
        let state = try expectCanonical(
            """
            {"v":1,"device":"robot-1","boot":"b7","revision":119,"at":1764000004120,\
            "by":"018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11","state":{"activity":"cleaning",\
            "batteryPercent":81,"error":null,"fanSpeed":"max","isCharging":false}}
            """, as: StateMessage.self)
        #expect(state.state["error"] == .some(.null))
        #expect(state.by != nil)
    }

    @Test func aStateOfALocalCauseSaysNull() throws {
        let state = try expectCanonical(
            """
            {"v":1,"device":"robot-1","boot":"b7","revision":0,"at":0,"by":null,"state":{}}
            """, as: StateMessage.self)
        #expect(state.by == nil)
    }

    @Test func telemetry() throws {
        let telemetry = try expectCanonical(
            """
            {"v":1,"device":"store-1","boot":"b2","at":1764000005000,"n":5521,\
            "values":{"batteryPowerW":-1250,"stateOfChargePercent":54.2}}
            """, as: TelemetryMessage.self)
        #expect(telemetry.values["batteryPowerW"] == -1250)
    }

    @Test func presence() throws {
        let presence = try expectCanonical(
            """
            {"v":1,"device":"robot-1","status":"online","boot":"b7","at":1764000000000}
            """, as: PresenceMessage.self)
        #expect(presence.report.status == .online)
        #expect(presence.report.claim == nil)
    }

    @Test func presenceOfAClaimedDevice() throws {
        let presence = try expectCanonical(
            """
            {"v":1,"device":"robot-1","status":"online","boot":"b7","at":1764000000000,"claim":"n-1"}
            """, as: PresenceMessage.self)
        #expect(presence.report.claim?.rawValue == "n-1")
        #expect(Presence(presence.report).claim == presence.report.claim)
    }

    @Test func event() throws {
        let event = try expectCanonical(
            """
            {"v":1,"device":"robot-1","boot":"b7","id":"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11",\
            "at":1764000009000,"event":"stuck","detail":{"code":"WHEEL_BLOCKED"}}
            """, as: EventMessage.self)
        #expect(event.event.text == "stuck")
    }

    @Test func desired() throws {
        let desired = try expectCanonical(
            """
            {"v":1,"device":"pool-1","revision":7,"at":1764000000000,\
            "settings":{"schedule":[{"at":"09:30","program":"floor","weekday":1}]}}
            """, as: DesiredMessage.self)
        let schedule = try #require(desired.settings["schedule"])
        #expect(try WeeklySchedule(json: schedule).entries.count == 1)
    }

    @Test func hello() throws {
        let hello = try expectCanonical(
            "{\"v\":1,\"nonce\":\"n-1\",\"spreadMs\":2000}", as: HelloMessage.self)
        #expect(hello.spread == .seconds(2))
    }

    @Test func fence() throws {
        #expect(
            try expectCanonical("{\"v\":1,\"nonce\":\"n-1\"}", as: FenceMessage.self).nonce == "n-1"
        )
    }

    @Test func description() throws {
        let description = try DescriptionMessage(
            payload: bytes(
                """
                {"v":1,"device":"robot-1","model":"sweeper-s1","kind":"sweeping-robot",\
                "name":"Robot 1","firmware":"1.4.2","capabilities":["connectable",\
                "battery-powered","controllable","movable"],"commands":[{"name":\
                "set-suction-level","arguments":{"type":"object","required":["level"],\
                "additionalProperties":false,"properties":{"level":{"enum":["quiet","balanced",\
                "turbo","max"]}}},"lane":"normal","sort":"setting","offline":"latest",\
                "undo":"restore"}]}
                """))
        let level = ArgumentSchema(allowed: ["quiet", "balanced", "turbo", "max"])
        #expect(
            description.commands == [
                CommandSpecification(
                    name: .setSuctionLevel, arguments: .members(["level": level]),
                    sort: .setting, offline: .latest, undo: .restore)
            ])
        #expect(description.capabilities.count == 4)
        #expect(description.kind == .sweepingRobot)
    }
}
