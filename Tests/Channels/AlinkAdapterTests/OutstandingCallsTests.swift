import Alink
import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import AlinkAdapter

@Suite struct OutstandingCallsTests {
    private let device = Sample.lamp.deviceID

    private func call(_ name: String, _ arguments: JSONObject) throws -> OutstandingCall {
        let intent = try intent(name, arguments)
        let product = try #require(Sample.products.values.first)
        let thing = try #require(product.commands[intent.name])
        return OutstandingCall(
            command: intent.id, device: device,
            messageID: AlinkDirectory.messageID(of: intent.id), thing: thing,
            expected: thing.effect.flatMap { arguments[$0.identifier] }, issuedAt: issued)
    }

    private func power(_ value: Bool, at time: Timestamp? = nil) -> [ReportedValue] {
        [ReportedValue(identifier: "Power", value: .boolean(value), time: time)]
    }

    @Test func aSettingIsAcceptedByTheReplyAndDoneByThePost() throws {
        var calls = OutstandingCalls()
        let call = try call("set-power", ["Power": true])
        calls.begin(call)
        let reply = AlinkReply(id: call.messageID)
        let accepted = calls.replied(reply, to: .setting, by: device)
        #expect(accepted?.stage == .accepted)
        #expect(accepted?.isFinal == false)
        #expect(calls.replied(reply, to: .setting, by: device) == nil)
        #expect(calls.posted(power(false), by: device).isEmpty)
        let done = calls.posted(power(true), by: device)
        #expect(done.map(\.provesEffect) == [true])
        #expect(done.map(\.id) == [call.command])
        #expect(calls.count == 0)
    }

    @Test func anEffectWithoutAReplyIsASuccess() throws {
        var calls = OutstandingCalls()
        calls.begin(try call("set-level", ["Level": 7.3]))
        let shown = ReportedValue(identifier: "Level", value: 7.5, time: nil)
        #expect(calls.posted([shown], by: device).map(\.stage) == [.succeeded])
    }

    @Test func whatWasMeasuredBeforeTheCommandProvesNothing() throws {
        var calls = OutstandingCalls()
        calls.begin(try call("set-power", ["Power": true]))
        let before = issued.advanced(by: .milliseconds(-1))
        #expect(calls.posted(power(true, at: before), by: device).isEmpty)
        #expect(calls.posted(power(true), by: Sample.name("other").deviceID).isEmpty)
        #expect(calls.posted(power(true, at: issued), by: device).count == 1)
    }

    @Test(
        arguments: [
            (400, .rejected, .badRequest), (460, .rejected, .badArguments),
            (429, .rejected, .throttled), (520, .rejected, .notReady), (6666, .failed, .internal),
        ] as [(Int, AckStage, AckCode)])
    func aRefusalIsFinalAndInTheDevicesWords(code: Int, stage: AckStage, ackCode: AckCode) throws {
        var calls = OutstandingCalls()
        let call = try call("set-power", ["Power": true])
        calls.begin(call)
        let refusal = AlinkReply(id: call.messageID, code: code, message: "relay stuck")
        let evidence = calls.replied(refusal, to: .setting, by: device)
        #expect(evidence?.stage == stage)
        #expect(evidence?.code == ackCode)
        #expect(evidence?.isFinal == true)
        #expect(evidence?.message == "relay stuck (code \(code))")
        #expect(calls.count == 0)
    }

    @Test func theDevicesOwnTimeoutProvesNothing() throws {
        var calls = OutstandingCalls()
        let call = try call("clean", ["room": 3])
        calls.begin(call)
        let timeout = AlinkReply(id: call.messageID, code: 100_000, message: "timeout")
        #expect(calls.replied(timeout, to: .service("clean"), by: device) == nil)
        #expect(calls.count == 1)
    }

    @Test func theReplyToAServiceIsItsEndWithItsOutputs() throws {
        var calls = OutstandingCalls()
        let call = try call("clean", ["room": 3])
        calls.begin(call)
        let reply = AlinkReply(id: call.messageID, data: ["minutes": 12, "more": 1])
        #expect(calls.replied(reply, to: .setting, by: device) == nil)
        let evidence = calls.replied(reply, to: .service("clean"), by: device)
        #expect(evidence?.stage == .succeeded)
        #expect(evidence?.provesEffect == false)
        #expect(evidence?.result == ["minutes": 12])
    }

    @Test func aPropertyThatIsNeverReportedIsDoneByTheReply() throws {
        var calls = OutstandingCalls()
        let call = try call("set-secret", ["Secret": 3])
        calls.begin(call)
        let reply = AlinkReply(id: call.messageID)
        #expect(calls.replied(reply, to: .setting, by: device)?.stage == .succeeded)
    }

    @Test func anotherIDIsOfAnotherCommand() throws {
        var calls = OutstandingCalls()
        calls.begin(try call("set-power", ["Power": true]))
        #expect(calls.replied(AlinkReply(id: "1"), to: .setting, by: device) == nil)
        #expect(calls.count == 1)
    }
}
