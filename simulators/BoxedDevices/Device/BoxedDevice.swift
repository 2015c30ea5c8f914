package import DeviceDomain
internal import DeviceMessages
internal import DeviceSimulation
internal import ProvisioningProtocol

/// A device that waits in its box for a home, and goes back there: a value without clock, I/O and connection.
///
/// Every event gives the actions that its owner has to carry out, in order; what is to be saved comes before
/// what depends on it.
package struct BoxedDevice: Sendable {
    /// Something that happens to the device.
    package enum Event: Sendable {
        /// A client of the access point asks for something.
        case request(AccessPointRequest)
        /// The time that joining a network takes is over.
        case joiningEnded
        /// The access point listens on this port.
        case opened(port: UInt16)
        /// The device's claim was committed.
        case committed(ClaimNonce)
        /// The device has left its broker, for nobody committed its claim in time.
        case failSafe
    }

    /// Something that the owner has to do.
    package enum Action: Sendable {
        /// Make this durable before any later action.
        case save(BoxedRecord)
        /// Answer the client.
        case answer(AccessPointAnswer)
        /// Let ``Event/joiningEnded`` happen after a while.
        case join
        /// Close the access point soon; the client may know by now that the device has joined a network.
        case closeAccessPoint(clientKnows: Bool)
        /// Open the access point.
        case openAccessPoint
        /// Go to a home's broker.
        case enter(BoxedMembership)
    }

    /// How far the device has come with a network.
    enum Station: Sendable {
        /// It has none.
        case idle
        /// It knows one.
        case named(WiFiCredentials)
        /// It joins one, for the home of this claim.
        case joining(WiFiCredentials, StagedClaim?)
        /// It has joined one.
        case connected(WiFiConnection)
        /// It could not, and waits for a reset.
        case failed(WiFiFailure)
    }

    /// What a client has done for a claim in its session.
    enum ClaimProgress: Sendable {
        /// Nothing.
        case none
        /// It has offered a home and has not given a certificate.
        case offered
        /// It has given the certificate.
        case granted
    }

    /// The one client that the device talks to.
    struct Client: Sendable {
        let session: Int
        var channel: SecureChannel
        var claim = ClaimProgress.none
    }

    /// Somebody who has begun a handshake, and may become the client.
    struct Candidate: Sendable {
        let session: Int
        var handshake: DeviceSession
    }

    /// What the factory gave it.
    package let identity: BoxedIdentity
    /// What it remembers.
    package internal(set) var record: BoxedRecord

    let surroundings: WiFiSurroundings
    let failSafe: Duration
    let makeKeys: @Sendable (String) -> DeviceKeyPair
    /// Why a device could not use a broker's URL; `nil` for one that it can.
    let brokerDefect: @Sendable (String) -> String?
    var generator: any RandomNumberGenerator & Sendable
    var station = Station.idle
    var client: Client?
    /// The oldest first; only a whole handshake takes the client's place.
    var candidates: [Candidate] = []
    var now = Timestamp(milliseconds: 0)
    var actions: [Action] = []

    /// A device at its start.
    /// - Parameters:
    ///   - failSafe: how long a claim may stay without its commit.
    ///   - generator: where sessions, nonces and private numbers come from.
    package init(
        _ identity: BoxedIdentity, restoring record: BoxedRecord, in surroundings: WiFiSurroundings,
        failSafe: Duration, using generator: any RandomNumberGenerator & Sendable,
        makeKeys: @escaping @Sendable (String) -> DeviceKeyPair,
        brokerDefect: @escaping @Sendable (String) -> String?
    ) {
        self.identity = identity
        self.record = record
        self.surroundings = surroundings
        self.failSafe = failSafe
        self.generator = generator
        self.makeKeys = makeKeys
        self.brokerDefect = brokerDefect
    }

    /// What has to be done at a start: the device goes on where it was.
    package func start() -> [Action] {
        switch record.place {
        case .boxed: [.openAccessPoint]
        case .member(let member): [.enter(member)]
        }
    }

    /// Handles an event.
    /// - Parameter moment: the wire clock.
    /// - Returns: what has to be done about it, in this order.
    package mutating func handle(_ event: Event, at moment: Timestamp) -> [Action] {
        now = moment
        defer { actions = [] }
        switch event {
        case .request(let request): take(request)
        case .joiningEnded: endJoining()
        case .opened(let port):
            if record.port != port {
                record.port = port
                actions.append(.save(record))
            }
        case .committed(let nonce): commit(nonce)
        case .failSafe: returnToBox()
        }
        return actions
    }
}

// Into a home and out of it.
extension BoxedDevice {
    private mutating func endJoining() {
        guard case .joining(let credentials, let claim) = station else { return }
        do throws(JoinFailure) {
            station = .connected(try surroundings.join(credentials))
            enter(claim)
        } catch {
            station = .failed(error.reason)
        }
    }

    private mutating func enter(_ claim: StagedClaim?) {
        let member = BoxedMembership(
            home: claim?.offer.home ?? identity.device.home,
            device: claim?.offer.device ?? identity.device.device, claim: claim,
            failSafe: claim.map { _ in now.advanced(by: failSafe) })
        if let claim { record.usedTokens.append(claim.offer.token) }
        record.place = .member(member)
        actions += [.save(record), .closeAccessPoint(clientKnows: false), .enter(member)]
    }

    private mutating func commit(_ nonce: ClaimNonce) {
        guard case .member(var member) = record.place, member.claim?.offer.nonce == nonce,
            member.failSafe != nil
        else { return }
        member.failSafe = nil
        record.place = .member(member)
        actions.append(.save(record))
    }

    /// Forgets network, home and certificate.
    private mutating func returnToBox() {
        guard case .member(let member) = record.place, member.failSafe != nil else { return }
        record.place = .boxed(nil)
        station = .idle
        client = nil
        candidates = []
        actions += [.save(record), .openAccessPoint]
    }
}
