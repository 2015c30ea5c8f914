import Testing

@testable import HomeportCLI

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirContent() {
        var table = TextTable(titles: ["DEVICE", "KIND"])
        table.add(["a", "store"])
        table.add(["sweeper-10", ""])
        #expect(table.lines == ["DEVICE      KIND", "a           store", "sweeper-10"])
    }

    @Test func wideCharactersTakeTwoColumns() {
        var table = TextTable(titles: ["N", "X"])
        table.add(["扫地", "1"])
        table.add(["abc", "2"])
        #expect(table.lines == ["N     X", "扫地  1", "abc   2"])
    }

    @Test(arguments: [
        ("plain äöü 扫", "plain äöü 扫"), ("\u{1B}[2Jx", "\\u{1B}[2Jx"), ("a\nb", "a\\u{A}b"),
        ("\u{202E}abc", "\\u{202E}abc"), ("\u{9B}1m", "\\u{9B}1m"), ("a\u{7F}", "a\\u{7F}"),
    ])
    func controlCharactersCannotSteerATerminal(text: String, printable: String) {
        #expect(text.printable == printable)
    }
}
