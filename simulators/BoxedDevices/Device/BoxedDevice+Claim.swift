import DeviceMessages
import DeviceSimulation

// The claim (PROVISIONING, "The claim").
extension BoxedDevice {
    mutating func claim(_ body: [UInt8]) throws -> [UInt8] {
        guard case .boxed(let staged) = record.place else {
            throw RequestFailure(reason: "the device is in a home already")
        }
        if case .joining = station {
            throw RequestFailure(reason: "the device joins a network; ask how that went first")
        }
        if let grant = try? ClaimGrant(payload: body) {
            return try take(grant, for: staged).payload
        }
        return try take(ClaimOffer(payload: body), before: staged).payload
    }

    /// The same offer again gives the same request; another one a new key.
    private mutating func take(
        _ offer: ClaimOffer, before staged: StagedClaim?
    ) throws(RequestFailure) -> ClaimRequest {
        guard !record.usedTokens.contains(offer.token) else {
            throw RequestFailure(reason: "the token was used; ask the home for another one")
        }
        if let defect = brokerDefect(offer.broker) {
            throw RequestFailure(reason: "the broker cannot be used: \(defect)")
        }
        let keys: DeviceKeyPair
        if let staged, staged.offer == offer {
            keys = staged.keys
        } else {
            keys = makeKeys("\(offer.home)/\(offer.device)")
            stage(StagedClaim(offer: offer, keys: keys))
        }
        client?.claim = .offered
        return ClaimRequest(
            nonce: offer.nonce, token: offer.token, serial: identity.serial, kind: identity.kind,
            model: identity.device.model, signingRequest: keys.signingRequest)
    }

    private mutating func take(
        _ grant: ClaimGrant, for staged: StagedClaim?
    ) throws(RequestFailure) -> ClaimReceipt {
        guard var staged, staged.offer.nonce == grant.nonce, client?.claim != ClaimProgress.none
        else { throw RequestFailure(reason: "no home was offered with that nonce in this session") }
        guard staged.keys.isFitting(grant.certificate) else {
            throw RequestFailure(reason: "the certificate is not for the device's key")
        }
        if staged.certificate != grant.certificate {
            staged.certificate = grant.certificate
            stage(staged)
        }
        client?.claim = .granted
        return ClaimReceipt(nonce: grant.nonce)
    }

    private mutating func stage(_ claim: StagedClaim) {
        record.place = .boxed(claim)
        actions.append(.save(record))
    }
}
