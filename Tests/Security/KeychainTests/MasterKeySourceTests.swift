import Glibc
import Keychain
import TestSupport
import Testing

/// Where the master key comes from.
@Suite struct MasterKeySourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theThreeFormsAreRead() throws {
        #expect(try MasterKeySource("file:/a:b") == .keyFile("/a:b"))
        #expect(try MasterKeySource("passphrase:p") == .passphrase("p"))
        #expect(try MasterKeySource("systemd:vault") == .systemd("vault"))
    }

    @Test(arguments: ["", "file", "file:", "/path", "systemd:", "systemd:a/b", "systemd:..", "x:y"])
    func anythingElseIsRefused(text: String) {
        let error = #expect(throws: KeychainError.self) { try MasterKeySource(text) }
        #expect(error?.code == .invalidKeySource)
    }

    @Test func theStandardKeychainIsInTheStateFolder() throws {
        let keychain = try StandardKeychain.open { ["HOME": "/home/ann"][$0] }
        let path = "/home/ann/.local/state/homeport/keychain"
        #expect(keychain.place.backend == "encrypted-file")
        #expect(keychain.place.file == path)
        #expect(keychain.place.key == .keyFile(path + ".key"))
        let other = try StandardKeychain.open {
            ["XDG_STATE_HOME": "/s", "HOMEPORT_KEYCHAIN_KEY": "systemd:k"][$0]
        }
        #expect(other.place.file == "/s/homeport/keychain" && other.place.key == .systemd("k"))
        let session = try StandardKeychain.open {
            ["HOME": "/", "HOMEPORT_KEYCHAIN": "secret-service"][$0]
        }
        #expect(session.place.backend == "secret-service" && session.place.file == nil)
        let unknown = #expect(throws: KeychainError.self) {
            try StandardKeychain.open { ["HOME": "/", "HOMEPORT_KEYCHAIN": "wallet"][$0] }
        }
        #expect(unknown?.code == .invalidKeySource)
        let error = #expect(throws: KeychainError.self) {
            try StandardKeychain.open { _ in nil }
        }
        #expect(error?.code == .unavailable)
    }

    /// In a process of its own: the variable is the whole process's.
    @Test func aCredentialOfTheServiceManagerIsTheKey() async throws {
        try folder.file("vault", String(repeating: "k", count: 32), mode: 0o400)
        try folder.file("short", "k", mode: 0o400)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("CREDENTIALS_DIRECTORY", path, 1)
            let keychain = EncryptedFileKeychain(path: path + "/keychain", key: .systemd("vault"))
            try await keychain.set("one", for: "a")
            let read = try await keychain.get("a")?.text
            #expect(read == "one")
            let rotation = await #expect(throws: KeychainError.self) { try await keychain.rotate() }
            #expect(rotation?.code == .unavailable)
            for name in ["short", "missing"] {
                let other = EncryptedFileKeychain(path: path + "/keychain", key: .systemd(name))
                let error = await #expect(throws: KeychainError.self) { try await other.get("a") }
                #expect(error?.code == .wrongKey)
            }
            unsetenv("CREDENTIALS_DIRECTORY")
            let error = await #expect(throws: KeychainError.self) { try await keychain.get("a") }
            #expect(error?.code == .unavailable)
        }
    }

    @Test func aKeychainInMemoryKeepsTheSameRules() async throws {
        let keychain = InMemoryKeychain()
        try await keychain.set("one", for: "a")
        #expect(try await keychain.get("a")?.text == "one")
        let name = try SecretName("a")
        #expect(await keychain.compareAndSet(name, from: nil, to: Secret("two".utf8)) == false)
        #expect(await keychain.compareAndSet(name, from: Secret("one".utf8), to: nil))
        #expect(await keychain.keys().isEmpty)
        #expect(await keychain.remove(name) == false)
    }
}
