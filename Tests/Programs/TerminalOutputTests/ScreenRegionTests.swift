import Testing

@testable import TerminalOutput

/// A list that is redrawn in place, on a terminal that shows what would be seen.
@Suite struct ScreenRegionTests {
    private let size = TerminalSize(columns: 20, rows: 6)

    @Test func linesTakeThePlaceOfThoseBefore() {
        var region = ScreenRegion()
        var screen = SeenScreen(above: ["$ homeport devices"])
        screen.take(region.frame(["one", "two", "three"], in: size))
        #expect(screen.lines == ["$ homeport devices", "one", "two", "three", ""])
        screen.take(region.frame(["uno", "dos"], in: size))
        #expect(screen.lines == ["$ homeport devices", "uno", "dos", ""])
        screen.take(region.frame([], in: size))
        #expect(screen.lines == ["$ homeport devices", ""])
        screen.take(region.frame(["eins"], in: size))
        #expect(screen.lines == ["$ homeport devices", "eins", ""])
    }

    @Test func nothingIsDrawnWhereNothingChanged() {
        var region = ScreenRegion()
        _ = region.frame(["one"], in: size)
        #expect(region.frame(["one"], in: size).isEmpty)
    }

    @Test func neverMoreLinesThanTheTerminalHas() {
        var region = ScreenRegion()
        var screen = SeenScreen(above: [])
        screen.take(region.frame((1...9).map(String.init), in: size))
        #expect(screen.lines.count == 6)
        #expect(screen.lines.prefix(4) == ["1", "2", "3", "4"])
        #expect(screen.lines[4].hasPrefix("… 5 more"))
        #expect(screen.lines[4].columns <= size.columns)
    }

    @Test func aResizedTerminalIsCleared() {
        var region = ScreenRegion()
        var screen = SeenScreen(above: ["$"])
        screen.take(region.frame(["one"], in: size))
        screen.take(region.frame(["one"], in: TerminalSize(columns: 10, rows: 6)))
        #expect(screen.lines == ["one", ""])
    }
}

/// What a terminal shows that knows the control sequences of ``ScreenRegion``.
private struct SeenScreen {
    private(set) var lines: [String]
    private var row: Int

    init(above: [String]) {
        lines = above + [""]
        row = above.count
    }

    mutating func take(_ text: String) {
        var rest = text[...]
        while let character = rest.first {
            rest.removeFirst()
            switch character {
            case "\n": moveDown()
            case "\r": break
            case "\u{1B}":
                let end = rest.firstIndex(where: \.isLetter) ?? rest.endIndex
                control(String(rest[rest.index(after: rest.startIndex)...end]))
                rest = rest[rest.index(after: end)...]
            default: lines[row].append(character)
            }
        }
    }

    private mutating func moveDown() {
        row += 1
        if row == lines.count { lines.append("") }
    }

    private mutating func control(_ sequence: String) {
        switch sequence {
        case "2K": lines[row] = ""
        case "J":
            lines[row] = ""
            lines.removeSubrange((row + 1)...)
        case "2J": lines = lines.map { _ in "" }
        case "H": row = 0
        default:
            guard sequence.hasSuffix("A"), let count = Int(sequence.dropLast()) else {
                Issue.record("an unknown control sequence: \(sequence)")
                return
            }
            row -= count
        }
        if sequence == "2J" { lines = [""] }
    }
}
