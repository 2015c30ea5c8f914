import DeviceDomain
import Testing

@testable import Fleet

@Suite struct BootCountTests {
    private let first = BootCount(count: 1, since: Timestamp(milliseconds: 1_764_000_000_000))

    @Test func everyStartHasABootIDOfItsOwn() {
        #expect(first.id.text == "b1-midc1z40")
        #expect(first.next.id.text == "b2-midc1z40")
    }

    @Test func aNewJournalDoesNotRepeatBootIDs() {
        let later = BootCount(count: 1, since: Timestamp(milliseconds: 1_764_000_000_001))
        #expect(later.id != first.id)
    }

    @Test func aTimeBeforeTheEpochHasABootIDToo() {
        let early = BootCount(count: 1, since: Timestamp(milliseconds: -1))
        #expect(early.id.text == "b1-0")
    }
}
