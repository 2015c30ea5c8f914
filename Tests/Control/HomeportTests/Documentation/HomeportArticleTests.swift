import Homeport
import TestSupport
import Testing

/// The code in the articles and in the README is code that is compiled: word for word.
@Suite struct HomeportArticleTests {
    private let samples = CodeSamples(
        catalogue: "Sources/Control/Homeport/Homeport.docc",
        sources: "Tests/Control/HomeportTests/Documentation")

    @Test func everyCodeBlockOfAnArticleIsACompiledSample() throws {
        let compiled = try Set(samples.compiled)
        let shown = try samples.shown
        for block in shown { #expect(compiled.contains(block), "\(block)") }
        #expect(shown.count >= 20)
    }

    @Test func everySampleStandsInAnArticle() throws {
        let shown = try Set(samples.shown)
        for sample in try samples.compiled { #expect(shown.contains(sample), "\(sample)") }
    }

    @Test func theREADMEShowsTheExampleThatIsBuilt() throws {
        let example = try CodeSamples.text(
            of: "Examples/Sources/clean-two-rooms/CleanTwoRooms.swift")
        #expect(try CodeSamples.blocks(in: "README.md").contains(example))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    }
    @Test func theTablesOfKindsAreThoseOfTheFactory() throws {
        let page = try CodeSamples.text(of: "Sources/Control/Homeport/Homeport.docc/Devices.md")
        let factory = DeviceFactory.standard
        let common = Set(CommandSpecification.ofEveryDevice.map(\.name))
        for model in factory.models {
            let blueprint = try factory.blueprint(of: model)
            let kind = blueprint.kind.rawValue
            let capabilities = list(blueprint.capabilities.map(\.rawValue))
            expectRow("| `\(model.rawValue)` | `\(kind)` | \(capabilities) |", in: page)
            let own = blueprint.commands.map(\.name).filter { !common.contains($0) }
            expectRow("| `\(kind)` | \(list(own.map(\.rawValue))) |", in: page)
        }
    }

    private func list(_ names: [String]) -> String {
        names.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }

    private func expectRow(_ row: String, in page: String) {
        #expect(page.split(separator: "\n").contains { $0 == row }, "\(row)")
    }
}
