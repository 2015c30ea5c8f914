import Testing

@testable import DeviceSimulation

@Suite struct ComparedValueTests {
    @Test func theFirstLookAndEachChangeAreNoticed() {
        var compared = ComparedValue<Int>()
        let changes = [1, 1, 2, 2, 1].map { compared.takeChange(to: $0) }
        #expect(changes == [true, false, true, false, true])
    }
}
