import DeviceDomain
import DeviceIdentity
import Glibc
import Keychain
import MQTTClient
import TestSupport
import Testing

/// A home with an authority, a broker that `homeport identity export` has set up, and certificates.
struct IdentityHouse {
    let workplace: Workplace
    private let port: UInt16

    var devices: String { "mqtts://127.0.0.1:\(port)" }
    var controllers: String { "mqtts://127.0.0.1:\(port + 1)" }
    var folder: String { workplace.folder.path }
    private var broker: String { "\(folder)/broker" }

    init() throws {
        workplace = try Workplace()
        port = try freePortPair()
    }

    /// Runs `homeport identity`, which must succeed.
    @discardableResult
    func identity(_ words: String...) async throws -> Workplace.Run {
        let run = try await workplace.homeport(["identity"] + words)
        try #require(run.status == 0, "\(run.errors)")
        return run
    }

    /// Issues certificates to devices and controllers.
    func issue(devices: [String], controllers: [String]) async throws {
        let rest = ["--directory", "\(folder)/ids", "--json"]
        for (names, flag) in [(devices, []), (controllers, ["--controller"])] where !names.isEmpty {
            let run = try await workplace.homeport(["identity", "issue"] + names + flag + rest)
            try #require(run.status == 0, "\(run.errors)")
        }
    }

    /// Runs `body` beside the broker, whose process it gets.
    func withBroker<Value>(_ body: (Int32) async throws -> Value) async throws -> Value {
        try await identity("export", broker, "--listen", "127.0.0.1:\(port)")
        return try await withMosquitto(configuration: "\(broker)/mosquitto.conf", body: body)
    }

    /// What `identity revoke` needs to reach the broker.
    func revoking(_ processID: Int32) -> [String] {
        ["--export", broker, "--reload-pid", "\(processID)"]
    }

    /// What a client with the certificate of a name presents.
    func security(_ name: String, in identities: String = "ids") -> MQTTSecurity {
        presenting("\(folder)/\(identities)/\(name).crt", "\(folder)/\(identities)/\(name).key")
    }

    /// What a client with these files presents.
    func presenting(_ certificate: String?, _ key: String?) -> MQTTSecurity {
        .tls(
            MQTTTLSConfiguration(
                authorityFile: "\(broker)/ca.crt", certificateFile: certificate, keyFile: key))
    }

    /// Connects as a device, with the client id of the protocol unless another is named.
    @discardableResult
    func device<Value>(
        _ name: String, id: String? = nil, _ body: (MQTTPeer) async throws -> Value
    ) async throws -> Value {
        try await MQTTPeer.with(
            devices, id: id ?? "homeport-home-1-\(name)", security: security("home-1/\(name)"), body
        )
    }

    /// Connects as a controller.
    @discardableResult
    func controller<Value>(
        _ name: String, _ body: (MQTTPeer) async throws -> Value
    ) async throws -> Value {
        try await MQTTPeer.with(
            controllers, id: "\(name)-0a1b2c3d", security: security(name), body)
    }

    /// Whether the broker refuses a client in the TLS handshake, or by closing the connection behind it.
    func refuses(_ security: MQTTSecurity, at url: String) async -> Bool {
        do {
            try await MQTTPeer.with(url, id: "stranger", security: security) { _ in }
            return false
        } catch {
            return (error as? MQTTError).map {
                [.tlsFailed, .connectionLost].contains($0.code)
            } ?? false
        }
    }

    /// The authority of the workplace's keychain, or another one's, at another time.
    func authority(
        _ state: String = "state", yearsAgo: Int = 0, hoursAgo: Int = 0
    ) throws -> IdentityAuthority {
        let keychain = EncryptedFileKeychain(
            path: "\(folder)/\(state)/homeport/keychain",
            key: .keyFile("\(folder)/\(state)/homeport/keychain.key"))
        let past = (yearsAgo * 365 * 24 + hoursAgo) * 3_600
        let now = Timestamp(milliseconds: (time(nil) - past) * 1000)
        return IdentityAuthority(
            home: try HomeID("home-1"), keychain: keychain,
            folder: "\(folder)/\(state)/homeport/identity", clock: { now })
    }
}
