import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// User name and password from a file that other users cannot read.
@Suite struct CredentialsFileTests {
    private func credentials(_ text: String, mode: UInt32 = 0o600) throws -> MQTTCredentials {
        let folder = try TemporaryFolder()
        return try MQTTCredentials(contentsOfFile: folder.file("broker", text, mode: mode))
    }

    private func refusal(_ text: String, mode: UInt32 = 0o600) -> MQTTError? {
        let error = #expect(throws: MQTTError.self) { try credentials(text, mode: mode) }
        #expect(error?.code == .invalidArgument)
        return error
    }

    @Test(arguments: [0o600, 0o400])
    func readsUserNameAndPassword(mode: UInt32) throws {
        let credentials = try credentials(
            "# for the broker\nusername=ann\n\npassword=a=b #c \n", mode: mode)
        #expect(credentials.username == "ann")
        #expect(credentials.password == "a=b #c ")
    }

    @Test func aPasswordMayBeMissing() throws {
        #expect(try credentials("username=ann") == MQTTCredentials(username: "ann"))
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o620, 0o700])
    func aFileThatIsOpenToOthersIsRefusedWithTheRemedy(mode: UInt32) {
        let error = refusal("username=ann\npassword=secret\n", mode: mode)
        #expect(error?.message.contains("run chmod 600 /") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("broker", "username=ann\n", mode: 0o600)
        try #require(chown(path, 65_534, 65_534) == 0)
        let error = #expect(throws: MQTTError.self) { try MQTTCredentials(contentsOfFile: path) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("belongs to another user") == true)
    }

    @Test(arguments: [
        "", "password=secret\n", "username=\n", "username=a\nusername=secret\n", "user=a\n",
        "ann:secret\n", "username=a\npassword=secret\u{0}\n",
        "username=a\npassword=" + String(repeating: "secret", count: 11_000),
    ])
    func aFileOfAnotherFormIsRefusedWithoutItsContent(text: String) {
        #expect(refusal(text)?.message.contains("secret") == false)
    }

    @Test(arguments: ["/nonexistent/credentials", "/tmp", "/dev/null"])
    func whatIsNoReadableFileIsRefused(path: String) {
        let error = #expect(throws: MQTTError.self) { try MQTTCredentials(contentsOfFile: path) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(path) == true)
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("broker", "username=ann\npassword=")
        try folder.append([0xFF, 0xFE], to: "broker")
        let error = #expect(throws: MQTTError.self) { try MQTTCredentials(contentsOfFile: path) }
        #expect(error?.message.contains("not UTF-8") == true)
    }
}
