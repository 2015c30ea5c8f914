import Testing

@testable import Notifications

@Suite struct NotificationLimitTests {
    @Test func soManyLeaveInAnHour() {
        var limit = NotificationLimit(most: 2)
        let admitted = [0, 600, 3_599, 3_600, 4_199, 4_200].map { limit.admit(at: .seconds($0)) }
        #expect(admitted == [true, true, false, true, false, true])
        #expect(limit.opening(at: .seconds(4_201)) == .seconds(7_200))
    }

    @Test func whatWasDroppedIsToldOnce() {
        var limit = NotificationLimit(most: 1)
        let before = limit.takeDropped(at: .zero)
        #expect(before == nil)
        #expect(limit.opening(at: .zero) == nil)
        let admitted = (0...3).map { limit.admit(at: .seconds($0)) }
        #expect(admitted == [true, false, false, false])
        let told = [3_599, 3_600, 9_000].map { limit.takeDropped(at: .seconds($0)) }
        #expect(told == [nil, 3, nil])
        // The telling counts, too.
        let next = [3_601, 7_200].map { limit.admit(at: .seconds($0)) }
        #expect(next == [false, true])
    }
}
