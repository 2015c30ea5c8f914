import DeviceDomain
import DeviceMessages
import DeviceSimulation
import ProvisioningProtocol

// The claim (PROVISIONING, "The claim").
extension BoxedDevice {
    mutating func claim(_ body: [UInt8]) throws -> [UInt8] {
        guard let channel = client?.channel else { throw RequestFailure.noSession }
        let message = try verified(body, in: channel)
        let reply = try claimReply(to: message)
        return channel.authenticate(reply.payload, of: reply.nonce)
    }

    /// A message that nobody has changed on the way. One that is no JSON, or whose member `mac` is missing or
    /// wrong, ends the session.
    private mutating func verified(_ body: [UInt8], in channel: SecureChannel) throws -> [UInt8] {
        // Until the message is known to be as it was sent there is no client.
        let present = client
        client = nil
        let members = try JSONReader.read(body).object
        guard let text = members?["nonce"]?.string, let nonce = ClaimNonce(rawValue: text) else {
            client = present
            return body
        }
        let message = try channel.verify(body, of: nonce)
        client = present
        return message
    }

    private mutating func claimReply(
        to message: [UInt8]
    ) throws -> (payload: [UInt8], nonce: ClaimNonce) {
        guard case .boxed(let staged) = record.place else {
            throw RequestFailure(reason: "the device is in a home already")
        }
        if case .joining = station {
            throw RequestFailure(reason: "the device joins a network; ask how that went first")
        }
        if let grant = try? ClaimGrant(payload: message) {
            return (try take(grant, for: staged).payload, grant.nonce)
        }
        let offer = try ClaimOffer(payload: message)
        return (try take(offer, before: staged).payload, offer.nonce)
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
        guard offer.authorities == nil || offer.broker.lowercased().hasPrefix("mqtts://") else {
            throw RequestFailure(
                reason: "the offer names authorities, but its broker is not mqtts://")
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
