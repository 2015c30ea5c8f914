import MQTTClient
import Testing

@testable import Fleet

/// What follows when a broker refuses a device's subscriptions.
@Suite struct SubscriptionAttemptTests {
    private let first = SubscriptionAttempt(index: 3, epoch: 7)

    @Test func oneRefusalAmongGrantsCounts() {
        #expect(first.verdict([.success, .success]) == .granted)
        #expect(first.verdict([.success, .notAuthorized]) != .granted)
    }

    @Test func whatIsForbiddenIsToldAtOnceAndNotTriedAgain() {
        guard case .refused(let denial, let next) = first.verdict([.notAuthorized]) else {
            Issue.record("granted")
            return
        }
        #expect(denial != nil && next == nil)
    }

    @Test(arguments: [
        MQTTReasonCode.unspecifiedError, .implementationSpecificError, .quotaExceeded,
    ])
    func whatMayPassIsTriedAgainAndToldOnce(_ code: MQTTReasonCode) {
        var attempt = first
        var told: [Int] = []
        for number in 1...20 {
            guard case .refused(let denial, let next?) = attempt.verdict([code]) else {
                Issue.record("attempt \(number) is the last one")
                return
            }
            if denial != nil { told.append(number) }
            #expect(next.index == 3 && next.epoch == 7)
            attempt = next
        }
        #expect(told == [SubscriptionAttempt.doubtfulRefusals])
    }
}
