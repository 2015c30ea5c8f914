import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@Suite struct AckMessageTests {
    @Test func onlyTheLastStagesAreFinal() {
        let final = AckStage.allCases.filter(\.isFinal)
        #expect(
            final == [.succeeded, .failed, .rejected, .expired, .cancelled, .superseded])
    }

    @Test func fourCodesAreWorthTryingAgain() {
        #expect(
            AckCode.known.filter(\.isRetriable).map(\.rawValue) == [
                "BUSY", "THROTTLED", "NOT_READY", "INTERNAL",
            ])
        #expect(!AckCode(rawValue: "busy").isRetriable)
    }

    @Test func theKnownCodesAreThoseOfThePage() {
        #expect(
            AckCode.known.map(\.rawValue).joined(separator: " ") == """
                OK BUSY THROTTLED NOT_READY INTERNAL BAD_REQUEST UNKNOWN_COMMAND BAD_ARGUMENTS \
                UNSUPPORTED_VERSION FORBIDDEN PRECONDITION STALE_SESSION WRONG_STATE ID_REUSED \
                UNSAFE BAD_RESPONSE_TOPIC EXPIRED CANCELLED SUPERSEDED INTERRUPTED STUCK \
                LOW_BATTERY HARDWARE_FAULT
                """)
    }

    @Test func aReplayDiffersInNothingElse() throws {
        var generator = SeededGenerator(seed: 11)
        var ack = try AckMessage.random(&generator)
        ack.isReplay = false
        var replay = ack.replayed
        #expect(replay.isReplay)
        replay.isReplay = false
        #expect(replay == ack)
    }

    @Test func anAckWithinAResultIsReadAsOnItsOwn() throws {
        var generator = SeededGenerator(seed: 12)
        let ack = try AckMessage.random(&generator)
        let members = try #require(try JSONReader.read(ack.payload).object)
        #expect(try AckMessage(members: members) == ack)
        #expect(throws: PayloadError.self) { try AckMessage(members: ["v": 1]) }
    }

    @Test func aThrottledAckWithoutARecordIsNotFinal() throws {
        var generator = SeededGenerator(seed: 13)
        var ack = try AckMessage.random(&generator)
        (ack.stage, ack.code, ack.n, ack.isFinal) = (.rejected, .throttled, 0, false)
        #expect(try AckMessage(payload: ack.payload) == ack)
    }
}
