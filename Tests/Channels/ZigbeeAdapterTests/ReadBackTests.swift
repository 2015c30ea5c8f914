import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import ZigbeeAdapter

@Suite struct ReadBackTests {
    private let lamp = device("0x00158d0001dc126a")
    private let name = FriendlyName("lamp")
    private var outstanding = OutstandingCommands(ReadBackTiming())

    private func command(_ name: String, of text: String = Exposes.colorLight) throws
        -> BridgeCommand
    {
        let value = try JSONReader.read(Array("[\(text)]".utf8))
        return try #require(
            DeviceCommands(DeviceExposes(value.array ?? []))[CommandName(rawValue: name)])
    }

    private mutating func send(
        _ command: BridgeCommand, _ arguments: JSONObject = [:],
        lasting lifetime: Duration = .seconds(30), isSleepy: Bool = false
    ) -> CommandID {
        let id = makeCommandID()
        outstanding.begin(
            command, id, arguments: arguments, device: lamp, name: name, lasting: lifetime,
            isSleepy: isSleepy)
        return id
    }

    private mutating func hear(_ members: JSONObject) -> [OutstandingCommands.Action] {
        outstanding.received(members, of: lamp)
    }

    private func success(of id: CommandID) -> [OutstandingCommands.Action] {
        [.tell(CommandEvidence(id: id, device: lamp, source: .readBack, stage: .succeeded))]
    }

    @Test mutating func theAnswerBehindTheEchoProvesTheEffect() throws {
        let id = send(try command("turn-on"))
        #expect(outstanding.wait(of: id) == .milliseconds(500))
        #expect(hear(["state": "ON"]).isEmpty)
        #expect(outstanding.waited(id) == [.ask(id, lamp, ["state": ""])])
        #expect(hear(["linkquality": 7]).isEmpty)
        #expect(hear(["state": "ON"]) == success(of: id))
        #expect(outstanding.wait(of: id) == nil)
    }

    @Test mutating func anEchoThatComesLateProvesNothing() throws {
        let id = send(try command("turn-on"))
        _ = outstanding.waited(id)
        // The bridge still worked on the set when it was asked: the device is asked once more.
        #expect(hear(["state": "ON"]) == [.ask(id, lamp, ["state": ""])])
        #expect(hear(["state": "ON"]) == success(of: id))
    }

    @Test mutating func aDeviceThatKeepsSayingSomethingElseHasFailed() throws {
        let id = send(try command("set-brightness"), ["brightness": 200])
        #expect(hear(["brightness": 200]).isEmpty)
        var waits: [Duration] = []
        var end: [OutstandingCommands.Action] = []
        while let wait = outstanding.wait(of: id) {
            waits.append(wait)
            end = outstanding.waited(id)
            _ = hear(["brightness": 90])
        }
        #expect(waits == [0.5, 1, 2, 1.5].map { .seconds($0) })
        guard case .tell(let evidence) = end.first else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.stage == .failed)
        #expect(evidence.isFinal)
        #expect(evidence.source == .readBack)
        #expect(evidence.code == .internal)
        #expect(evidence.message.contains("brightness 200"))
        #expect(evidence.message.contains("reports 90"))
    }

    @Test mutating func aDeviceThatMovesIsWaitedFor() throws {
        let id = send(try command("set-brightness"), ["brightness": 200])
        var total = Duration.zero
        for level in stride(from: 20, through: 180, by: 20) {
            total += try #require(outstanding.wait(of: id))
            #expect(outstanding.waited(id).count == 1)
            #expect(hear(["brightness": .integer(level)]).isEmpty)
        }
        #expect(total > .seconds(40))
        #expect(hear(["brightness": 199]) == [.ask(id, lamp, ["brightness": ""])])
        #expect(hear(["brightness": 200]) == success(of: id))
    }

    @Test mutating func aCoverHasAMinute() throws {
        let id = send(try command("set-position", of: Exposes.cover), ["position": 30])
        var total = Duration.zero
        var end: [OutstandingCommands.Action] = []
        while let wait = outstanding.wait(of: id) {
            total += wait
            end = outstanding.waited(id)
            _ = hear(["position": 100])
        }
        #expect(total == .seconds(60))
        guard case .tell(let evidence) = end.first else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.code == .stuck)
    }

    /// Waits until a time since the delivery has passed.
    private mutating func pass(_ limit: Duration, of id: CommandID) -> [OutstandingCommands.Action]
    {
        var total = Duration.zero
        var actions: [OutstandingCommands.Action] = []
        while total < limit, let wait = outstanding.wait(of: id) {
            total += wait
            actions += outstanding.waited(id)
        }
        return actions
    }

    @Test(arguments: [(Duration.seconds(30), Duration.seconds(60)), (.seconds(600), .seconds(600))])
    mutating func aDeviceThatDoesNotAnswerProvesNothing(
        lifetime: Duration, watched: Duration
    ) throws {
        let id = send(try command("turn-on"), lasting: lifetime)
        #expect(hear(["state": "ON"]).isEmpty)
        var total = Duration.zero
        var actions: [OutstandingCommands.Action] = []
        while let wait = outstanding.wait(of: id) {
            total += wait
            actions += outstanding.waited(id)
        }
        #expect(total == watched)
        #expect(Set(actions) == [.ask(id, lamp, ["state": ""])])
        #expect(actions.count < 20)
    }

    @Test(arguments: [7, 12, 50])
    mutating func aDeviceThatWakesLateIsBelieved(seconds: Int) throws {
        let id = send(try command("turn-on"), isSleepy: true)
        _ = pass(.seconds(seconds), of: id)
        // It takes the command, and answers what the bridge has asked in the meantime.
        #expect(hear(["state": "ON"]) == [.ask(id, lamp, ["state": ""])])
        #expect(hear(["state": "ON"]) == success(of: id))
    }

    @Test mutating func whatWasStoredOfASleepingDeviceIsNoFailure() throws {
        let id = send(try command("set-brightness"), ["brightness": 200], isSleepy: true)
        for seconds in [1, 5, 20] {
            _ = pass(.seconds(seconds), of: id)
            #expect(hear(["brightness": 90]).isEmpty)
        }
        _ = hear(["brightness": 200])
        #expect(hear(["brightness": 200]) == success(of: id))
    }

    @Test mutating func aSleepingDeviceThatSaysSomethingElseUntilTheEndHasFailed() throws {
        let id = send(try command("set-brightness"), ["brightness": 200], isSleepy: true)
        _ = pass(.seconds(1), of: id)
        #expect(hear(["brightness": 90]).isEmpty)
        #expect(hear(["brightness": 90]).isEmpty)
        let actions = pass(.seconds(100), of: id)
        guard case .tell(let evidence) = actions.last else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.stage == .failed)
    }

    // MARK: Devices that cannot be queried

    private mutating func sendSetpoint() throws -> CommandID {
        let set = try command("set-current-heating-setpoint", of: Exposes.wallThermostat)
        return send(set, ["value": 21])
    }

    @Test mutating func whatTheBridgePublishesIsItsWord() throws {
        let id = try sendSetpoint()
        #expect(hear(["current_heating_setpoint": 21]).isEmpty)
        let actions = pass(.seconds(5), of: id)
        guard case .tell(let evidence) = actions.last else {
            Issue.record("nothing was told")
            return
        }
        #expect(actions.count == 1)
        #expect(evidence.stage == .succeeded)
        #expect(evidence.source == .bridge)
        #expect(!evidence.provesEffect)
        #expect(evidence.message.contains("zigbee2mqtt reports current_heating_setpoint 21"))
    }

    @Test mutating func aReportThatComesLateCounts() throws {
        let id = try sendSetpoint()
        #expect(pass(.seconds(20), of: id).isEmpty)
        #expect(hear(["current_heating_setpoint": 21]).count == 1)
        #expect(outstanding.count == 0)
    }

    @Test mutating func aContradictionBehindTheEchoIsAFailure() throws {
        let id = try sendSetpoint()
        for value in [21, 19, 19] as [JSONValue] {
            #expect(hear(["current_heating_setpoint": value]).isEmpty)
        }
        guard case .tell(let evidence) = pass(.seconds(5), of: id).last else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.stage == .failed)
        #expect(evidence.source == .bridge)
        #expect(evidence.message.contains("reports 19"))
    }

    @Test mutating func silenceOfTheBridgeProvesNothing() throws {
        let id = try sendSetpoint()
        #expect(pass(.seconds(100), of: id).isEmpty)
        #expect(outstanding.count == 0)
    }

    @Test mutating func aLaterCommandToThePropertyHidesTheEarlierOne() throws {
        let first = send(try command("turn-on"))
        let second = send(try command("turn-off"))
        #expect(outstanding.waited(second).count == 1)
        _ = hear(["state": "OFF"])
        #expect(hear(["state": "OFF"]) == success(of: second))
        #expect(outstanding.waited(first).isEmpty)
        #expect(outstanding.count == 0)
    }

    @Test mutating func anotherCommandLeavesAFailureOpen() throws {
        let first = send(try command("turn-on"))
        _ = send(try command("set-brightness"), ["brightness": 20])
        var actions: [OutstandingCommands.Action] = []
        while outstanding.wait(of: first) != nil {
            actions = outstanding.waited(first)
            _ = hear(["state": "OFF"])
        }
        #expect(actions.isEmpty)
    }

    @Test mutating func ofAnotherDeviceNothingIsLearned() throws {
        let id = send(try command("turn-on"))
        _ = outstanding.waited(id)
        #expect(outstanding.received(["state": "ON"], of: device("0x1")).isEmpty)
    }

    // MARK: The bridge's log

    private func logError(_ message: String, level: String = "error") -> BridgeLogError? {
        BridgeLogError(
            JSONWriter.write(["level": .string(level), "message": .string(message)]))
    }

    @Test(
        arguments: [
            ("z2m: Publish 'set' 'state' to 'lamp' failed: 'Error: no route'", AckCode.notReady),
            ("Publish 'set' 'state' to 'lamp' failed: 'x'", .notReady),
            ("z2m: No converter available for 'state' on 'lamp': (\"ON\")", .badArguments),
            ("z2m: Publish 'get' 'state' to 'lamp' failed: 'x'", nil),
            ("z2m: Publish 'set' 'brightness' to 'lamp' failed: 'x'", nil),
            ("z2m: Publish 'set' 'state' to 'lamp2' failed: 'x'", nil),
            ("z2m: something else", nil),
        ] as [(String, AckCode?)])
    mutating func anErrorOfTheBridgeIsTheCommandsIfItNamesIt(
        message: String, code: AckCode?
    ) throws {
        let id = send(try command("turn-on"))
        let actions = outstanding.received(try #require(logError(message)))
        guard let code else {
            #expect(actions == [])
            return
        }
        guard case .tell(let evidence) = actions?.first else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.id == id)
        #expect(evidence.stage == .failed)
        #expect(evidence.source == .bridge)
        #expect(evidence.code == code)
        #expect(message.hasSuffix(evidence.message))
        #expect(outstanding.count == 0)
    }

    @Test mutating func anErrorThatFitsTwoCommandsIsNobodys() throws {
        _ = send(try command("turn-on"))
        _ = send(try command("turn-off"))
        let text = "z2m: Publish 'set' 'state' to 'lamp' failed: 'x'"
        #expect(outstanding.received(try #require(logError(text))) == nil)
        #expect(outstanding.count == 2)
    }

    @Test mutating func theLogNamesNoEndpoint() throws {
        let id = send(try command("turn-on-l1", of: Exposes.twoSwitches))
        let text = "z2m: Publish 'set' 'state' to 'lamp' failed: 'x'"
        guard case .tell(let evidence) = outstanding.received(try #require(logError(text)))?.first
        else {
            Issue.record("nothing was told")
            return
        }
        #expect(evidence.id == id)
    }

    @Test func warningsAreNoErrors() {
        #expect(logError("Publish 'set' 'state' to 'lamp' failed: 'x'", level: "warning") == nil)
    }

    @Test mutating func whatCannotBeReadBackIsForgottenSilently() throws {
        let id = send(try command("set-effect"), ["value": "blink"])
        #expect(outstanding.wait(of: id) == .seconds(15))
        #expect(outstanding.waited(id).isEmpty)
        #expect(outstanding.count == 0)
    }
}
