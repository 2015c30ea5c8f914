package import DeviceDomain
package import DeviceMessages

/// What a boxed device must remember beyond a restart.
package struct BoxedRecord: Equatable, Sendable {
    /// Where the device is.
    package enum Place: Equatable, Sendable {
        /// In its box, its access point open; with the claim that was begun, if one was.
        case boxed(StagedClaim?)
        /// In a home.
        case member(BoxedMembership)
    }

    /// Where the device is.
    package internal(set) var place = Place.boxed(nil)
    /// Tokens of claims by which it came into a home: worth nothing a second time.
    package internal(set) var usedTokens: [ClaimToken] = []
    /// The port of its access point, which stays; `nil` before the first start.
    package internal(set) var port: UInt16?

    package init() {}
}

/// A claim that was begun while the device is in its box.
package struct StagedClaim: Equatable, Sendable {
    /// What the home offered.
    let offer: ClaimOffer
    /// The key for it.
    let keys: DeviceKeyPair
    /// The certificate, once the home has given it.
    var certificate: String?
}

/// A device's place in a home.
package struct BoxedMembership: Equatable, Sendable {
    /// The home.
    package let home: HomeID
    /// The name in it.
    package let device: DeviceID
    /// How it came there; `nil` for a device that was given Wi-Fi and nothing else.
    package let claim: StagedClaim?
    /// When the device leaves, unless its claim is committed before (wire clock); `nil` once it was, and
    /// without a claim.
    package internal(set) var failSafe: Timestamp?

    /// `HOME/DEVICE`.
    var name: String { "\(home)/\(device)" }
}

extension BoxedRecord {
    /// Its JSON.
    var json: [UInt8] {
        var members: JSONObject = [
            "usedTokens": .array(usedTokens.map { .string($0.rawValue) })
        ]
        if let port { members["port"] = .integer(Int(port)) }
        switch place {
        case .boxed(let claim): members["claim"] = claim?.json
        case .member(let member): members["member"] = member.json
        }
        return JSONWriter.write(.object(members))
    }

    /// Reads what ``json`` has written; `nil` if it is something else.
    init?(json: [UInt8]) {
        guard let members = try? JSONReader.read(json).object,
            let tokens = members["usedTokens"]?.array
        else { return nil }
        usedTokens = tokens.compactMap { $0.string.flatMap(ClaimToken.init(rawValue:)) }
        port = members["port"]?.integer.flatMap(UInt16.init(exactly:))
        if let member = members["member"] {
            guard let member = BoxedMembership(json: member) else { return nil }
            place = .member(member)
        } else if let claim = members["claim"] {
            guard let claim = StagedClaim(json: claim) else { return nil }
            place = .boxed(claim)
        }
    }
}

extension StagedClaim {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "offer": .string(String(decoding: offer.payload, as: UTF8.self)),
            "key": .string(keys.key), "csr": .string(keys.signingRequest),
        ]
        if let certificate { members["certificate"] = .string(certificate) }
        return .object(members)
    }

    fileprivate init?(json: JSONValue) {
        guard let members = json.object, let offer = members["offer"]?.string,
            let key = members["key"]?.string, let request = members["csr"]?.string,
            let offer = try? ClaimOffer(payload: Array(offer.utf8))
        else { return nil }
        self.offer = offer
        keys = DeviceKeyPair(key: key, signingRequest: request)
        certificate = members["certificate"]?.string
    }
}

extension BoxedMembership {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["home": .string(home.text), "device": .string(device.text)]
        if let claim { members["claim"] = claim.json }
        if let failSafe { members["failSafe"] = .integer(failSafe.milliseconds) }
        return .object(members)
    }

    fileprivate init?(json: JSONValue) {
        guard let members = json.object,
            let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:))
        else { return nil }
        self.home = home
        self.device = device
        if let claim = members["claim"] {
            guard let claim = StagedClaim(json: claim) else { return nil }
            self.claim = claim
        } else {
            claim = nil
        }
        failSafe = members["failSafe"]?.integer.map(Timestamp.init(milliseconds:))
    }
}
