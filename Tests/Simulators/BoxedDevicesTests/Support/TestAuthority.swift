import Foundation

/// A certificate authority that the `openssl` command keeps in a folder of its own.
final class TestAuthority: Sendable {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "homeport-authority-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try run(
            """
            openssl ecparam -name prime256v1 -genkey -noout -out ca.key
            openssl req -x509 -new -key ca.key -days 1 -subj /CN=test -out ca.pem
            """)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The authority's own certificate in PEM.
    func certificate() throws -> String { try run("cat ca.pem") }

    /// A certificate in PEM for a request whose signature is right.
    func sign(_ request: String) throws -> String {
        try run(
            """
            openssl req -in /dev/stdin -verify -noout -out /dev/null 2>&1
            """, input: request)
        return try run(
            "openssl x509 -req -in /dev/stdin -CA ca.pem -CAkey ca.key -days 1 2>/dev/null",
            input: request)
    }

    /// The subject of a request.
    func subject(of request: String) throws -> String {
        try run("openssl req -in /dev/stdin -noout -subject", input: request)
    }

    @discardableResult
    private func run(_ script: String, input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw OpenSSLFailed(script: script) }
        return String(decoding: output, as: UTF8.self)
    }
}

/// The `openssl` command did not do what was asked.
struct OpenSSLFailed: Error {
    let script: String
}
