import Testing

@testable import TerminalOutput

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirContent() {
        var table = TextTable([.init("DEVICE"), .init("KIND"), .init("N", isNumeric: true)])
        table.add(["a", "store", "7"])
        table.add(["sweeper-10", "", "12"])
        #expect(
            table.lines(in: .plain) == [
                "DEVICE      KIND    N", "a           store   7", "sweeper-10         12",
            ])
    }

    @Test func wideCharactersTakeTwoColumns() {
        var table = TextTable([.init("N"), .init("X")])
        table.add(["扫地", "1"])
        table.add(["abc", "2"])
        #expect(table.lines(in: .plain) == ["N     X", "扫地  1", "abc   2"])
    }

    /// The two characters that isolate a name take no column, and pipes do not get them.
    @Test(arguments: ["שואב", "مكنسة", "𞤀𞤣𞤤𞤥"])
    func onATerminalRightToLeftNamesDoNotReorderTheLine(name: String) {
        var table = TextTable([.init("N"), .init("X")])
        table.add([.init(name), "1"])
        table.add(["abcdefgh", "2"])
        let blanks = String(repeating: " ", count: 10 - name.columns)
        #expect(table.lines(in: Layout(width: 40))[1] == "\u{2068}\(name)\u{2069}\(blanks)1")
        #expect(table.lines(in: Layout(width: 40))[2] == "abcdefgh  2")
        #expect(table.lines(in: .plain)[1] == "\(name)\(blanks)1")
        #expect(table.lines(in: Layout(width: 40))[1].columns == 11)
    }

    @Test func withoutATerminalNothingIsCutAndOneLongCellPadsNoOther() {
        var table = TextTable([.init("N", .cut(minimum: 4)), .init("X")])
        let long = String(repeating: "a", count: 50_000)
        table.add([.init(long), "1"])
        table.add(["b", "2"])
        let lines = table.lines(in: .plain)
        #expect(lines[1] == long + "  1")
        #expect(lines[2].count == 64 + 3)
    }

    @Test(arguments: 1...40)
    func noLineIsWiderThanTheTerminal(width: Int) {
        var table = TextTable([
            .init("DEVICE", .cut(minimum: 4)), .init("STATE"),
            .init("N", isNumeric: true, omission: 1),
            .init("ARGUMENTS", .wrapped(minimum: 6), goesBelow: true), .init("ID", goesBelow: true),
        ])
        table.add(["客厅的扫地机器人", "succeeded", "12345", "a=1 b=客厅的扫地机器人", "0123456789"])
        table.add(["x", "–", "1", "–", "–"])
        for line in table.lines(in: Layout(width: width)) where line.columns > max(width, 6) {
            Issue.record("\(line.columns) columns of \(width): \(line)")
        }
    }

    @Test func whereNothingFitsTheLastColumnsGoBelowWithTheirTitles() {
        var table = TextTable([.init("ID"), .init("DEVICE", .cut(minimum: 6)), .init("NEXT")])
        table.add(["1", "sweeper-1", "2026-11-27 08:30"])
        table.add(["2", "sweeper-2", "–"])
        #expect(
            table.lines(in: Layout(width: 28)) == [
                "ID  DEVICE  NEXT", "1   sweep…  2026-11-27 08:30", "2   sweep…  –",
            ])
        #expect(
            table.lines(in: Layout(width: 24)) == [
                "ID  DEVICE", "1   sweeper-1", "    next 2026-11-27", "    08:30", "2   sweeper-2",
            ])
    }

    @Test func cellsGoBelowBeforeColumnsAreLeftOut() {
        var table = TextTable([
            .init("DEVICE"), .init("TOOK", omission: 1), .init("ID", goesBelow: true),
        ])
        table.add(["sweeper-1", "56 ms", "018f3c1e"])
        #expect(
            table.lines(in: Layout(width: 26)) == [
                "DEVICE     TOOK   ID", "sweeper-1  56 ms  018f3c1e",
            ])
        #expect(
            table.lines(in: Layout(width: 20)) == [
                "DEVICE     TOOK", "sweeper-1  56 ms", "    018f3c1e",
            ])
        #expect(table.lines(in: Layout(width: 14)) == ["DEVICE", "sweeper-1", "    018f3c1e"])
    }

    @Test func coloursDoNotMoveColumns() {
        var table = TextTable([.init("A"), .init("B")])
        table.add([.init("on", .good), "1"])
        table.add(["offline", "2"])
        let coloured = table.lines(in: Layout(width: 40, usesColour: true))
        #expect(coloured[1] == "\u{1B}[32mon\u{1B}[0m       1")
        #expect(coloured[0] == "\u{1B}[1mA\u{1B}[0m        \u{1B}[1mB\u{1B}[0m")
    }
}
