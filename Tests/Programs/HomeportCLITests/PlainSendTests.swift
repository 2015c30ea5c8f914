import Testing

@testable import HomeportCLI

/// What is read without the parser means what the parser makes of it.
@Suite struct PlainSendTests {
    @Test(arguments: [
        "sweeper-1 locate",
        "sweeper-1 locate --json",
        "--broker mqtt://127.0.0.1:1884 sweeper-1 --json start-cleaning rooms=[1,2] passes=2",
        "pool-1 stop --home home-2 --controller ctl --database /tmp/x.sqlite --wait observed",
    ])
    func aPlainLineMeansTheSame(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let plain = try #require(SendVerb(plain: words))
        let parsed = try #require(SendVerb.parsed(words))
        // Each option with its value: one that was left out would be a definition.
        #expect("\(plain)" == "\(parsed)")
        #expect(!"\(plain)".contains("definition"))
    }

    @Test(arguments: [
        "sweeper-1", "locate --all", "sweeper-1 locate --dry-run", "sweeper-1 locate --broker",
        "sweeper-1 locate --broker=mqtt://a", "sweeper-1 locate --broker a --broker b",
        "sweeper-1 locate --json --json", "sweeper-1 locate --home UPPER",
        "sweeper-1 locate --wait soon", "sweeper-1 locate level", "-- sweeper-1 locate",
        "sweeper-1 locate --help", "sweeper-1 locate --broker --json",
    ])
    func anyOtherLineIsLeftToTheParser(line: String) {
        #expect(SendVerb(plain: line.split(separator: " ").map(String.init)) == nil)
    }
}
