import TestSupport
import Testing

/// The code in the articles and in the README is code that is compiled: word for word.
@Suite struct ArticleTests {
    private let samples = CodeSamples(
        catalogue: "Sources/MQTT/MQTTClient/MQTTClient.docc",
        sources: "Tests/MQTT/MQTTClientTests/Documentation")

    @Test func everyCodeBlockOfAnArticleIsACompiledSample() throws {
        let compiled = try Set(samples.compiled)
        let shown = try samples.shown
        for block in shown { #expect(compiled.contains(block), "\(block)") }
        #expect(shown.count >= 12)
    }

    @Test func everySampleStandsInAnArticle() throws {
        let shown = try Set(samples.shown)
        for sample in try samples.compiled { #expect(shown.contains(sample), "\(sample)") }
    }

    @Test func theREADMEShowsTheExampleThatIsBuilt() throws {
        let example = try CodeSamples.text(
            of: "Examples/MQTTAlone/Sources/pubsub/PubSub.swift")
        #expect(try CodeSamples.blocks(in: "README.md").contains(example))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    }
}
