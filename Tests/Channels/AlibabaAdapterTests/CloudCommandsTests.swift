import Alink
import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import AlibabaAdapter

@Suite struct CloudCommandsTests {
    private func reported(_ value: JSONValue, _ milliseconds: Int) -> [String: CloudDevice.Reported]
    {
        ["mode": CloudDevice.Reported(value: value, at: Timestamp(milliseconds: milliseconds))]
    }

    private func reply(_ id: String, _ code: Int = 200, _ data: JSONObject = [:]) throws
        -> CloudReply
    {
        CloudReply(
            device: try Samples.name().deviceID, messageID: id, code: code, message: "words",
            data: data)
    }

    @Test func theValueThatWasKnownBeforeProvesNothing() throws {
        let sent = try Samples.setMode()
        let known = Timestamp(milliseconds: 4500)
        let property = try #require(Samples.product().model.property("mode"))
        let command = CloudCommand(
            id: sent.id, device: sent.device, name: sent.name,
            watch: .property(property, asked: "turbo", since: known), sentAt: sent.sentAt,
            expiresAt: sent.expiresAt)
        let turbo = { CloudDevice.Reported(value: "turbo", at: $0) }
        #expect(!command.isShown(by: ["mode": turbo(known)]))
        #expect(command.isShown(by: ["mode": turbo(known.advanced(by: .milliseconds(1)))]))
    }

    @Test func theAskedValueAfterTheCommandIsItsEffect() throws {
        var commands = CloudCommands()
        let device = try Samples.name().deviceID
        commands.begin(try Samples.setMode())
        #expect(commands.received(reported("quiet", 6000), of: device).isEmpty)
        #expect(commands.received(reported("turbo", 3000), of: device).isEmpty)
        let evidence = commands.received(reported("turbo", 6000), of: device)
        #expect(evidence.map(\.stage) == [.succeeded])
        #expect(evidence.first?.provesEffect == true)
        #expect(commands.isEmpty)
    }

    @Test func aReplyIsAcceptanceAndNotTheEffect() throws {
        var commands = CloudCommands()
        let command = try Samples.setMode()
        commands.begin(command)
        #expect(commands.taken(command.id, messageID: "9007199254740993").isEmpty)
        #expect(try commands.received(reply("9007199254740992")).isEmpty)
        #expect(try commands.received(reply("9007199254740993")).map(\.stage) == [.accepted])
        #expect(!commands.isEmpty)
    }

    @Test func aReplyMayComeBeforeTheAnswer() throws {
        var commands = CloudCommands()
        let command = try Samples.setMode()
        commands.begin(command)
        #expect(try commands.received(reply("7")).isEmpty)
        #expect(commands.taken(command.id, messageID: "7").map(\.stage) == [.accepted])
    }

    @Test(arguments: [
        (460, AckCode.badArguments), (429, .throttled), (9201, .notReady), (100_000, .internal),
    ])
    func anotherReplyIsARefusal(_ code: Int, _ ack: AckCode) throws {
        var commands = CloudCommands()
        let command = try Samples.setMode()
        commands.begin(command)
        _ = commands.taken(command.id, messageID: "7")
        let evidence = try commands.received(reply("7", code))
        #expect(evidence.map(\.stage) == [.rejected])
        #expect(evidence.first?.code == ack)
        #expect(evidence.first?.message == "the device answered \(code) words")
        #expect(commands.isEmpty)
    }

    @Test func aServiceEndsWithItsReply() throws {
        var commands = CloudCommands()
        let command = try Samples.clean()
        commands.begin(command)
        _ = commands.taken(command.id, messageID: "7")
        let evidence = try commands.received(reply("7", 200, ["minutes": 12, "more": 1]))
        #expect(evidence.map(\.stage) == [.accepted, .succeeded])
        #expect(evidence.last?.result == ["minutes": 12])
    }

    @Test func aServiceEndsWithItsRecord() throws {
        var commands = CloudCommands()
        let command = try Samples.clean()
        commands.begin(command)
        func call(_ input: String, _ output: JSONValue, _ time: String) throws -> RecordedCall {
            try #require(
                RecordedCall([
                    "InputData": .string(input), "OutputData": output, "Time": .string(time),
                ]))
        }
        let others = try [
            call(#"{"room":5}"#, "{}", "6000"), call(#"{"room":4}"#, "{}", "3000"),
            call(#"{"room":4}"#, "", "6000"), call("odd", "{}", "6000"),
        ]
        #expect(commands.received(others, of: command.id).isEmpty)
        let evidence = commands.received(
            [try call(#"{ "room": 4 }"#, #"{"minutes":3}"#, "6000")], of: command.id)
        #expect(evidence.map(\.stage) == [.succeeded])
        #expect(evidence.first?.result == ["minutes": 3])
    }

    @Test func readingBackSlowsDown() {
        var waits = ReadBackWaits()
        let first = (0..<9).map { _ in waits.next() }
        #expect(
            first == [2, 2, 2, 2, 2, 4, 8, 16, 16].map { Duration.seconds($0) })
    }
}
