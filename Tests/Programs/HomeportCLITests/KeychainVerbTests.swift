import Glibc
import TestSupport
import Testing

/// `homeport keychain`, and secrets of the keychain as credentials.
@Suite(.timeLimit(.minutes(1))) struct KeychainVerbTests {
    private let workplace: Workplace
    private var folder: String { workplace.folder.path }

    init() throws { workplace = try Workplace() }

    private func set(
        _ secret: String, as name: String, environment: [String: String] = [:]
    ) async throws -> Workplace.Run {
        try await workplace.shell(
            #"printf '%s' "$secret" | "$homeport" keychain set "$name""#,
            environment: environment.merging(["secret": secret, "name": name]) { old, _ in old })
    }

    @Test func secretsAreStoredListedAndRemovedWithoutBeingShown() async throws {
        for name in ["broker", "attic"] {
            let run = try await set("hidden-word\n", as: name)
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
        }
        let list = try await workplace.homeport("keychain", "list", "--json")
        #expect(list.lines == [#"{"name":"attic"}"#, #"{"name":"broker"}"#])
        #expect(
            try await workplace.homeport("keychain", "list", "-o", "name").lines == [
                "attic", "broker",
            ])
        let doctor = try await workplace.homeport("keychain", "doctor", "--json")
        #expect(doctor.output.contains(#""backend":"encrypted-file","file":"\#(folder)/state/"#))
        #expect(doctor.output.contains(#""key":"\#(folder)/state/homeport/keychain.key""#))
        #expect(try await workplace.homeport("keychain", "rotate").status == 0)
        #expect(try await workplace.homeport("keychain", "remove", "attic").status == 0)
        let missing = try await workplace.homeport("keychain", "remove", "attic")
        #expect(missing.status == 65)
        #expect(missing.errors.contains("no secret attic"))
        #expect(!(list.output + doctor.output + missing.errors).contains("hidden-word"))
    }

    @Test func whatIsWrongHasAStatusOfItsOwn() async throws {
        let file = "state/homeport/keychain"
        #expect(try await set("hidden-word", as: "a").status == 0)
        let bytes = try workplace.folder.contents(of: file)
        try await expect(74, "printf x >> keychain")
        try await expect(77, "chmod 640 keychain")
        try await expect(78, "chmod 600 keychain; printf '%032d' 0 > keychain.key")
        #expect(try workplace.folder.contents(of: file) == bytes + [UInt8(ascii: "x")])
        try await expect(0, "rm keychain")
        let usage = try await workplace.homeport(
            "keychain", "list", environment: ["HOMEPORT_KEYCHAIN_KEY": "/key"])
        #expect(usage.status == 64)
        #expect(usage.errors.contains("file:PATH, passphrase:PATH or systemd:NAME"))
        #expect(try await workplace.homeport("keychain", "rotate").status == 65)
    }

    /// What `list` and `doctor` make of the keychain after a change.
    private func expect(_ status: Int32, _ change: String) async throws {
        let changed = try await workplace.shell("cd \"$HOME/state/homeport\" && \(change)")
        try #require(changed.status == 0, "\(changed.errors)")
        for verb in ["list", "doctor"] {
            let run = try await workplace.homeport("keychain", verb)
            #expect(run.status == status, "\(verb) after \(change): \(run.errors)")
            // A keychain without secrets is no error, and 'list' says that it is empty.
            #expect(run.remarks.count == (status == 0 && verb == "doctor" ? 0 : 1))
        }
    }

    @Test(arguments: [
        ["keychain", "set"], ["keychain", "remove"], ["keychain", "list", "a"],
        ["keychain", "frob"], ["keychain"],
    ])
    func aWrongCallIsAUsageError(words: [String]) async throws {
        let run = try await workplace.shell("\"$homeport\" \(words.joined(separator: " "))")
        #expect(run.status == 64)
        #expect(run.remarks.count == 1)
    }

    @Test func anEmptySecretIsRefused() async throws {
        let run = try await set("\n", as: "a")
        #expect(run.status == 64)
        #expect(run.errors.contains("no secret on stdin"))
    }

    @Test func aSessionWithoutASecretServiceIsSaid() async throws {
        let run = try await workplace.homeport(
            "keychain", "list",
            environment: [
                "HOMEPORT_KEYCHAIN": "secret-service",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/none",
            ])
        #expect(run.status == 70)
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("unset HOMEPORT_KEYCHAIN"))
    }

    /// A session of its own, with a keyring that a password unlocks.
    @Test(.enabled(if: SecretServiceSession.isInstalled, "no libsecret, D-Bus or GNOME Keyring"))
    func theSecretServiceStoresSecretsToo() async throws {
        let run = try await workplace.shell(
            """
            exec dbus-run-session -- bash -c '
            # It goes to the background once it can be asked, and does not end with the session.
            printf password | gnome-keyring-daemon --unlock --components=secrets >&2
            owner=$(busctl --user call org.freedesktop.DBus / org.freedesktop.DBus \\
                GetConnectionUnixProcessID s org.freedesktop.secrets)
            trap "kill ${owner#u }" EXIT
            printf hidden-word | "$homeport" keychain set a
            printf hidden-word | "$homeport" keychain set b
            "$homeport" keychain remove b
            "$homeport" keychain list --json
            "$homeport" keychain doctor --json'
            """,
            environment: [
                "HOMEPORT_KEYCHAIN": "secret-service", "XDG_DATA_HOME": "\(folder)/data",
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.first == #"{"name":"a"}"#)
        #expect(run.output.contains(#""backend":"secret-service","file":null"#))
        #expect(!run.output.contains("hidden-word"))
        #expect(!workplace.folder.has("state/homeport/keychain"))
    }

    @Test func aSecretOfTheKeychainIsACredential() async throws {
        let passwords = try await workplace.shell(
            "cd \"$HOME\" && mosquitto_passwd -b -c passwords ann secret && chmod 644 passwords && chmod 755 ."
        )
        #expect(passwords.status == 0)
        #expect(try await set("username=ann\npassword=secret\n", as: "right").status == 0)
        #expect(try await set("nonsense", as: "wrong").status == 0)
        try await withBroker("allow_anonymous false", "password_file \(folder)/passwords") {
            broker in
            for (name, status) in [("right", Int32(0)), ("wrong", 64), ("missing", 65)] {
                let run = try await workplace.homeport(
                    "devices", "--broker", broker.url, "--credentials-file", "keychain:\(name)")
                #expect(run.status == status, "\(name): \(run.errors)")
                let file = try workplace.folder.file(
                    "\(name).yaml",
                    """
                    channels:
                      - {id: mqtt, kind: homeport-mqtt, broker: "\(broker.url)", credentials: "keychain:\(name)"}
                    """)
                let configured = try await workplace.homeport("devices", "--config", file)
                #expect(configured.status == (status == 0 ? 0 : 65), "\(configured.errors)")
            }
        }
    }
}

/// What a session with a secret service needs.
private enum SecretServiceSession {
    static var isInstalled: Bool {
        let programs = ["dbus-run-session", "gnome-keyring-daemon", "busctl"]
        guard programs.allSatisfy({ access("/usr/bin/\($0)", X_OK) == 0 }) else { return false }
        guard let library = dlopen("libsecret-1.so.0", RTLD_LAZY) else { return false }
        dlclose(library)
        return true
    }
}
