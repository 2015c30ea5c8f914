import Testing

@testable import MQTTClient

/// Every reason of a broker, in CONNACK and in DISCONNECT.
@Suite struct MQTTReasonTableTests {
    typealias Cause = MQTTDisconnectCause

    /// Code, cause after CONNACK, cause after DISCONNECT.
    static let expected: [(code: UInt8, refusal: Cause, disconnect: Cause)] = [
        (0x80, .brokerBusy, .brokerBusy), (0x81, .clientFault, .clientFault),
        (0x82, .clientFault, .clientFault), (0x83, .brokerBusy, .brokerBusy),
        (0x84, .final, .final), (0x85, .final, .final), (0x86, .final, .final),
        (0x87, .final, .clientFault), (0x88, .brokerBusy, .brokerBusy),
        (0x89, .brokerBusy, .brokerBusy), (0x8A, .final, .final),
        (0x8B, .brokerShutdown, .brokerShutdown), (0x8C, .final, .final),
        (0x8D, .network, .network), (0x8E, .final, .final), (0x8F, .clientFault, .clientFault),
        (0x90, .clientFault, .clientFault), (0x91, .clientFault, .clientFault),
        (0x92, .clientFault, .clientFault), (0x93, .clientFault, .clientFault),
        (0x94, .clientFault, .clientFault), (0x95, .clientFault, .clientFault),
        (0x96, .brokerBusy, .brokerBusy), (0x97, .brokerBusy, .brokerBusy),
        (0x98, .brokerShutdown, .brokerShutdown), (0x99, .clientFault, .clientFault),
        (0x9A, .clientFault, .clientFault), (0x9B, .clientFault, .clientFault),
        (0x9C, .final, .final), (0x9D, .final, .final), (0x9E, .clientFault, .clientFault),
        (0x9F, .brokerBusy, .brokerBusy), (0xA0, .network, .network),
        (0xA1, .clientFault, .clientFault), (0xA2, .clientFault, .clientFault),
    ]

    @Test func theTableIsComplete() {
        #expect(Self.expected.map(\.code) == Array(0x80...0xA2))
        let codes = MQTTReasonTable.rows.keys.map(\.rawValue).sorted()
        #expect(codes == Array(0x80...0xA2))
    }

    @Test(arguments: expected)
    func causes(code: UInt8, refusal: Cause, disconnect: Cause) {
        let reason = MQTTReasonCode(rawValue: code)
        #expect(MQTTReasonTable.cause(ofRefusal: reason) == refusal)
        #expect(MQTTReasonTable.cause(ofDisconnect: reason) == disconnect)
    }

    @Test(arguments: [UInt8(0x00), 0x04, 0x7F, 0xA3, 0xFF])
    func unknownReasonsAreRetriedLater(code: UInt8) {
        let reason = MQTTReasonCode(rawValue: code)
        #expect(MQTTReasonTable.cause(ofRefusal: reason) == .brokerBusy)
        #expect(MQTTReasonTable.cause(ofDisconnect: reason) == .brokerBusy)
    }

    /// What the machine makes of each: stop, once more, or again with this least delay.
    @Test(arguments: expected)
    func attemptsFollowTheCause(code: UInt8, refusal: Cause, disconnect: Cause) {
        let reason = MQTTReasonCode(rawValue: code)
        let refused = MQTTError(.connectionRefused, "no", reasonCode: reason)
        expect(attempts(after: refused, uptime: nil), of: refusal)
        let ended = MQTTError(
            code == 0x8E ? .sessionTakenOver : .serverDisconnected, "no", reasonCode: reason)
        expect(attempts(after: ended, uptime: .seconds(1)), of: disconnect)
    }

    private func expect(_ delays: [Duration?], of cause: Cause) {
        switch cause {
        case .final: #expect(delays == [nil, nil])
        case .clientFault: #expect(delays == [.seconds(5), nil])
        case .brokerBusy: #expect(delays == [.seconds(5), .seconds(5)])
        case .brokerShutdown: #expect(delays == [.seconds(1), .seconds(1)])
        case .network: #expect(delays == [.zero, .zero])
        case .tls: Issue.record("no reason code says that")
        }
    }

    /// The delays of two failures in a row, without the jitter; nil is none.
    private func attempts(after error: MQTTError, uptime: Duration?) -> [Duration?] {
        var backoff = MQTTReconnectBackoff(
            policy: MQTTReconnectPolicy(initial: .zero), clientID: "x")
        var generator = LargestNumbers()
        return (0..<2).map { _ in
            let decision = backoff.decide(after: error, uptime: uptime, using: &generator)
            return if case .retry(_, let delay) = decision { delay } else { nil }
        }
    }
}
