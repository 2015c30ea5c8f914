import Alink
import DeviceDomain
import TestSupport
import Testing

@Suite struct ThingModelFolderTests {
    @Test func modelsAndKindsAreReadByProduct() throws {
        let folder = try TemporaryFolder()
        try folder.file("a1B2c3D4e5F.json", ThingModelSamples.robot)
        try folder.file("b2.json", #"{"properties":[]}"#)
        try folder.file("kinds.json", #"{"a1B2c3D4e5F":"sweeping-robot"}"#)
        try folder.file("notes.txt", "no model")
        let models = try ThingModelFolder(path: folder.path)
        #expect(models.products.keys.sorted().map(\.text) == ["a1B2c3D4e5F", "b2"])
        let key = try #require(ProductKey("a1B2c3D4e5F"))
        #expect(models.products[key]?.kind == .sweepingRobot)
        #expect(models.products[key]?.commands.all.count == 9)
        let other = try #require(ProductKey("b2"))
        #expect(models.products[other]?.kind.rawValue == "alink-device")
    }

    @Test(arguments: [
        ("a.json", "{"), ("a.json", "{}"), ("a b.json", #"{"properties":[]}"#),
        ("kinds.json", "[1]"), ("kinds.json", #"{"a":1}"#),
    ])
    func theFileThatCannotBeUsedIsNamed(_ name: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.file(name, text)
        let error = #expect(throws: ThingModelError.self) {
            try ThingModelFolder(path: folder.path)
        }
        #expect(error?.message.contains("\(folder.path)/\(name)") == true)
    }

    @Test func aFolderThatIsNotThereIsNamed() {
        let error = #expect(throws: ThingModelError.self) {
            try ThingModelFolder(path: "/nowhere/models")
        }
        #expect(error?.message.contains("/nowhere/models") == true)
    }
}
