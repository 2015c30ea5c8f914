import DeviceMessages
import Testing

@testable import TerminalOutput

/// Texts of devices on a terminal.
@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain äöü 扫", "plain äöü 扫"), ("\u{1B}[2Jx", "\\u001b[2Jx"),
        ("a\nb\r\n", "a\\u000ab\\u000d\\u000a"),
        ("\u{202A}\u{202E}abc\u{2066}\u{2069}", "\\u202a\\u202eabc\\u2066\\u2069"),
        ("\u{200E}\u{200F}\u{61C}", "\\u200e\\u200f\\u061c"), ("\u{9B}1m", "\\u009b1m"),
        ("a\u{7F}", "a\\u007f"), ("\u{2028}", "\\u2028"), ("👩‍👧", "👩‍👧"),
    ])
    func controlCharactersCannotSteerATerminal(text: String, printable: String) {
        #expect(text.printable == printable)
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("äöü", 3), ("e\u{301}", 1), ("扫地", 4), ("한글", 4), ("ｆｕｌｌ", 8),
        ("👍", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("✓", 1), ("…", 1),
        ("\u{200B}", 0), ("\u{301}", 0), ("हि", 1), ("…–°²", 4), ("⏰", 2),
    ])
    func charactersTakeTheColumnsThatATerminalGivesThem(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("扫地机", 6, "扫地机"), ("扫地机", 5, "扫地…"),
        ("扫地机", 4, "扫…"), ("ab", 1, "…"), ("ab", 0, ""), ("", 3, ""), ("e\u{301}e\u{301}", 1, "…"),
    ])
    func aTextIsCutWithAnEllipsis(text: String, width: Int, fitted: String) {
        #expect(text.fitted(to: width) == fitted)
    }

    @Test func aTextIsBrokenAtBlanksElseBehindCommasElseAnywhere() {
        #expect("one two three".wrapped(to: 8, limit: 9) == ["one two", "three"])
        #expect("a=quiet|balanced|max".wrapped(to: 12, limit: 9) == ["a=quiet|", "balanced|max"])
        #expect("[1000,2000,3000]".wrapped(to: 11, limit: 9) == ["[1000,2000,", "3000]"])
        #expect("abcdefgh".wrapped(to: 3, limit: 9) == ["abc", "def", "gh"])
        #expect("扫地机器人".wrapped(to: 5, limit: 9) == ["扫地", "机器", "人"])
        #expect("扫".wrapped(to: 1, limit: 9) == ["扫"])
        #expect("one two three four".wrapped(to: 5, limit: 2) == ["one", "two …"])
        #expect("".wrapped(to: 5, limit: 2).isEmpty)
    }

    @Test func marksArePiledUpToALimit() {
        let pile = "a" + String(repeating: "\u{301}", count: 50_000) + "b"
        #expect(pile.fitted(to: 5).unicodeScalars.count == 17)
        #expect(pile.columns == 2)
    }

    @Test func onlyTerminalsGetColours() {
        #expect(Layout.plain.paint("x", .bad) == "x")
        #expect(Layout(width: 80).paint("x", .bad) == "x")
        #expect(Layout(width: 80, usesColour: true).paint("x", .bad) == "\u{1B}[31mx\u{1B}[0m")
        #expect(Layout(width: 80, usesColour: true).paint("x", .plain) == "x")
    }
}
