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

    @Test func aPowerIsPositive() throws {
        #expect(try Power(watts: 0.5).watts == 0.5)
        for watts in [0, -1, .nan, .infinity] {
            let error = #expect(throws: ArgumentViolation.self) { try Power(watts: watts) }
            #expect(error?.path == "powerW")
        }
    }

    @Test func aPositionIsFinite() throws {
        #expect(try FloorPosition(x: -1.5, y: 2).x == -1.5)
        for (x, y, path) in [(Double.nan, 2, "x"), (0, .infinity, "y")] {
            let error = #expect(throws: ArgumentViolation.self) { try FloorPosition(x: x, y: y) }
            #expect(error?.path == path)
        }
    }

    @Test func aSelectionHasOneToTwentyDifferentRooms() throws {
        #expect(try RoomSelection([3, 5]).ids == [3, 5])
        #expect(try RoomSelection(Array(1...20)).ids.count == 20)
        for ids in [[], [1, 1], Array(1...21)] {
            #expect(throws: ArgumentViolation.self) { try RoomSelection(ids) }
        }
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
        let applied = [(5, 1), (4, 0), (5, 2)].map { revision, value in
            report.apply(state: ["a": .integer(value)], revision: revision)
        }
        #expect(applied == [true, false, true])
        #expect(report.state == ["a": 2])
        #expect(report.revision == 5)
    }
}
