import Foundation

/// Hashes by a program, independent of the code under test.
enum Digest {
    /// SHA-256 as hexadecimal digits.
    static func sha256(_ bytes: [UInt8]) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        do {
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data(bytes))
            try input.fileHandleForWriting.close()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: text.prefix(64), as: UTF8.self)
        } catch { return "\(error)" }
    }
}
