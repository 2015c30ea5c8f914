import DeviceDomain
import DeviceMessages
import Foundation
import Testing

@testable import homeport_docs

@Suite struct ProtocolDocumentsTests {
    private let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../docs/protocol")

    @Test func theCommittedDocumentsAreTheGeneratedOnes() throws {
        for file in ProtocolDocuments.files {
            let committed = try Data(contentsOf: folder.appendingPathComponent(file.name))
            #expect(committed == Data(file.bytes), "\(file.name): run make docs")
        }
    }

    @Test func theCommittedSchemaOfScenariosIsTheGeneratedOne() throws {
        let file = folder.deletingLastPathComponent().appendingPathComponent(ScenarioDocument.name)
        #expect(
            try Data(contentsOf: file) == Data(ScenarioDocument.bytes),
            "\(ScenarioDocument.name): run make docs")
        let schema = try JSONReader.read(
            ScenarioDocument.bytes, limits: JSONLimits(bytes: 1 << 20, depth: 32))
        let members = schema.object?["properties"]?.object
        #expect(members?["devices"] != nil && members?["assertions"] != nil)
        #expect(schema.object?["required"] == ["devices"])
    }

    @Test func nothingElseLiesBesideThem() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(Set(names) == Set(ProtocolDocuments.files.map(\.name)))
    }

    @Test func theBytesAreTheSameOnEveryRun() {
        for (first, second) in zip(ProtocolDocuments.files, ProtocolDocuments.files) {
            #expect(first.bytes == second.bytes)
        }
    }

    @Test func everyDocumentIsStrictJSON() throws {
        let limits = JSONLimits(bytes: 1 << 20, depth: 32)
        for file in ProtocolDocuments.files {
            let value = try JSONReader.read(file.bytes, limits: limits)
            #expect(value.object?.isEmpty == false)
        }
    }

    @Test func everyReferenceHasItsTarget() throws {
        let names = Set(ProtocolDocuments.files.map(\.name))
        let document = AsyncAPI.document
        for reference in references(in: document) {
            if reference.hasPrefix("#/") {
                let path = reference.dropFirst(2).split(separator: "/").map(String.init)
                let target = path.reduce(document as JSONValue?) { $0?.object?[$1] }
                #expect(target != nil, "\(reference)")
            } else {
                #expect(names.contains(String(reference.dropFirst(2))), "\(reference)")
            }
        }
        #expect(references(in: document).count > 20)
    }

    @Test func theSchemaOfACommandSaysWhatTheReaderChecks() throws {
        let schema = try #require(CommandMessage.shape.schemaDocument.object)
        #expect(
            schema["required"] == [
                "v", "id", "controller", "name", "arguments", "issuedAt", "expiresAt", "sequence",
            ])
        let properties = try #require(schema["properties"]?.object)
        #expect(properties["sequence"]?.object?["minimum"] == 1)
        #expect(properties["v"]?.object?["const"] == 1)
        #expect(properties["dryRun"]?.object?["type"] == "boolean")
        #expect(properties.count == 12)
    }

    @Test func channelsHaveTheAddressesOfTheProtocol() throws {
        let channels = try #require(AsyncAPI.document.object?["channels"]?.object)
        let addresses = channels.values.compactMap { $0.object?["address"]?.string }.sorted()
        #expect(
            addresses == [
                "homeport/v1/{home}/fence", "homeport/v1/{home}/hello",
                "homeport/v1/{home}/{device}/ack/{controller}",
                "homeport/v1/{home}/{device}/command",
                "homeport/v1/{home}/{device}/command/urgent",
                "homeport/v1/{home}/{device}/description",
                "homeport/v1/{home}/{device}/desired",
                "homeport/v1/{home}/{device}/event/{name}",
                "homeport/v1/{home}/{device}/presence", "homeport/v1/{home}/{device}/state",
                "homeport/v1/{home}/{device}/telemetry",
            ])
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .array(let items): items.flatMap(references)
        case .object(let members):
            members.flatMap { name, value in
                name == "$ref" ? [value.string ?? ""] : references(in: value)
            }
        case .null, .boolean, .number, .string: []
        }
    }
}
