import Glibc
import Homeport

/// Reads a secret from stdin: to its end, or one line from a terminal without echo.
enum SecretInput {
    private static let largest = 64 << 10

    /// The secret, without one newline at its end.
    /// - Throws: ``KeychainError`` `invalidSecret` if there is none, or too much.
    static func read(from descriptor: Int32 = STDIN_FILENO) throws(KeychainError) -> Secret {
        let secret = try input(from: descriptor, prompt: "Secret: ")
        guard secret.count > 0 else {
            throw KeychainError(
                .invalidSecret, "there was no secret on stdin; write it there, or type it")
        }
        return secret
    }

    /// The first line of stdin without its newline, which may be empty.
    /// - Parameter prompt: what a person at a terminal reads.
    static func readLine(
        from descriptor: Int32 = STDIN_FILENO, prompt: String = ""
    ) throws(KeychainError) -> Secret {
        let text = try input(from: descriptor, prompt: prompt)
        return text.withUnsafeBytes { bytes in
            Secret(bytes.prefix { $0 != UInt8(ascii: "\n") })
        }
    }

    private static func input(
        from descriptor: Int32, prompt: String
    ) throws(KeychainError) -> Secret {
        guard let echo = HiddenEcho(descriptor) else {
            return try contents(of: descriptor, isLine: false)
        }
        _ = write(STDERR_FILENO, prompt, prompt.utf8.count)
        defer { echo.giveBack() }
        return try contents(of: descriptor, isLine: true)
    }

    private static func contents(
        of descriptor: Int32, isLine: Bool
    ) throws(KeychainError) -> Secret {
        var bytes = [UInt8](repeating: 0, count: largest + 2)
        defer {
            bytes.withUnsafeMutableBytes { buffer in
                if let address = buffer.baseAddress { explicit_bzero(address, buffer.count) }
            }
        }
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            guard part != -1 || errno != EINTR else { continue }
            guard part > 0 else { break }
            count += part
            if isLine, bytes[count - 1] == UInt8(ascii: "\n") { break }
        }
        if count > 0, bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        guard count <= largest else {
            throw KeychainError(.invalidSecret, "a secret has at most \(largest) bytes")
        }
        return Secret(bytes[..<count])
    }
}
