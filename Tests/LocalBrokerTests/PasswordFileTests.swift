import Glibc
import TestSupport
import Testing

@testable import LocalBroker

@Suite(.timeLimit(.minutes(1)))
struct PasswordFileTests {
    @Test func holdsTheHashForUsOnlyUntilItIsRemoved() async throws {
        let credentials = BrokerCredentials.random()
        let file = try await PasswordFile.make(for: credentials)
        let content = try String(
            decoding: #require(read(file.path)), as: UTF8.self)
        #expect(content.hasPrefix("homeport:$7$"))
        #expect(!content.contains(credentials.password))
        let folder = String(file.path.dropLast("/passwords".count))
        #expect(try mode(of: file.path) == 0o600 && mode(of: folder) == 0o700)
        file.remove()
        #expect(access(folder, F_OK) != 0)
        file.remove()
    }

    @Test func noTwoBrokersShareAPassword() {
        let passwords = (0..<8).map { _ in BrokerCredentials.random().password }
        #expect(Set(passwords).count == 8)
        #expect(passwords.allSatisfy { $0.count == 48 })
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    private func read(_ path: String) -> [UInt8]? {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
        guard file.isOpen else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(file.number, &bytes, bytes.count)
        return count >= 0 ? Array(bytes[..<count]) : nil
    }
}
