import Alink
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient
import Testing

@testable import Fleet

@Suite struct AlinkWireTests {
    private let now = Timestamp(milliseconds: 1_764_000_000_000)

    private func makeWire(_ kind: DeviceKind = .sweepingRobot) throws -> AlinkWire {
        let product = try #require(AlinkProduct(kind))
        let triple = try #require(try AlinkTriple.read("pk robot-1 secret").first)
        return AlinkWire(triple, product, seed: 1)
    }

    private func request(_ suffix: String, _ payload: String) throws -> MQTTMessage {
        MQTTMessage(
            topic: try MQTTTopic("/sys/pk/robot-1/thing/\(suffix)"), payload: Array(payload.utf8))
    }

    private func ack(_ id: CommandID, _ stage: AckStage, _ code: AckCode = .ok) throws
        -> DevicePublication
    {
        let message = AckMessage(
            id: id, device: try DeviceID("sweeper-1"), boot: try BootID("00000001"), n: 1,
            stage: stage, isFinal: stage.isFinal, code: code, message: "why", percent: nil,
            result: [:], revision: 1, executions: 1, isReplay: false, at: now)
        return .ack(message, try ControllerID("alink"))
    }

    @Test(arguments: [DeviceKind.sweepingRobot, .poolRobot, .energyStore])
    func aControllerReadsEveryEntryOfTheModels(kind: DeviceKind) throws {
        let product = try #require(AlinkProduct(kind))
        let model = try ThingModel(JSONWriter.write(product.document))
        #expect(model == product.model)
        #expect(model.omissions.isEmpty)
        #expect(ThingCommands(model).omissions.isEmpty)
        #expect(
            model.properties.filter(\.isSettable).map(\.identifier).sorted()
                == product.settings.keys.sorted())
    }

    @Test func aSettingBecomesACommandAndItsFirstAckTheReply() throws {
        var wire = try makeWire()
        let set = try request("service/property/set", #"{"id":"9","params":{"fanSpeed":0}}"#)
        let incoming = wire.read(set, at: now)
        guard case .inputs(let inputs) = incoming.content,
            case .command(let payload, false, .acks?, .normal)? = inputs.first
        else {
            Issue.record("it is no command: \(incoming)")
            return
        }
        let command = try CommandMessage(payload: payload)
        #expect(command.name == .setSuctionLevel)
        let level = try #require(SweepingRobot.SuctionLevel.allCases.first)
        #expect(command.arguments == ["level": .string(level.rawValue)])
        let first = wire.message(of: try ack(command.id, .accepted))
        let reply = try #require(first)
        #expect(reply.topic.rawValue == "/sys/pk/robot-1/thing/service/property/set_reply")
        #expect(try AlinkReply(payload: reply.payload) == AlinkReply(id: "9"))
        let later = wire.message(of: try ack(command.id, .succeeded))
        #expect(later == nil)
    }

    @Test func aRefusalOfTheDeviceIsTheReply() throws {
        var wire = try makeWire()
        let call = try request("service/startCleaning", #"{"id":"3","params":{"passes":2}}"#)
        guard case .inputs(let inputs) = wire.read(call, at: now).content,
            case .command(let payload, _, _, _)? = inputs.first
        else {
            Issue.record("it is no command")
            return
        }
        let command = try CommandMessage(payload: payload)
        #expect(command.arguments == ["passes": 2])
        let message = wire.message(of: try ack(command.id, .rejected, .wrongState))
        let reply = try #require(message)
        #expect(try AlinkReply(payload: reply.payload).code == 400)
        #expect(try AlinkReply(payload: reply.payload).message.contains("why"))
    }

    @Test(
        arguments: [
            ("service/property/set", #"{"id":"1","params":{"batteryPercent":1}}"#),
            ("service/property/set", #"{"id":"1","params":{"fanSpeed":77.5}}"#),
            ("service/property/set", #"{"id":"1","params":{}}"#),
            ("service/fly", #"{"id":"1","params":{}}"#),
            ("service/startCleaning", #"{"id":"1","params":{"height":1}}"#),
        ])
    func whatTheModelDoesNotHaveIsAnsweredByTheDialect(suffix: String, payload: String) throws {
        var wire = try makeWire()
        let incoming = wire.read(try request(suffix, payload), at: now)
        guard case .answered(let answer) = incoming.content else {
            Issue.record("it was not answered: \(incoming)")
            return
        }
        #expect(try AlinkReply(payload: answer.payload).code == AlinkCode.parameters)
    }

    @Test(arguments: ["", "{", "[]", #"{"params":{}}"#, #"{"id":"1","params":[]}"#])
    func garbageIsDropped(payload: String) throws {
        var wire = try makeWire()
        let incoming = wire.read(try request("service/property/set", payload), at: now)
        guard case .dropped = incoming.content else {
            Issue.record("it was not dropped: \(incoming)")
            return
        }
    }

    @Test func aStateIsPostedByTheTypesOfTheModel() throws {
        var wire = try makeWire()
        let state = StateMessage(
            device: try DeviceID("sweeper-1"), boot: try BootID("00000001"), revision: 1, at: now,
            by: nil, state: ["isCharging": true, "error": nil, "batteryPercent": 80, "other": 1])
        let message = wire.message(of: .state(state))
        let post = try #require(message)
        #expect(post.topic.rawValue == "/sys/pk/robot-1/thing/event/property/post")
        #expect(
            String(decoding: post.payload, as: UTF8.self).contains(
                #""params":{"batteryPercent":80.0,"error":"","isCharging":1}"#))
    }

    @Test func productsStandForKindsInTheirOrder() throws {
        let triples = try AlinkTriple.read("p2 a s\np1 b s\np2 c s\np3 d s\np4 e s")
        let counts = AlinkFleet.counts(of: triples)
        #expect(counts[.sweepingRobot] == 3)
        #expect(counts[.poolRobot] == 1)
        #expect(counts[.energyStore] == 1)
        let stores = FleetPlan(
            homes: .numbered(1), counts: DeviceCounts([.energyStore: 6]), seed: 1)
        #expect(throws: FleetError.self) { try AlinkFleet(triples, for: stores) }
        let some = FleetPlan(
            homes: .numbered(1), counts: DeviceCounts([.energyStore: 5]), seed: 1)
        let fleet = try AlinkFleet(triples, for: some)
        #expect(Set(fleet.kinds.values) == [.energyStore])
        #expect(
            some.devices.map { fleet.wire(of: $0)?.triple.name.device } == [
                "a", "b", "c", "d", "e",
            ])
    }
}
