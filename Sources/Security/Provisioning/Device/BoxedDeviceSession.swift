internal import Basics
internal import DeviceDomain
internal import DeviceMessages
internal import Keychain
internal import ProvisioningProtocol

/// A protected session with a boxed device. One request at a time: both sides count the messages.
actor BoxedDeviceSession {
    private let device: any ProvisioningTransport
    /// `nil` after a request without an answer, behind which the two sides no longer fit.
    private var channel: SecureChannel?

    /// Whether the session repeats a nonce, so that a listener can read what is sent.
    nonisolated let isWeak: Bool
    /// Whether the device can be asked for the networks that it finds.
    nonisolated let findsNetworks: Bool

    /// Opens a session.
    /// - Parameters:
    ///   - security: the protection that the user asks for; `nil` for what the code says.
    ///   - allowsWeak: whether the session may repeat a nonce.
    /// - Throws: ``ProvisioningError`` `wrongProof`, `unsupportedSecurity`, `weakSession`, and what
    ///   ``ProvisioningTransport`` throws.
    init(
        with device: any ProvisioningTransport, _ code: SetupCode,
        _ security: ProvisioningSecurity?,
        allowsWeak: Bool
    ) async throws(ProvisioningError) {
        let version = try await Self.version(of: device)
        let credentials = try code.credentials(for: version.security, chosen: security)
        isWeak = version.security == .password && version.nonceUse == .repeated
        findsNetworks = version.capabilities.contains(ProvisioningVersion.scanning)
        guard allowsWeak || !isWeak else { throw .weakSession }
        var generator = SystemGenerator()
        var session = ClientSession(credentials, version.nonceUse, using: &generator)
        var body = session.start
        var exchanges = 0
        while true {
            exchanges += 1
            let answer: [UInt8]
            do throws(ProvisioningError) {
                answer = try await device.post(body, to: .session)
            } catch {
                throw error.code == .refused && credentials.isRefused(at: exchanges)
                    ? .wrongProof(error.message) : error
            }
            switch try ProvisioningError.reading({ () throws(ProvisioningProtocolError) in
                try session.receive(answer)
            }) {
            case .send(let next): body = next
            case .established(let channel):
                self.device = device
                self.channel = channel
                return
            }
        }
    }

    /// What a device says of itself without a session.
    static func version(
        of device: any ProvisioningTransport
    ) async throws(ProvisioningError) -> ProvisioningVersion {
        let answer = try await device.post(ProvisioningEndpoint.versionRequest, to: .version)
        return try ProvisioningError.reading { () throws(ProvisioningProtocolError) in
            try ProvisioningVersion(json: answer)
        }
    }

    // MARK: Requests

    /// How far the device is with its network.
    func status() async throws(ProvisioningError) -> WiFiStatus {
        guard case .status(let status, let station) = try await config(.getStatus) else {
            throw .unexpectedAnswer
        }
        try require(status, of: "the question for its network")
        return station
    }

    /// Has the device forget a network, so that it takes another.
    func reset() async throws(ProvisioningError) {
        let answer: ControlMessage = try await ask(ControlMessage.reset, at: .control)
        guard case .resetResponse(let status) = answer else { throw .unexpectedAnswer }
        try require(status, of: "the reset")
    }

    /// Offers the home to the device.
    func offer(_ offer: ClaimOffer) async throws(ProvisioningError) -> ClaimRequest {
        let answer = try await claim(offer.payload, of: offer.nonce)
        let request = try ProvisioningError.readingClaim { () throws(PayloadError) in
            try ClaimRequest(payload: answer)
        }
        guard request.nonce == offer.nonce, request.token == offer.token else {
            throw .unexpectedAnswer
        }
        return request
    }

    /// Gives the device its certificate.
    func grant(_ grant: ClaimGrant) async throws(ProvisioningError) {
        let answer = try await claim(grant.payload, of: grant.nonce)
        let receipt = try ProvisioningError.readingClaim { () throws(PayloadError) in
            try ClaimReceipt(payload: answer)
        }
        guard receipt.nonce == grant.nonce else { throw .unexpectedAnswer }
    }

    /// Names the Wi-Fi network.
    func set(ssid: String, _ password: Secret) async throws(ProvisioningError) {
        let network = WiFiCredentials(ssid: Array(ssid.utf8), passphrase: password)
        guard case .setResponse(let status) = try await config(.set(network)) else {
            throw .unexpectedAnswer
        }
        try require(status, of: "the Wi-Fi network")
    }

    /// Has the device join the network.
    func apply() async throws(ProvisioningError) {
        guard case .applyResponse(let status) = try await config(.apply) else {
            throw .unexpectedAnswer
        }
        try require(status, of: "to join the network")
    }

    /// The networks that the device finds, the strongest first, each name once.
    func networks() async throws(ProvisioningError) -> [VisibleNetwork] {
        guard case .startResponse(let status) = try await scan(.start(WiFiScanOptions())),
            case .status(_, true, let count) = try await scan(.getStatus)
        else { throw .unexpectedAnswer }
        try require(status, of: "to look for networks")
        var networks: [WiFiNetwork] = []
        while networks.count < min(count, Self.mostNetworks) {
            let part = min(WiFiScanMessage.entriesPerRead, count - networks.count)
            guard
                case .results(_, let found) =
                    try await scan(.getResults(start: networks.count, count: part)), !found.isEmpty
            else { throw .unexpectedAnswer }
            networks += found
        }
        // A hidden network has no name.
        var names: Set<String> = [""]
        return networks.sorted { $0.signalDBm > $1.signalDBm }.map(VisibleNetwork.init)
            .filter { names.insert($0.name).inserted }
    }

    private static let mostNetworks = 64

    // MARK: Inside

    /// Posts a message of a claim, whose answer proves that nobody has changed either on the way.
    private func claim(
        _ message: [UInt8], of nonce: ClaimNonce
    ) async throws(ProvisioningError) -> [UInt8] {
        guard let channel else { throw .sessionEnded }
        let answer = try await exchange(channel.authenticate(message, of: nonce), at: .claim)
        do throws(ProvisioningProtocolError) {
            return try channel.verify(answer, of: nonce)
        } catch {
            self.channel = nil
            throw ProvisioningError(error)
        }
    }

    private func config(
        _ message: WiFiConfigMessage
    ) async throws(ProvisioningError) -> WiFiConfigMessage { try await ask(message, at: .config) }

    private func scan(
        _ message: WiFiScanMessage
    ) async throws(ProvisioningError) -> WiFiScanMessage { try await ask(message, at: .scan) }

    private func ask<Message: WireMessage>(
        _ message: Message, at endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> Message {
        let answer = try await exchange(message.bytes, at: endpoint)
        return try ProvisioningError.reading { () throws(ProvisioningProtocolError) in
            try Message(answer)
        }
    }

    private func exchange(
        _ message: consuming [UInt8], at endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8] {
        guard var channel else { throw .sessionEnded }
        self.channel = nil
        let answer = try await device.post(channel.seal(message), to: endpoint)
        let opened = try ProvisioningError.reading { () throws(ProvisioningProtocolError) in
            try channel.open(answer)
        }
        self.channel = channel
        return opened
    }

    private func require(
        _ status: ProvisioningStatus, of request: String
    ) throws(ProvisioningError) {
        try ProvisioningError.reading { () throws(ProvisioningProtocolError) in
            try status.requireSuccess(of: request)
        }
    }
}
