import TestSupport
import Testing

@testable import MQTTClient

@Suite struct MQTTReconnectBackoffTests {
    private var generator = LargestNumbers()

    @Test(arguments: [
        MQTTReasonCode.unsupportedProtocolVersion, .clientIdentifierNotValid,
        .badUserNameOrPassword, .notAuthorized, .banned, .badAuthenticationMethod,
        .useAnotherServer, .serverMoved,
    ])
    mutating func finalRefusalsStop(reason: MQTTReasonCode) {
        var backoff = backoff()
        let error = MQTTError(.connectionRefused, "no", reasonCode: reason)
        #expect(delay(backoff.decide(after: error, uptime: nil, using: &generator)) == nil)
    }

    @Test(arguments: [
        MQTTReasonCode.serverUnavailable, .serverBusy, .quotaExceeded, .connectionRateExceeded,
        .unspecifiedError,
    ])
    mutating func busyBrokersAreLeftAlone(reason: MQTTReasonCode) throws {
        var backoff = backoff()
        let error = MQTTError(.connectionRefused, "busy", reasonCode: reason)
        let decision = backoff.decide(after: error, uptime: nil, using: &generator)
        #expect(try #require(delay(decision)) >= .seconds(5))
    }

    @Test mutating func pausesMayBeAsLongAsThereIs() throws {
        let policy = MQTTReconnectPolicy(
            initial: .seconds(Int64.max), spread: .seconds(Int64.max), cap: .seconds(Int64.max))
        var backoff = MQTTReconnectBackoff(policy: policy, clientID: "x")
        let error = MQTTError(.unreachable, "away", isRetriable: true)
        for _ in 0..<30 {
            let decision = backoff.decide(after: error, uptime: nil, using: &generator)
            #expect(try #require(delay(decision)) > .seconds(1_000_000))
        }
    }

    @Test mutating func aSuspicionDoesNotHideWhatAnAttemptMeets() throws {
        var backoff = backoff()
        for _ in 0..<MQTTReconnectBackoff.suspiciousCloses {
            let error = MQTTError(.connectionLost, "closed", isRetriable: true)
            _ = backoff.decide(after: error, uptime: .seconds(1), using: &generator)
        }
        let error = MQTTError(.connectTimeout, "away", isRetriable: true)
        guard
            case .retry(let told, let delay) = backoff.decide(
                after: error, uptime: nil, using: &generator)
        else { throw TestSupportError("it gave up") }
        #expect(told.code == .connectTimeout && told.message == "away")
        #expect(delay >= .seconds(5))
    }

    @Test mutating func takenOverStops() {
        var backoff = backoff()
        let error = MQTTError(.sessionTakenOver, "other", reasonCode: .sessionTakenOver)
        #expect(delay(backoff.decide(after: error, uptime: .seconds(60), using: &generator)) == nil)
    }

    @Test(arguments: [MQTTReasonCode.serverShuttingDown, .administrativeAction])
    mutating func shutdownsWaitASecondAtLeast(reason: MQTTReasonCode) throws {
        var backoff = backoff()
        let error = MQTTError(.serverDisconnected, "bye", reasonCode: reason)
        let decision = backoff.decide(after: error, uptime: .seconds(60), using: &generator)
        #expect(try #require(delay(decision)) >= .seconds(1))
    }

    @Test(arguments: [
        MQTTReasonCode.receiveMaximumExceeded, .topicAliasInvalid, .packetTooLarge,
        .payloadFormatInvalid, .retainNotSupported, .qosNotSupported,
    ])
    mutating func clientFaultsAreTriedOnceMore(reason: MQTTReasonCode) {
        var backoff = backoff()
        let error = MQTTError(.serverDisconnected, "limit", reasonCode: reason)
        let first = backoff.decide(after: error, uptime: .seconds(1), using: &generator)
        #expect(delay(first) != nil)
        let second = backoff.decide(after: error, uptime: .seconds(1), using: &generator)
        #expect(delay(second) == nil)
    }

    @Test mutating func delaysDoubleUpToTheCap() {
        var backoff = backoff()
        let delays = (0..<9).map { _ in
            delay(backoff.decide(after: unreachable, uptime: nil, using: &generator))
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test func jitterCoversTheWholeRange() throws {
        var random = SeededGenerator(seed: 1)
        var smallest = Duration.seconds(60)
        var largest = Duration.zero
        for _ in 0..<2_000 {
            var backoff = backoff()
            let delay = delay(backoff.decide(after: unreachable, uptime: nil, using: &random))
            smallest = min(smallest, try #require(delay))
            largest = max(largest, try #require(delay))
        }
        #expect(smallest < .milliseconds(50))
        #expect(largest > .milliseconds(950) && largest <= .seconds(1))
    }

    @Test mutating func theFirstReturnIsSpreadAndOnlyThat() {
        var policy = MQTTReconnectPolicy()
        policy.spread = .seconds(5)
        var backoff = MQTTReconnectBackoff(policy: policy, clientID: "x")
        let silence = MQTTError(.keepAliveTimeout, "silence", isRetriable: true)
        let returning = backoff.decide(after: silence, uptime: .seconds(60), using: &generator)
        #expect(delay(returning) == .seconds(5))
        let delays = (0..<4).map { _ in
            delay(backoff.decide(after: unreachable, uptime: nil, using: &generator))
        }
        #expect(delays == [2, 4, 8, 16].map { .seconds($0) })
        let again = backoff.decide(after: silence, uptime: .seconds(31), using: &generator)
        #expect(delay(again) == .seconds(5))
    }

    @Test mutating func aFirstAttemptIsNotSpread() {
        var policy = MQTTReconnectPolicy()
        policy.spread = .seconds(5)
        var backoff = MQTTReconnectBackoff(policy: policy, clientID: "x")
        let first = backoff.decide(after: unreachable, uptime: nil, using: &generator)
        #expect(delay(first) == .seconds(1))
    }

    @Test mutating func connectionsThatBreakSoonerThanStableGoOnGrowing() {
        var backoff = backoff()
        let silence = MQTTError(.keepAliveTimeout, "silence", isRetriable: true)
        let delays = [29, 29, 29, 30, 29].map { seconds in
            delay(backoff.decide(after: silence, uptime: .seconds(seconds), using: &generator))
        }
        #expect(delays == [1, 2, 4, 1, 2].map { .seconds($0) })
    }

    @Test mutating func repeatedEarlyClosesAreADuplicateClientID() throws {
        var backoff = backoff()
        let closed = MQTTError(.connectionLost, "closed", isRetriable: true)
        var codes: [MQTTError.Code] = []
        var delays: [Duration] = []
        for _ in 0..<5 {
            let decision = backoff.decide(
                after: closed, uptime: .milliseconds(200), using: &generator)
            guard case .retry(let error, let delay) = decision else { continue }
            codes.append(error.code)
            delays.append(delay)
        }
        let suspected = MQTTError.Code.likelyDuplicateClientID
        #expect(codes == [.connectionLost, .connectionLost, suspected, suspected, suspected])
        #expect(delays[2] >= .seconds(5) && delays[3] >= .seconds(10) && delays[4] >= .seconds(15))
    }

    @Test mutating func failedAttemptsBetweenDoNotHideADuplicate() {
        var backoff = backoff()
        let closed = MQTTError(.connectionLost, "closed", isRetriable: true)
        let timeout = MQTTError(.connectTimeout, "silence", isRetriable: true)
        for _ in 0..<3 {
            _ = backoff.decide(after: timeout, uptime: nil, using: &generator)
            _ = backoff.decide(after: closed, uptime: .seconds(1), using: &generator)
        }
        #expect(backoff.earlyCloses == 3)
    }

    @Test mutating func restartsOfTheBrokerAreNoDuplicate() {
        var backoff = backoff()
        let closed = MQTTError(.connectionLost, "closed", isRetriable: true)
        let shutdown = MQTTError(
            .serverDisconnected, "bye", reasonCode: .serverShuttingDown, isRetriable: true)
        for _ in 0..<4 {
            _ = backoff.decide(after: closed, uptime: .seconds(1), using: &generator)
            #expect(backoff.earlyCloses == 1)
            _ = backoff.decide(after: unreachable, uptime: nil, using: &generator)
            #expect(backoff.earlyCloses == 0)
            _ = backoff.decide(after: shutdown, uptime: .seconds(1), using: &generator)
            #expect(backoff.earlyCloses == 0)
        }
    }

    @Test mutating func aUniqueIDIsNeverSuspected() {
        var backoff = MQTTReconnectBackoff(policy: MQTTReconnectPolicy(), clientID: nil)
        let closed = MQTTError(.connectionLost, "closed", isRetriable: true)
        for _ in 0..<5 {
            let decision = backoff.decide(after: closed, uptime: .seconds(1), using: &generator)
            guard case .retry(let error, _) = decision else {
                Issue.record("a lost connection is no reason to stop")
                return
            }
            #expect(error.code == .connectionLost)
        }
    }

    @Test mutating func otherCausesAreNoDuplicate() {
        var backoff = backoff()
        let silence = MQTTError(.keepAliveTimeout, "silence", isRetriable: true)
        for _ in 0..<10 {
            let decision = backoff.decide(after: silence, uptime: .seconds(8), using: &generator)
            guard case .retry(let error, _) = decision else {
                Issue.record("silence is no reason to stop")
                return
            }
            #expect(error.code == .keepAliveTimeout)
        }
    }

    @Test mutating func neverMeansNever() {
        var backoff = MQTTReconnectBackoff(policy: .never, clientID: "x")
        #expect(delay(backoff.decide(after: unreachable, uptime: nil, using: &generator)) == nil)
    }

    // MARK: Material

    private var unreachable: MQTTError { MQTTError(.unreachable, "nobody", isRetriable: true) }

    private func backoff() -> MQTTReconnectBackoff {
        MQTTReconnectBackoff(policy: MQTTReconnectPolicy(), clientID: "x")
    }

    private func delay(_ decision: MQTTReconnectBackoff.Decision) -> Duration? {
        if case .retry(_, let delay) = decision { delay } else { nil }
    }
}
