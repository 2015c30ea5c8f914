import Foundation

/// `homeport-docs FOLDER`: writes the generated documents of the protocol into a folder.
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: homeport-docs FOLDER\n".utf8))
    exit(64)
}

do {
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in ProtocolDocuments.files {
        try Data(file.bytes).write(to: folder.appendingPathComponent(file.name))
    }
} catch {
    FileHandle.standardError.write(Data("homeport-docs: \(error)\n".utf8))
    exit(70)
}
