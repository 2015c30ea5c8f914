import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Keychain
import ProvisioningProtocol
import Testing

@testable import BoxedDevices

/// A boxed device on a bench, with a clock that is turned by hand, and a client of its access point.
struct BoxBench {
    /// Starts everywhere with the same numbers, like the device.
    static let home = HomeID(rawValue: "home-1")
    static let failSafe = Duration.seconds(300)

    var device: BoxedDevice
    var now = Timestamp(milliseconds: 1_764_000_000_000)
    /// What the device has saved last.
    private(set) var saved: BoxedRecord
    /// What the device asked for with the last event, besides saving and answering.
    private(set) var asked: [String] = []
    /// How many keys were made.
    let keys: KeyCount

    init(_ number: Int = 1, restoring record: BoxedRecord = BoxedRecord()) throws {
        let home = try #require(Self.home)
        let keys = KeyCount()
        self.keys = keys
        saved = record
        device = BoxedDevice(
            BoxedIdentity(number: number, home: home, seed: 1), restoring: record,
            in: try WiFiSurroundings([
                try WiFiSurroundings.Network("home-net=secret12"),
                try WiFiSurroundings.Network("open="),
            ]), failSafe: Self.failSafe, using: SeededGenerator(seed: UInt64(number)),
            makeKeys: { name in
                keys.add()
                return DeviceKeyPair(for: name)
            },
            brokerDefect: { $0.hasPrefix("mqtt") ? nil : "write mqtt://host" })
    }

    /// A device that has read its record again, as after a kill.
    mutating func restart() throws {
        let number = device.identity.device.device.text.hasSuffix("2") ? 2 : 1
        let record = try #require(BoxedRecord(json: saved.json))
        #expect(record == saved)
        let clock = now
        self = try BoxBench(number, restoring: record)
        now = clock
    }

    /// Lets something happen.
    /// - Returns: the answer, if the event was a request.
    @discardableResult
    mutating func give(_ event: BoxedDevice.Event) -> AccessPointAnswer? {
        var answer: AccessPointAnswer?
        asked = []
        for action in device.handle(event, at: now) {
            switch action {
            case .save(let record): saved = record
            case .answer(let given): answer = given
            case .join: asked.append("join")
            case .closeAccessPoint(let clientKnows):
                asked.append(clientKnows ? "close, client knows" : "close")
            case .openAccessPoint: asked.append("open")
            case .enter(let member): asked.append("enter \(member.home)/\(member.device)")
            }
        }
        return answer
    }

    /// Posts to an endpoint.
    mutating func post(
        _ endpoint: ProvisioningEndpoint, _ body: [UInt8], session: Int? = nil
    ) throws -> AccessPointAnswer {
        try #require(
            give(
                .request(AccessPointRequest(endpoint: endpoint, session: session, body: body))))
    }

    /// A client in a session of its own.
    mutating func client(proof: String? = nil) throws -> BoxClient {
        let code = device.identity.code
        let secret = proof.map { Secret(Array($0.utf8)) } ?? code.proof
        let credentials: SessionCredentials =
            code.security == .password
            ? .password(username: code.username ?? "", secret) : .proofOfPossession(secret)
        var generator = SeededGenerator(seed: 9)
        var handshake = ClientSession(credentials, using: &generator)
        var request = handshake.start
        var session: Int?
        while true {
            switch try post(.session, request, session: session) {
            case .done(let number, let body):
                session = number
                switch try handshake.receive(body) {
                case .send(let next): request = next
                case .established(let channel):
                    return BoxClient(session: number, channel: channel)
                }
            case .failed(_, let reason): throw BoxRefusal(reason: reason)
            case .unknownEndpoint: throw BoxRefusal(reason: "unknown endpoint")
            }
        }
    }
}

/// A client of a device on a bench.
struct BoxClient {
    let session: Int
    var channel: SecureChannel

    /// Posts something in the session, and reads the answer.
    mutating func post(
        _ endpoint: ProvisioningEndpoint, _ body: [UInt8], to bench: inout BoxBench
    ) throws -> [UInt8] {
        switch try bench.post(endpoint, channel.seal(body), session: session) {
        case .done(_, let body): return try channel.open(body)
        case .failed(_, let reason): throw BoxRefusal(reason: reason)
        case .unknownEndpoint: throw BoxRefusal(reason: "unknown endpoint")
        }
    }

    mutating func configure(
        _ message: WiFiConfigMessage, on bench: inout BoxBench
    ) throws -> WiFiConfigMessage {
        try WiFiConfigMessage(post(.config, message.bytes, to: &bench))
    }

    /// Names a network and has the device join it.
    mutating func join(
        _ ssid: String, _ passphrase: String, on bench: inout BoxBench
    ) throws -> ProvisioningStatus {
        let credentials = WiFiCredentials(
            ssid: Array(ssid.utf8), passphrase: Secret(Array(passphrase.utf8)))
        guard try configure(.set(credentials), on: &bench) == .setResponse(.success) else {
            return .internalError
        }
        guard case .applyResponse(let status) = try configure(.apply, on: &bench) else {
            return .internalError
        }
        return status
    }

    mutating func offer(_ offer: ClaimOffer, on bench: inout BoxBench) throws -> ClaimRequest {
        try ClaimRequest(payload: claim(offer.payload, of: offer.nonce, on: &bench))
    }

    mutating func grant(_ grant: ClaimGrant, on bench: inout BoxBench) throws -> ClaimReceipt {
        try ClaimReceipt(payload: claim(grant.payload, of: grant.nonce, on: &bench))
    }

    /// Posts a message of a claim with its member `mac`, and checks that of the answer.
    private mutating func claim(
        _ message: [UInt8], of nonce: ClaimNonce, on bench: inout BoxBench
    ) throws -> [UInt8] {
        let answer = try post(.claim, channel.authenticate(message, of: nonce), to: &bench)
        return try channel.verify(answer, of: nonce)
    }
}

/// A device did not do what a client asked.
struct BoxRefusal: Error {
    let reason: String
}
