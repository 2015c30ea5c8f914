import Basics
import DeviceDomain
import DeviceMessages
import Foundation
import Keychain
import Provisioning
import ProvisioningProtocol

/// A boxed device as a value: its handshake is the real one, the rest is a few lines.
struct FakeBoxedDevice: Sendable {
    enum Place: Hashable {
        case boxed
        case joined(ClaimNonce)
        case home
    }

    struct Refusal: Error {}

    let security: ProvisioningSecurity
    /// Whether a session of Security 2 has one nonce for all messages.
    var repeatsNonce = false
    /// The networks that it finds, with their passwords.
    var networks = ["attic": "correct horse"]
    /// Whether it is seen at the broker once it has joined.
    var reachesBroker = true
    /// Whether its access point stays once it has joined, and tells that.
    var saysThatItJoined = false
    /// Whether it refuses to join, and closes its access point with that.
    var refusesToJoin = false
    private(set) var place = Place.boxed
    /// Networks that it has forgotten.
    private(set) var resets = 0
    private var handshake: DeviceSession?
    private var channel: SecureChannel?
    private var nonce: ClaimNonce?
    private var certificate: String?
    private var network: WiFiCredentials?
    private var station = WiFiStatus.disconnected
    private var isSilent = false

    init(_ security: ProvisioningSecurity = .unprotected) { self.security = security }

    /// Whether the access point is there.
    var isBoxed: Bool { !isSilent && (place == .boxed || saysThatItJoined) }

    var sighting: DeviceSighting {
        switch place {
        case .boxed: .none
        case .joined(let nonce): reachesBroker ? .online(claim: nonce) : .none
        case .home: .online(claim: nil)
        }
    }

    mutating func failSafe() {
        switch place {
        case .home: return
        case .boxed, .joined:
            place = .boxed
            (handshake, channel, nonce, certificate, network) = (nil, nil, nil, nil, nil)
            station = .disconnected
        }
    }

    /// - Returns: whether that was its claim.
    mutating func commit(_ nonce: ClaimNonce) -> Bool {
        switch place {
        case .boxed: return false
        case .joined(let own):
            if own == nonce { place = .home }
            return own == nonce
        case .home: return true
        }
    }

    mutating func answer(_ body: [UInt8], at endpoint: ProvisioningEndpoint) throws -> [UInt8] {
        switch endpoint {
        case .version:
            return ProvisioningVersion(
                security: security, securityPatch: repeatsNonce ? 0 : 1
            ).json
        case .session: return try shakeHands(body)
        default:
            guard var channel else { throw Refusal() }
            let message = try channel.open(body)
            let answer = channel.seal(try answer(to: message, at: endpoint))
            self.channel = channel
            return answer
        }
    }

    private mutating func shakeHands(_ body: [UInt8]) throws -> [UInt8] {
        var generator = SystemGenerator()
        if handshake == nil || channel != nil {
            handshake = DeviceSession(
                credentials, repeatsNonce ? .repeated : .counted, using: &generator)
            channel = nil
        }
        do {
            guard let reply = try handshake?.receive(body) else { throw Refusal() }
            channel = reply.channel
            return reply.body
        } catch {
            handshake = nil
            throw error
        }
    }

    private var credentials: DeviceCredentials {
        let proof = Secret("abcd1234".utf8)
        return switch security {
        case .unprotected: .unprotected
        case .proofOfPossession: .proofOfPossession(proof)
        case .password:
            .password(SRPLogin(username: "wifiprov", password: proof, salt: Array(1...16)))
        }
    }

    private mutating func answer(
        to message: [UInt8], at endpoint: ProvisioningEndpoint
    ) throws -> [UInt8] {
        switch endpoint {
        case .config: try configure(try WiFiConfigMessage(message)).bytes
        case .control: reset().bytes
        case .claim: try claim(message)
        case .scan: try scan(try WiFiScanMessage(message)).bytes
        default: throw Refusal()
        }
    }

    private mutating func configure(_ message: WiFiConfigMessage) throws -> WiFiConfigMessage {
        switch message {
        case .getStatus: return .status(.success, station)
        case .set(let credentials):
            guard station == .disconnected else { return .setResponse(.internalError) }
            network = credentials
            return .setResponse(.success)
        case .apply:
            isSilent = refusesToJoin
            guard !isSilent, let network, let nonce, certificate != nil else { throw Refusal() }
            join(network, with: nonce)
            return .applyResponse(.success)
        case .status, .setResponse, .applyResponse: throw Refusal()
        }
    }

    private mutating func join(_ credentials: WiFiCredentials, with nonce: ClaimNonce) {
        let name = String(decoding: credentials.ssid, as: UTF8.self)
        guard let password = networks[name] else {
            station = .failed(.networkNotFound)
            return
        }
        guard credentials.passphrase == Secret(password.utf8) else {
            station = .failed(.wrongPassphrase)
            return
        }
        place = .joined(nonce)
        station = .connected(
            WiFiConnection(
                address: "192.168.1.5", protection: .wpa2, ssid: credentials.ssid,
                bssid: [1, 2, 3, 4, 5, 6], channel: 1))
    }

    /// As Espressif's devices: only a network that could not be joined is forgotten.
    private mutating func reset() -> ControlMessage {
        guard case .failed = station else { return .resetResponse(.internalError) }
        resets += 1
        station = .disconnected
        network = nil
        return .resetResponse(.success)
    }

    private mutating func claim(_ body: [UInt8]) throws -> [UInt8] {
        struct Named: Decodable { let nonce: String }
        let named = try JSONDecoder().decode(Named.self, from: Data(body))
        guard let channel, let nonce = ClaimNonce(rawValue: named.nonce) else { throw Refusal() }
        let answer = try answer(toClaim: channel.verify(body, of: nonce))
        return channel.authenticate(answer, of: nonce)
    }

    private mutating func answer(toClaim message: [UInt8]) throws -> [UInt8] {
        if case .success(let offer) = Result(catching: { try ClaimOffer(payload: message) }) {
            nonce = offer.nonce
            return ClaimRequest(
                nonce: offer.nonce, token: offer.token, serial: "S1", kind: .sweepingRobot,
                model: DeviceModel(rawValue: "R1"), signingRequest: "CSR"
            ).payload
        }
        let grant = try ClaimGrant(payload: message)
        guard grant.nonce == nonce else { throw Refusal() }
        certificate = grant.certificate
        return ClaimReceipt(nonce: grant.nonce).payload
    }

    private func scan(_ message: WiFiScanMessage) throws -> WiFiScanMessage {
        let found = networks.keys.sorted().map {
            WiFiNetwork(
                ssid: Array($0.utf8), channel: 1, signalDBm: -50, bssid: [1, 2, 3, 4, 5, 6],
                protection: networks[$0] == "" ? .open : .wpa2)
        }
        switch message {
        case .start: return .startResponse(.success)
        case .getStatus: return .status(.success, isFinished: true, count: found.count)
        case .getResults(let start, let count):
            return .results(.success, Array(found.dropFirst(start).prefix(count)))
        case .startResponse, .status, .results: throw Refusal()
        }
    }
}
