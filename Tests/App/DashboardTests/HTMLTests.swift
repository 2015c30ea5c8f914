import Markup
import Testing

@testable import Dashboard

@Suite struct HTMLTests {
    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\" onclick='x' a=\"", "&quot; onclick=&#39;x&#39; a=&quot;"),
        ("a & b &lt;", "a &amp; b &amp;lt;"),
        ("nul\0 bell\u{7} \u{9B}", "nul\u{FFFD} bell\u{FFFD} \u{FFFD}"),
        ("turned \u{202E}round", "turned \u{FFFD}round"),
        ("床下 🤖\n", "床下 🤖\n"),
    ])
    func textIsEscaped(text: String, markup: String) {
        #expect(HTML(text).markup == markup)
    }

    @Test func everyPlaceOfATextIsEscaped() {
        let piece = element("p", .class("<"), .label("\"><b>")) {
            "<i>"
            element("b", text: "&")
            void("input", .init("value", "'\""))
        }
        #expect(
            piece.markup
                == #"<p class="&lt;" aria-label="&quot;&gt;&lt;b&gt;">&lt;i&gt;<b>&amp;</b>"#
                + #"<input value="&#39;&quot;"/></p>"#)
    }

    @Test func randomTextsNeverLeaveTheirPlace() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("<>\"'&= /;a\0\u{202E}\n")
        for _ in 0..<2_000 {
            let text = String(
                (0..<12).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
            let markup = HTML(text).markup
            #expect(!markup.contains { "<>\"'".contains($0) })
            // Every ampersand begins one of the references that are written.
            for part in markup.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
                #expect(["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) })
            }
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "//evil.example/", "/\\evil.example", "https://evil.example/",
        "/a b", "/\u{9}x", "", "data:text/html,x",
    ])
    func onlyPathsOfThisServerAreLinked(path: String) {
        #expect(LocalPath(path).text == "/")
    }

    @Test(arguments: ["/", "/devices/sweeper-1?page=2", "#main"])
    func pathsAreKept(path: String) {
        #expect(LocalPath(path).text == path)
    }
}
