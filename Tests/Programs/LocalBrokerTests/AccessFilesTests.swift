import Glibc
import LocalServices
import TestSupport
import Testing

@testable import LocalBroker

@Suite(.timeLimit(.minutes(1)))
struct AccessFilesTests {
    @Test func holdsTheHashForUsOnlyUntilItIsRemoved() async throws {
        let users = ["homeport", "home-1/sweeper-1"].map { BrokerCredentials.random(for: $0) }
        let file = try await AccessFiles.make(for: users, "topic read #\n")
        let content = try String(
            decoding: #require(read(file.passwords)), as: UTF8.self)
        let lines = content.split(separator: "\n")
        #expect(lines.count == 2)
        for (line, user) in zip(lines, users) {
            #expect(line.hasPrefix("\(user.username):$7$"))
            #expect(!content.contains(user.password))
        }
        #expect(read(file.accessControl) == Array("topic read #\n".utf8))
        let folder = String(file.passwords.dropLast("/passwords".count))
        #expect(try mode(of: file.passwords) == 0o600 && mode(of: folder) == 0o700)
        #expect(try mode(of: file.accessControl) == 0o600)
        file.remove()
        #expect(access(folder, F_OK) != 0)
        file.remove()
    }

    @Test func noTwoBrokersShareAPassword() {
        let passwords = (0..<8).map { _ in BrokerCredentials.random(for: "homeport").password }
        #expect(Set(passwords).count == 8)
        #expect(passwords.allSatisfy { $0.count == 48 })
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    private func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count >= 0 ? Array(bytes[..<count]) : nil
    }
}
