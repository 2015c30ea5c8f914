import Connectivity
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@testable import ZigbeeAdapter

@Suite(.serialized, .timeLimit(.minutes(1))) struct SendingTests {
    private let plug = device(SampleDevice.plug.address)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Why a command is not sent.
    private func refusal(
        _ talk: Talk, _ prepared: PreparedCommand
    ) async -> CommunicationError? {
        do throws(CommunicationError) {
            _ = try await talk.service.sendMessage(prepared, attempt: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test func theDevicesAnswerProvesTheEffect() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel)
            let id = try await talk.send(try intent("set-brightness", ["brightness": 120]))
            let evidence = await talk.evidence()
            #expect(evidence?.id == id)
            #expect(evidence?.provesEffect == true)
            #expect(evidence?.isFinal == true)
            let requests = await bridge.requests
            #expect(requests.first?.topic == "kitchen/lamp/set")
            #expect(requests.first?.payload == #"{"brightness":120}"#)
            #expect(requests.dropFirst().allSatisfy { $0.topic == "kitchen/lamp/get" })
            #expect(requests.count >= 2)
        }
    }

    @Test func anOptimisticStateIsNotTakenForTheEffect() async throws {
        try await withBridge([(.lamp, .ignores)]) { channel, bridge in
            try await bridge.change("kitchen/lamp", ["brightness": 7])
            let talk = try await Talk(channel)
            let id = try await talk.send(try intent("set-brightness", ["brightness": 120]))
            let evidence = await talk.evidence()
            #expect(evidence?.id == id)
            #expect(evidence?.source == .readBack)
            #expect(evidence?.stage == .failed)
            #expect(evidence?.message.contains("reports 7") == true)
        }
    }

    @Test func anErrorOfTheBridgeIsAFailure() async throws {
        try await withBridge([(.lamp, .fails("Error: no network route"))]) { channel, _ in
            let talk = try await Talk(channel)
            let id = try await talk.send(try intent("turn-on"))
            let evidence = await talk.evidence()
            #expect(evidence?.id == id)
            #expect(evidence?.source == .bridge)
            #expect(evidence?.stage == .failed)
            #expect(evidence?.code == .notReady)
            #expect(evidence?.message.contains("no network route") == true)
        }
    }

    @Test(
        arguments: [
            ("set-effect", ["value": "blink"], ScriptedBridge.Behaviour.obeys),
            ("toggle", [:], .obeys), ("turn-on", [:], .mute),
        ] as [(String, JSONObject, ScriptedBridge.Behaviour)])
    func whatTheDeviceDoesNotSayIsNotClaimed(
        name: String, arguments: JSONObject, behaviour: ScriptedBridge.Behaviour
    ) async throws {
        let devices = [(SampleDevice.lamp, behaviour), (SampleDevice.plug, .obeys)]
        try await withBridge(devices, errorWindow: .milliseconds(50)) { channel, _ in
            let talk = try await Talk(channel)
            let other = try await Talk(channel, plug)
            let id = try await talk.send(
                try intent(name, arguments, lifetime: .milliseconds(500)))
            #expect(await talk.hears { if case .state = $0 { true } else { false } })
            // Other commands get their results until this one is given up.
            while await channel.outstanding.wait(of: id) != nil {
                try await other.send(try intent("turn-on", for: plug))
                #expect(await other.evidence()?.provesEffect == true)
            }
            await talk.service.disconnect()
            #expect(await talk.evidence() == nil)
        }
    }

    @Test(
        arguments: [
            ("set-current-heating-setpoint", ["value": 21], true),
            ("set-child-lock", ["value": "LOCK"], true), ("set-effect", ["value": "blink"], false),
        ] as [(String, JSONObject, Bool)])
    func whatCannotBeQueriedIsSentAndTheBridgesWordComesLater(
        name: String, arguments: JSONObject, isPublished: Bool
    ) async throws {
        var thermostat = SampleDevice.lamp
        thermostat.exposes = Exposes.wallThermostat + "," + Exposes.effect
        try await withBridge([(thermostat, .obeys)]) { channel, bridge in
            let talk = try await Talk(channel)
            let prepared = try talk.service.prepare(try intent(name, arguments), sequence: 1)
            let receipt = try await talk.service.sendMessage(prepared, attempt: 1)
            #expect(receipt == .confirmedWithoutEvidence)
            guard isPublished else { return }
            let evidence = await talk.evidence()
            #expect(evidence?.id == prepared.id)
            #expect(evidence?.source == .bridge)
            #expect(evidence?.stage == .succeeded)
            #expect(await bridge.requests.map(\.topic) == ["kitchen/lamp/set"])
        }
    }

    @Test func whileTheBridgeIsOfflineNothingLeaves() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel)
            let prepared = try talk.service.prepare(try intent("turn-on"), sequence: 1)
            try await bridge.announce("offline")
            #expect(await talk.hears { $0 == .cleared(.presence) })
            let state = try await Talk(channel, device("attic"))
            #expect(await state.hears { $0 == .presence(Presence(.offline)) })
            let error = await refusal(talk, prepared)
            #expect(error?.code == .unreachable)
            #expect(error?.certainty == .neverLeft)
            #expect(error?.isRetriable == true)
            #expect(await bridge.requests.isEmpty)
            try await bridge.announce("online")
            #expect(await state.hears { $0 == .presence(Presence(.online)) })
            #expect(await refusal(talk, prepared) == nil)
        }
    }

    @Test func toADeviceThatIsOfflineNothingLeaves() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel)
            let prepared = try talk.service.prepare(try intent("turn-on"), sequence: 1)
            try await bridge.announce("kitchen/lamp", "offline")
            #expect(await talk.hears { $0 == .presence(Presence(.offline)) })
            let error = await refusal(talk, prepared)
            #expect(error?.code == .unreachable)
            #expect(error?.certainty == .neverLeft)
            #expect(error?.isRetriable == true)
            #expect(error?.message.contains("kitchen/lamp is offline") == true)
            #expect(await bridge.requests.isEmpty)
        }
    }

    @Test func aRenamedDeviceGetsItsCommandUnderTheNewName() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel)
            try await talk.send(try intent("turn-on"))
            #expect(await talk.evidence()?.provesEffect == true)
            let prepared = try talk.service.prepare(try intent("turn-off"), sequence: 2)
            try await bridge.rename("kitchen/lamp", to: "Flur/Lampe ä")
            #expect(
                await talk.hears {
                    if case .description(let profile) = $0 {
                        profile.name == "Flur/Lampe ä"
                    } else {
                        false
                    }
                })
            #expect(await refusal(talk, prepared) == nil)
            #expect(await talk.evidence()?.provesEffect == true)
            let sets = await bridge.requests.map(\.topic).filter { $0.hasSuffix("/set") }
            #expect(sets == ["kitchen/lamp/set", "Flur/Lampe ä/set"])
        }
    }

    @Test func toARemovedDeviceNothingIsSent() async throws {
        try await withBridge([(.lamp, .obeys), (.plug, .obeys)]) { channel, bridge in
            let talk = try await Talk(channel)
            let prepared = try talk.service.prepare(try intent("turn-on"), sequence: 1)
            try await bridge.remove("kitchen/lamp")
            #expect(await talk.hears { $0 == .removed })
            let error = await refusal(talk, prepared)
            #expect(error?.code == .cannotExpress)
            #expect(error?.certainty == .neverLeft)
            #expect(error?.isRetriable == false)
            #expect(await bridge.requests.isEmpty)
        }
    }

    @Test func joiningIsPermittedByTheBridge() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel, device("attic"))
            let first = try intent("permit-join", ["seconds": 60], for: device("attic"))
            try await talk.send(first)
            let evidence = await talk.evidence()
            #expect(evidence?.id == first.id)
            #expect(evidence?.source == .bridge)
            #expect(evidence?.stage == .succeeded)
            #expect(
                await bridge.requests.first?.payload
                    == #"{"time":60,"transaction":"\#(first.id)"}"#)
            await bridge.refuseJoining("the radio is busy")
            let second = try intent("permit-join", ["seconds": 0], for: device("attic"))
            try await talk.send(second)
            let failure = await talk.evidence()
            #expect(failure?.id == second.id)
            #expect(failure?.stage == .failed)
            #expect(failure?.message == "the radio is busy")
        }
    }

    @Test func anAnswerToSomebodyElseIsNotOurs() async throws {
        try await withBridge { channel, bridge in
            let talk = try await Talk(channel, device("attic"))
            for transaction in [makeCommandID().text, "x"] {
                try await bridge.publish(
                    "bridge/response/permit_join",
                    #"{"status":"error","error":"no","transaction":"\#(transaction)"}"#)
            }
            let id = try await talk.send(
                try intent("permit-join", ["seconds": 1], for: device("attic")))
            #expect(await talk.evidence()?.id == id)
        }
    }

    @Test(
        arguments: [
            ("locate", [:], false, nil), ("set-brightness", ["brightness": 300], false, nil),
            ("set-brightness", [:], false, nil), ("turn-on", [:], true, nil),
            ("turn-on", [:], false, 4),
        ] as [(String, JSONObject, Bool, Int?)])
    func whatZigbeeCannotSayIsRefusedBeforehand(
        name: String, arguments: JSONObject, isDryRun: Bool, revision: Int?
    ) async throws {
        try await withBridge { channel, _ in
            let talk = try await Talk(channel)
            let intent = try intent(name, arguments, isDryRun: isDryRun, ifRevision: revision)
            let error = #expect(throws: CommunicationError.self) {
                try talk.service.prepare(intent, sequence: 1)
            }
            #expect(error?.code == .cannotExpress)
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func aForbiddenTopicIsRefusedForGood() async throws {
        let access = try folder.file(
            "access",
            "topic readwrite zigbee2mqtt/bridge/#\ntopic read zigbee2mqtt/#\n")
        try await withBroker("acl_file \(access)") { broker in
            try await ScriptedBridge.with(broker.url) { _ in
                try await withChannel(broker.url) { channel in
                    let talk = try await Talk(channel)
                    let prepared = try talk.service.prepare(try intent("turn-on"), sequence: 1)
                    let receipt = try await talk.service.sendMessage(prepared, attempt: 1)
                    guard case .refused(.forbidden, _) = receipt else {
                        Issue.record("the receipt is \(receipt)")
                        return
                    }
                    #expect(await channel.outstanding.count == 0)
                }
            }
        }
    }

    @Test func aLostLinkEndsWhatIsReadBack() async throws {
        try await withBroker { broker in
            try await ScriptedBridge.with(broker.url) { bridge in
                try await withChannel(broker.url, { $0.readBack.delay = .seconds(50) }) { channel in
                    let talk = try await Talk(channel)
                    let prepared = try talk.service.prepare(try intent("turn-on"), sequence: 1)
                    _ = try await talk.service.sendMessage(prepared, attempt: 1)
                    #expect(await channel.outstanding.count == 1)
                    var states = channel.linkStates().makeAsyncIterator()
                    await broker.kill()
                    while let state = await states.next(), state.isConnected {}
                    #expect(await channel.outstanding.count == 0)
                    let error = await refusal(talk, prepared)
                    #expect(error?.certainty == .neverLeft)
                    _ = bridge
                }
            }
        }
    }
}
