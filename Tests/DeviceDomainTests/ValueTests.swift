import DeviceDomain
import Testing

@Suite struct ValueTests {
    @Test func aPercentageIsWithinTheWhole() {
        for value in [0, 0.1, 100] { #expect(Percentage(value)?.value == value) }
        for value in [-0.1, 100.1, .nan, .infinity, -.infinity] {
            #expect(Percentage(value) == nil)
        }
        #expect(Percentage(clamping: -3).value == 0)
        #expect(Percentage(clamping: 300).value == 100)
        #expect(Percentage(clamping: .nan).value == 0)
        #expect(Percentage(clamping: 54.2).value == 54.2)
    }

    @Test func aPowerIsPositive() {
        #expect(Power(watts: 0.5)?.watts == 0.5)
        for watts in [0, -1, .nan, .infinity] { #expect(Power(watts: watts) == nil) }
    }

    @Test func aPositionIsFinite() {
        #expect(FloorPosition(x: -1.5, y: 2) != nil)
        #expect(FloorPosition(x: .nan, y: 2) == nil)
        #expect(FloorPosition(x: 0, y: .infinity) == nil)
    }

    @Test func aSelectionHasOneToTwentyDifferentRooms() {
        #expect(RoomSelection([3, 5])?.ids == [3, 5])
        #expect(RoomSelection([]) == nil)
        #expect(RoomSelection([1, 1]) == nil)
        #expect(RoomSelection(Array(1...20)) != nil)
        #expect(RoomSelection(Array(1...21)) == nil)
    }

    @Test func aNumberWithoutFractionIsAnInteger() {
        #expect(JSONValue.number(3.0).integer == 3)
        #expect(JSONValue.number(3.5).integer == nil)
        #expect(JSONValue.number(9_007_199_254_740_991).integer == JSONValue.largestInteger)
        #expect(JSONValue.number(9_007_199_254_740_992).integer == nil)
        #expect(JSONValue.boolean(true).integer == nil)
        #expect(JSONValue.boolean(true).number == nil)
        #expect(JSONValue.string("3").integer == nil)
    }

    @Test func timestampsCountMilliseconds() {
        let start = Timestamp(milliseconds: 1_000)
        #expect(start.advanced(by: .seconds(2)).milliseconds == 3_000)
        #expect(start.advanced(by: .microseconds(1_999)).milliseconds == 1_001)
        #expect(start.since(Timestamp(milliseconds: 3_500)) == .milliseconds(-2_500))
        #expect(Duration.milliseconds(-1_500).wholeMilliseconds == -1_500)
    }

    @Test func anOlderStateIsIgnored() {
        var report = DeviceReport()
        let heeded = [(5, 1), (4, 0), (5, 2)].map { revision, value in
            report.apply(state: ["a": .integer(value)], revision: revision)
        }
        #expect(heeded == [true, false, true])
        #expect(report.state == ["a": 2])
        #expect(report.revision == 5)
    }
}
