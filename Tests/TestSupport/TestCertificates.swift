private import Glibc

/// Certificates and keys that the `openssl` command has made for this run of the tests, PEM files in a
/// folder that goes away with the process.
package struct TestCertificates: Sendable {
    /// The folder.
    package let folder: String

    /// The authority that tests trust.
    package var authority: String { self["ca"] }
    /// The key of every certificate but the one called `weak`.
    package var key: String { "\(folder)/leaf.key" }

    /// The path of a certificate.
    package subscript(name: String) -> String { "\(folder)/\(name).pem" }

    /// The path of another file of the folder.
    package func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// The certificates, made by whoever asks first.
    package static func made() async throws -> TestCertificates { try await making.value }

    private static let making = Task { try await onThread { try TestCertificates() } }

    private init() throws(TestSupportError) {
        var template = Array("/tmp/homeport-certificates-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("no temporary folder") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        foldersToRemove = folder
        atexit { removeFolders() }
        let child = try SpawnedProcess(["sh", "-c", Self.script, "sh", folder])
        var output: [UInt8] = []
        while let part = child.read() { output += part }
        guard child.collect() == 0 else {
            throw TestSupportError(
                "certificates cannot be made: \(String(decoding: output, as: UTF8.self))")
        }
    }
}

/// What the end of the process removes; written once, before it can be read.
nonisolated(unsafe) private var foldersToRemove = ""

private func removeFolders() {
    do {
        let child = try SpawnedProcess(["rm", "-rf", foldersToRemove])
        _ = child.collect()
    } catch {}
}
