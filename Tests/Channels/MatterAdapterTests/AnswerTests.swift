import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@testable import MatterAdapter

@Suite struct AnswerTests {
    private enum Meaning: Hashable {
        case accepted, undecided
        case refused(AckCode)
    }

    private func meaning(_ verdict: AnswerVerdict) -> Meaning {
        switch verdict {
        case .accepted: .accepted
        case .undecided: .undecided
        case .refused(let code, _): .refused(code)
        }
    }

    @Test(
        arguments: [
            (0, "InteractionModelError: UnsupportedCommand (0x81)", AckCode.unknownCommand),
            (0, "InteractionModelError: Busy (0x9c)", .busy),
            (0, "InteractionModelError: ConstraintError (0x87)", .badArguments),
            (0, "InteractionModelError: UnsupportedAccess (0x7e)", .forbidden),
            (0, "InteractionModelError: InvalidInState (0xcb)", .wrongState),
            (0, "InteractionModelError: Failure (0x1)", .internal),
            (0, "type object 'OnOff' has no attribute 'Fly'", .unknownCommand),
            (0, "60000", .unknownCommand), (3, "Node 7 is not available", .notReady),
            (4, "no address", .notReady), (8, "missing", .badRequest), (9, "no", .badRequest),
        ])
    func definiteErrorsAreRefusals(number: Int, details: String, code: AckCode) {
        let verdict = ServerFailure(code: number, details: details).verdict
        #expect(meaning(verdict) == .refused(code))
    }

    @Test(
        arguments: [
            (0, "InteractionModelError: Timeout (0x94)"),
            (0, "src/app/CommandSender.cpp:354: CHIP Error 0x00000032: Timeout"),
            (0, ""), (7, "?"), (99, "new"), (0, "InteractionModelError: Odd"),
        ])
    func otherErrorsLeaveTheOutcomeOpen(number: Int, details: String) {
        #expect(meaning(ServerFailure(code: number, details: details).verdict) == .undecided)
    }

    @Test(
        arguments: [
            ("null", true), ("[]", true), (#"{"status":0,"statusText":""}"#, true),
            (#"[{"Path":{"EndpointId":1},"Status":0}]"#, true),
            (#"[{"Path":{"EndpointId":1},"Status":135}]"#, false),
            (#"{"status":3,"statusText":"not while cleaning"}"#, false),
            (#"{"commandResponseState":{"errorStateID":0,"errorStateLabel":null}}"#, true),
            (#"{"commandResponseState":{"errorStateID":3,"errorStateLabel":null}}"#, false),
        ])
    func successMessagesMayBeRefusals(result: String, isAccepted: Bool) {
        #expect((AnswerVerdict(result: json(result)) == .accepted) == isAccepted)
    }

    @Test func aRefusalHasTheWordsOfTheOtherSide() {
        let status = AnswerVerdict(result: json(#"{"status":3,"statusText":"not while cleaning"}"#))
        #expect(status == .refused(.wrongState, "not while cleaning"))
        let state =
            #"{"commandResponseState":{"errorStateID":128,"errorStateLabel":"Dustbin out"}}"#
        #expect(
            AnswerVerdict(result: json(state))
                == .refused(.wrongState, "the device refused it: Dustbin out"))
    }

    @Test(
        arguments: [
            "", "{", "[]", "null", "7", #"{"event":"server_shutdown","data":{}}"#,
            #"{"event":"attribute_updated","data":[1,"1/6"]}"#,
            #"{"event":"attribute_updated","data":[-1,"1/6/0",true]}"#,
            #"{"event":"node_added","data":{"node_id":1.5}}"#, #"{"message_id":"1"}"#,
        ])
    func whatIsNotUnderstoodMeansNothing(text: String) {
        #expect(ServerMessage(Array(text.utf8)) == .meaningless)
    }

    /// No message of a server crashes the program.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func spoiledMessagesDoNoHarm(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let nodes = [
            Sample.light, Sample.plug, Sample.lock, Sample.cover, Sample.thermostat, Sample.robot,
            Sample.evse, Sample.bridge,
        ].enumerated().map { FakeMatterServer.node("\($0)", $1) }
        let texts =
            nodes.map { #"{"event":"node_added","data":\#($0)}"# } + [
                FakeMatterServer.report("5", "1/97/5", #"{"0":65,"1":"x"}"#),
                FakeMatterServer.report("3", "1/258/14", "100"),
                #"{"event":"node_removed","data":3}"#,
                #"{"event":"endpoint_removed","data":{"node_id":7,"endpoint_id":4}}"#,
                #"{"event":"node_event","data":{"node_id":1,"endpoint_id":2,"cluster_id":145,"event_id":0,"event_number":18446744073709551615,"data":{"energyImported":{"energy":1}}}}"#,
            ]
        var model = NodeModel(channel: channelID, home: home)
        _ = model.list([])
        for _ in 0..<150 {
            let valid = try #require(texts.randomElement(using: &generator))
            let text =
                Bool.random(using: &generator)
                ? generator.spoiled(Array(valid.utf8)) : Array(valid.utf8)
            guard case .event(let event) = ServerMessage(text) else { continue }
            switch event {
            case .node(let node): _ = model.describe(node)
            case .nodeRemoved(let node): _ = model.remove(node)
            case .endpointRemoved(let node, let endpoint):
                _ = model.remove(endpoint: endpoint, of: node)
            case .attribute(let node, let path, let value): _ = model.update(node, path, value)
            case .device(let event): _ = model.happened(event)
            }
        }
        #expect(model.devices.count <= 20)
    }
}
