import Glibc
import TestSupport
import Testing

/// A master key that `systemd-creds` has encrypted, handed over as the service manager does: decrypted into a
/// file of mode 0400 in a folder that a variable names.
@Suite(
    .enabled(if: access("/usr/bin/systemd-creds", X_OK) == 0, "no systemd-creds"),
    .timeLimit(.minutes(1)))
struct SystemdCredentialTests {
    private let workplace: Workplace
    private var folder: String { workplace.folder.path }

    init() throws { workplace = try Workplace() }

    private var variables: [String: String] {
        [
            "HOMEPORT_KEYCHAIN_KEY": "systemd:vault", "CREDENTIALS_DIRECTORY": "\(folder)/given",
        ]
    }

    /// Encrypts what a command prints, and decrypts it as the credential. The key is that of a machine without
    /// a TPM and without a secret of the machine, which needs no rights; systemd has renamed it.
    private func give(_ command: String) async throws {
        let run = try await workplace.shell(
            """
            set -eo pipefail
            cd "$HOME"
            rm -rf given sealed
            mkdir -m 700 given
            \(command) > plain
            for kind in null tpm2-absent; do
                systemd-creds encrypt --with-key=$kind --name=vault plain sealed && break
            done
            rm plain
            (umask 377; systemd-creds decrypt --name=vault sealed - > given/vault)
            """)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func set(_ secret: String) async throws -> Workplace.Run {
        try await workplace.shell(
            "printf '%s' '\(secret)' | \"$homeport\" keychain set broker", environment: variables)
    }

    private func check() async throws -> Workplace.Run {
        try await workplace.homeport("keychain", "doctor", "--json", environment: variables)
    }

    /// Nothing is changed, and one line says what is wrong and what to do.
    private func refuse(_ status: Int32, _ reason: String, _ remedy: String) async throws {
        let before = try workplace.folder.contents(of: "state/homeport/keychain")
        for run in [try await check(), try await set("other-word")] {
            #expect(run.status == status, "\(run.errors)")
            #expect(run.remarks.count == 1)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(run.errors.contains(remedy), "\(run.errors)")
        }
        #expect(try workplace.folder.contents(of: "state/homeport/keychain") == before)
    }

    @Test func theKeyOpensTheKeychainAndIsNotChanged() async throws {
        try await give("head -c 32 /dev/urandom")
        #expect(try await set("hidden-word").status == 0)
        let run = try await check()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""backend":"encrypted-file""#))
        #expect(!workplace.folder.has("state/homeport/keychain.key"))
        let rotation = try await workplace.homeport(
            "keychain", "rotate", environment: variables)
        #expect(rotation.status == 70)
        #expect(rotation.errors.contains("which this program cannot change"))
        #expect(try await check().status == 0)
    }

    @Test func whatIsNotTheKeyIsRefusedWithARemedy() async throws {
        try await give("head -c 32 /dev/urandom")
        #expect(try await set("hidden-word").status == 0)
        try await give("head -c 32 /dev/urandom")
        try await refuse(78, "does not fit the keychain", "give the one that it was written with")
        for (size, command) in [(31, "head -c 31 /dev/zero"), (0, "true")] {
            try await give(command)
            try await refuse(78, "has \(size) bytes, not 32", "systemd-creds encrypt --name=vault")
        }
        try await change("rm given/vault")
        try await refuse(78, "there is no credential", "LoadCredentialEncrypted=vault")
        try await change("rmdir given")
        try await refuse(78, "there is no credential", "LoadCredentialEncrypted=vault")
    }

    @Test func aKeyThatOthersCouldReadOrReplaceIsRefused() async throws {
        try await give("head -c 32 /dev/urandom")
        #expect(try await set("hidden-word").status == 0)
        // The group's bit for reading is how an access list shows.
        try await change("chmod 440 given/vault")
        #expect(try await check().status == 0)
        for mode in ["444", "420"] {
            try await change("chmod \(mode) given/vault")
            try await refuse(77, "is open to others (mode 0\(mode))", "mode 0400")
        }
        try await change("chmod 400 given/vault; chmod 777 given")
        try await refuse(77, "other users can replace", "chmod go-w")
        try await change("chmod 700 given; mv given/vault key; ln -s ../key given/vault")
        try await refuse(77, "symbolic link", "could have read or replaced")
    }

    private func change(_ commands: String) async throws {
        let run = try await workplace.shell("cd \"$HOME\" && { \(commands); }")
        try #require(run.status == 0, "\(run.errors)")
    }
}
