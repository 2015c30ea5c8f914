import Glibc
import Keychain
import TestSupport
import Testing

/// The encrypted file: what it stores, and what it refuses.
@Suite(.timeLimit(.minutes(1))) struct FileKeychainTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/state/keychain" }
    private var keychain: EncryptedFileKeychain {
        EncryptedFileKeychain(path: path, key: .keyFile(path + ".key"))
    }

    init() throws { folder = try TemporaryFolder() }

    @Test func whatWasStoredIsThereInAnotherProcess() async throws {
        try await keychain.set("one", for: "a")
        try await keychain.set("two", for: "b")
        try await keychain.set("three", for: "a")
        #expect(try await keychain.get("a")?.text == "three")
        #expect(try await keychain.get("b")?.text == "two")
        #expect(try await keychain.get("c") == nil)
        #expect(try await keychain.keys().map(\.account) == ["a", "b"])
        #expect(try await keychain.check() == 2)
    }

    @Test func readingMakesNothing() async throws {
        #expect(try await keychain.get("a") == nil)
        #expect(try await keychain.keys().isEmpty)
        #expect(try await keychain.remove(SecretName("a")) == false)
        #expect(try await keychain.check() == nil)
        #expect(folder.names.isEmpty)
    }

    @Test func aSecretIsRemovedOnce() async throws {
        try await keychain.set("one", for: "a")
        #expect(try await keychain.remove(SecretName("a")))
        #expect(try await keychain.remove(SecretName("a")) == false)
        #expect(try await keychain.get("a") == nil)
    }

    @Test func aSecretIsReplacedOnlyIfItIsTheExpectedOne() async throws {
        let name = try SecretName("a")
        #expect(try await keychain.compareAndSet(name, from: nil, to: Secret("one".utf8)))
        #expect(try await !keychain.compareAndSet(name, from: nil, to: Secret("two".utf8)))
        #expect(
            try await keychain.compareAndSet(name, from: Secret("one".utf8), to: Secret("two".utf8))
        )
        #expect(try await keychain.get("a")?.text == "two")
        #expect(try await keychain.compareAndSet(name, from: Secret("two".utf8), to: nil))
        #expect(try await keychain.get("a") == nil)
    }

    @Test func servicesDoNotSeeEachOthersSecrets() async throws {
        try await keychain.set(
            Secret("x".utf8), for: SecretName("a", service: "identity"))
        #expect(try await keychain.get("a") == nil)
        #expect(try await keychain.keys().map(\.service) == ["identity"])
    }

    @Test func filesAreForTheUserAloneAndContainNoSecret() async throws {
        try await keychain.set("hidden-word", for: "a")
        #expect(try mode(folder.path + "/state") == 0o700)
        for name in ["keychain", "keychain.key", "keychain.lock"] {
            #expect(try mode(folder.path + "/state/" + name) == 0o600, "\(name)")
            let text = try folder.text(of: "state/" + name)
            #expect(!text.contains("hidden-word"))
        }
    }

    @Test func whatOthersCouldReadOrReplaceIsRefused() async throws {
        try await keychain.set("one", for: "a")
        let files = [path, path + ".key"]
        for file in files {
            for mode in [0o640, 0o604, 0o620] as [UInt32] {
                try #require(chmod(file, mode) == 0)
                await expect(.unsafe) { try await keychain.get("a") }
                await expect(.unsafe) { try await keychain.set("two", for: "a") }
            }
            try #require(chmod(file, 0o600) == 0)
        }
        for file in files {
            try #require(rename(file, file + ".other") == 0)
            try #require(symlink(file + ".other", file) == 0)
            await expect(.unsafe) { try await keychain.get("a") }
            try #require(rename(file + ".other", file) == 0)
        }
        for above in [folder.path, folder.path + "/state"] {
            try #require(chmod(above, 0o770) == 0)
            await expect(.unsafe) { try await keychain.get("a") }
            try #require(chmod(above, 0o700) == 0)
        }
        #expect(try await keychain.get("a")?.text == "one")
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give files away"))
    func aFileOfAnotherUserIsRefused() async throws {
        try await keychain.set("one", for: "a")
        try #require(chown(path, 65_534, 65_534) == 0)
        await expect(.unsafe) { try await keychain.get("a") }
    }

    @Test func everyChangedByteOfTheFileIsNoticed() async throws {
        try await keychain.set("one", for: "a")
        let bytes = try folder.contents(of: "state/keychain")
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x20
            try replace("state/keychain", changed)
            await expect(.damaged, "byte \(index)") { try await keychain.get("a") }
        }
    }

    @Test func everyShorterFileIsNoticed() async throws {
        try await keychain.set("one", for: "a")
        let bytes = try folder.contents(of: "state/keychain")
        for count in bytes.indices {
            try replace("state/keychain", Array(bytes.prefix(count)))
            await expect(.damaged, "\(count) bytes") { try await keychain.keys() }
        }
        try replace("state/keychain", bytes + [0])
        await expect(.damaged) { try await keychain.keys() }
    }

    @Test func everyChangedByteOfTheKeyIsAWrongKey() async throws {
        try await keychain.set("one", for: "a")
        let bytes = try folder.contents(of: "state/keychain.key")
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x01
            try replace("state/keychain.key", changed)
            await expect(.wrongKey, "byte \(index)") { try await keychain.get("a") }
        }
        try replace("state/keychain.key", Array(bytes.dropLast()))
        await expect(.wrongKey) { try await keychain.get("a") }
        try #require(unlink(path + ".key") == 0)
        await expect(.wrongKey) { try await keychain.set("two", for: "a") }
    }

    @Test func writersThatRaceLoseNothing() async throws {
        let path = path
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let keychain = EncryptedFileKeychain(path: path, key: .keyFile(path + ".key"))
                    try await keychain.set("secret \(number)", for: "name-\(number)")
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<8 {
            #expect(try await keychain.get("name-\(number)")?.text == "secret \(number)")
        }
    }

    @Test func secretsAndNamesHaveBounds() async throws {
        await expect(.invalidSecret) { try await keychain.set("", for: "a") }
        let large = Secret([UInt8](repeating: 1, count: (64 << 10) + 1))
        await expect(.invalidSecret) { try await keychain.set(large, for: SecretName("a")) }
        for name in ["", "a\nb", String(repeating: "a", count: 256)] {
            await expect(.invalidName) { try await keychain.set("one", for: name) }
        }
    }

    // MARK: What another program wrote

    @Test func aFileOfAnotherProgramIsRead() async throws {
        _ = try folder.folder("state")
        try replace("state/keychain", SampleFiles.withKey)
        try replace("state/keychain.key", SampleFiles.key)
        #expect(try await keychain.get("broker")?.text == "username=ann\npassword=secret")
        let villa = try SecretName("villa", service: "identity")
        #expect(try await keychain.get(villa)?.count == 2)
        #expect(try await keychain.check() == 2)
        try await keychain.set("new", for: "broker")
        #expect(try await keychain.get(villa)?.count == 2)
    }

    @Test func aFileWithAPassphraseIsRead() async throws {
        _ = try folder.folder("state")
        try replace("state/keychain", SampleFiles.withPassphrase)
        let phrase = try folder.file("phrase", SampleFiles.passphrase + "\nnot read\n")
        let keychain = EncryptedFileKeychain(path: path, key: .passphrase(phrase))
        #expect(try await keychain.get("a")?.text == "one")
        try folder.file("phrase", "another\n")
        await expect(.wrongKey) { try await keychain.get("a") }
        try folder.file("phrase", "\n")
        await expect(.wrongKey) { try await keychain.get("a") }
        try #require(chmod(phrase, 0o644) == 0)
        await expect(.unsafe) { try await keychain.get("a") }
        await expect(.wrongKey) { try await self.keychain.get("a") }
    }

    // MARK: Rotation

    @Test func aNewMasterKeyKeepsTheSecrets() async throws {
        try await keychain.set("one", for: "a")
        let former = try folder.contents(of: "state/keychain.key")
        try await keychain.rotate()
        #expect(try await keychain.get("a")?.text == "one")
        let key = try folder.contents(of: "state/keychain.key")
        #expect(key.count == 32 && key != former)
        try replace("state/keychain.key", former)
        await expect(.wrongKey) { try await keychain.get("a") }
        // Both keys are there while the key is changed.
        try replace("state/keychain.key", former + key)
        #expect(try await keychain.get("a")?.text == "one")
    }

    @Test func aPassphraseGivesAnotherKeyAfterRotation() async throws {
        let phrase = try folder.file("phrase", "correct horse")
        let keychain = EncryptedFileKeychain(path: path, key: .passphrase(phrase))
        try await keychain.set("one", for: "a")
        let before = try folder.contents(of: "state/keychain")[18..<50]
        try await keychain.rotate()
        #expect(try folder.contents(of: "state/keychain")[18..<50] != before, "the salt")
        #expect(try await keychain.get("a")?.text == "one")
        #expect(!folder.has("state/keychain.key"))
    }

    @Test func withoutAKeychainThereIsNothingToRotate() async throws {
        await expect(.notFound) { try await keychain.rotate() }
        #expect(folder.names.isEmpty)
    }

    // MARK: Helpers

    private func replace(_ name: String, _ bytes: [UInt8]) throws {
        try folder.file(name, "")
        try folder.append(bytes, to: name)
    }

    private func mode(_ path: String) throws -> UInt32 {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    private func expect<Value>(
        _ code: KeychainError.Code, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
    ) async {
        let error = await #expect(
            throws: KeychainError.self, comment, sourceLocation: sourceLocation
        ) { _ = try await body() }
        #expect(error?.code == code, comment, sourceLocation: sourceLocation)
    }
}

extension KeychainService {
    func get(_ name: String) async throws -> Secret? { try await get(SecretName(name)) }

    func set(_ text: String, for name: String) async throws {
        try await set(Secret(text.utf8), for: SecretName(name))
    }
}

extension Secret {
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
