import Foundation

/// `homeport-docs FOLDER`: writes what is generated into the folder of the documents.
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: homeport-docs FOLDER\n".utf8))
    exit(64)
}

do {
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    let schemas = folder.appendingPathComponent("protocol", isDirectory: true)
    try FileManager.default.createDirectory(at: schemas, withIntermediateDirectories: true)
    for file in ProtocolDocuments.files {
        try Data(file.bytes).write(to: schemas.appendingPathComponent(file.name))
    }
    let scenario = folder.appendingPathComponent(ScenarioDocument.name)
    try Data(ScenarioDocument.bytes).write(to: scenario)
    let commands = folder.appendingPathComponent("commands.md")
    if let text = LifecycleDiagram.refresh(try String(contentsOf: commands, encoding: .utf8)) {
        try Data(text.utf8).write(to: commands)
    }
} catch {
    FileHandle.standardError.write(Data("homeport-docs: \(error)\n".utf8))
    exit(70)
}
