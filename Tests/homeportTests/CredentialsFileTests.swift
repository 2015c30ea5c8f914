import Foundation
import MQTTClient
import Testing

@testable import homeport

@Suite struct CredentialsFileTests {
    private func withFile<R>(
        _ text: String, mode: Int = 0o600, _ body: (String) throws -> R
    ) throws -> R {
        let path = NSTemporaryDirectory() + "credentials-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return try body(path)
    }

    @Test(arguments: [0o600, 0o400])
    func readsUserNameAndPassword(mode: Int) throws {
        let text = "# for the broker\nusername=ann\n\npassword=a=b #c \n"
        let credentials = try withFile(text, mode: mode) { try CredentialsFile.read($0) }
        #expect(credentials.username == "ann")
        #expect(credentials.password == "a=b #c ")
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o620, 0o700])
    func aFileThatIsOpenToOthersIsRefusedWithTheRemedy(mode: Int) throws {
        try withFile("username=ann\n", mode: mode) { path in
            let failure = #expect(throws: Failure.self) { try CredentialsFile.read(path) }
            #expect(failure?.status == .usage)
            #expect(failure?.message.contains("chmod 600 \(path)") == true)
        }
    }

    @Test(arguments: [
        "", "password=x\n", "username=\n", "username=a\nusername=b\n", "user=a\n", "ann:secret\n",
    ])
    func aFileOfAnotherFormIsRefusedWithoutItsContent(text: String) throws {
        try withFile(text) { path in
            let failure = #expect(throws: Failure.self) { try CredentialsFile.read(path) }
            #expect(failure?.status == .usage)
            #expect(failure?.message.contains("secret") == false)
        }
    }

    @Test(arguments: ["/nonexistent/credentials", "/tmp"])
    func whatIsNoReadableFileIsRefused(path: String) {
        let failure = #expect(throws: Failure.self) { try CredentialsFile.read(path) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains(path) == true)
    }
}
