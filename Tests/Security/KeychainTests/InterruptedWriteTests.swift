import Glibc
import TestSupport
import Testing

@testable import Keychain

/// A process that is killed at any step of a write leaves the old or the new contents.
@Suite(.timeLimit(.minutes(1))) struct InterruptedWriteTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/keychain" }
    private var keychain: EncryptedFileKeychain {
        EncryptedFileKeychain(path: path, key: .keyFile(path + ".key"))
    }

    init() throws { folder = try TemporaryFolder() }

    /// One write has five steps.
    @Test(arguments: 1...5)
    func ofAChangedSecretOneOrTheOtherIsThere(step: Int) async throws {
        try await keychain.set("old", for: "a")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, step = step as Int] in
            try await EncryptedFileKeychain.dying(at: path, behind: step).set("new", for: "a")
        }
        let text = try await keychain.get("a")?.text
        #expect(text == (step < 4 ? "old" : "new"))
        try await keychain.set("newer", for: "a")
        #expect(folder.names == ["keychain", "keychain.key", "keychain.lock"])
    }

    /// The key file, then the keychain.
    @Test(arguments: 1...10)
    func ofAFirstSecretNothingOrAllIsThere(step: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, step = step as Int] in
            try await EncryptedFileKeychain.dying(at: path, behind: step).set("new", for: "a")
        }
        #expect(try await keychain.get("a")?.text == (step < 9 ? nil : "new"))
        try await keychain.set("newer", for: "a")
        #expect(try await keychain.get("a")?.text == "newer")
    }

    /// The key file with both keys, the keychain, the key file with the new key.
    @Test(arguments: 1...15)
    func duringARotationAKeyFits(step: Int) async throws {
        try await keychain.set("one", for: "a")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, step = step as Int] in
            try await EncryptedFileKeychain.dying(at: path, behind: step).rotate()
        }
        #expect(try await keychain.get("a")?.text == "one")
        try await keychain.rotate()
        #expect(try await keychain.get("a")?.text == "one")
    }
}

extension EncryptedFileKeychain {
    /// A keychain whose process is killed behind a step of its writes.
    fileprivate static func dying(at path: String, behind step: Int) -> EncryptedFileKeychain {
        let steps = Counter()
        return EncryptedFileKeychain(path: path, key: .keyFile(path + ".key")) { _ in
            if steps.next() == step { kill(getpid(), SIGKILL) }
        }
    }
}

/// Counts from 1; the steps come from one thread at a time.
private final class Counter: Sendable {
    private nonisolated(unsafe) var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
