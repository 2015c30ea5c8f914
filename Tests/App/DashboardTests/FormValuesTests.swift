import Testing

@testable import Dashboard

@Suite struct FormValuesTests {
    @Test func valuesAreDecoded() {
        let form = FormValues("a=1+2&b=%E6%B8%85%E6%89%AB&a=3&c&d=%zz%4&e=x=y&%66=g")
        #expect(form.all("a") == ["1 2", "3"])
        #expect(form["b"] == "清扫")
        #expect(form["c"] == "")
        #expect(form["d"] == "%zz%4")
        #expect(form["e"] == "x=y")
        #expect(form["f"] == "g")
        #expect(form["z"] == nil)
    }

    @Test func brokenTextBecomesAReplacement() {
        #expect(FormValues("a=%ff%00")["a"] == "\u{FFFD}\0")
    }

    @Test func whatIsWrittenIsReadBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let text = String(
                (0..<8).compactMap { _ in
                    UnicodeScalar(UInt32.random(in: 0...0x2FFF, using: &generator))
                        .map(Character.init)
                })
            let form = FormValues(FormValues.encoded([("n", text), ("m", "")]))
            #expect(form["n"].map { Array($0.utf8) } == Array(text.utf8))
            #expect(form["m"] == "")
        }
    }

    @Test func noMoreThanTheLimitIsRead() {
        let text = String(repeating: "a=1&", count: FormValues.limit + 50)
        #expect(FormValues(text).pairs.count == FormValues.limit)
    }

    @Test func theFirstOfTwoCookiesCounts() {
        let cookies = PageRequest.cookies("a=1; b=2;c=x=y; a=9; broken; =z")
        #expect(cookies == ["a": "1", "b": "2", "c": "x=y"])
    }
}
