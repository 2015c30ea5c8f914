import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

@Suite struct JSONLineTests {
    @Test func whatATerminalObeysIsEscapedAndStaysTheSame() throws {
        var line = JSONLine()
        let name = "\u{202E}\u{2066}\u{9B}\u{200F}\u{61C}\u{7F}\u{1B}\"扫"
        line.add("name", name)
        line.add("state", .object(["\u{202A}": "x"]))
        #expect(
            line.text == #"""
                {"name":"\u202e\u2066\u009b\u200f\u061c\u007f\u001b\"扫","state":{"\u202a":"x"}}
                """#)
        let read = try JSONReader.read(Array(line.text.utf8)).object
        #expect(read?["name"]?.string == name)
        #expect(read?["state"]?.object?.keys.first == "\u{202A}")
    }
}
