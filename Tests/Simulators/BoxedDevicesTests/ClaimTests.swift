import DeviceDomain
import DeviceMessages
import ProvisioningProtocol
import Testing

@testable import BoxedDevices

@Suite struct ClaimTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func offer(_ nonce: String = "n-1", token: String = "t-1") throws -> ClaimOffer {
        ClaimOffer(
            home: try HomeID("villa"), device: try DeviceID("robot"), broker: "mqtt://127.0.0.1",
            nonce: try #require(ClaimNonce(rawValue: nonce)),
            token: try #require(ClaimToken(rawValue: token)))
    }

    /// Brings a device into `villa/robot`.
    private func claim(
        _ bench: inout BoxBench, _ client: inout BoxClient, _ offer: ClaimOffer
    ) throws {
        let request = try client.offer(offer, on: &bench)
        let certificate = try authority.sign(request.signingRequest)
        let receipt = try client.grant(
            ClaimGrant(nonce: offer.nonce, certificate: certificate), on: &bench)
        #expect(receipt.nonce == offer.nonce)
    }

    private func enter(_ bench: inout BoxBench, _ client: inout BoxClient) throws {
        #expect(try client.join("home-net", "secret12", on: &bench) == .success)
        bench.give(.joiningEnded)
    }

    @Test(arguments: [1, 2])
    func aClaimedDeviceEntersTheHomeOfTheClaim(number: Int) throws {
        var bench = try BoxBench(number)
        var client = try bench.client()
        let offer = try offer()
        let request = try client.offer(offer, on: &bench)
        #expect(request.token == offer.token)
        #expect(request.serial == bench.device.identity.serial)
        #expect(request.kind == (number == 1 ? .sweepingRobot : .poolRobot))
        #expect(try authority.subject(of: request.signingRequest).contains("villa/robot"))
        try claim(&bench, &client, offer)
        try enter(&bench, &client)
        #expect(bench.asked == ["close", "enter villa/robot"])
        guard case .member(let member) = bench.saved.place else {
            Issue.record("not in a home")
            return
        }
        #expect(member.failSafe == bench.now.advanced(by: BoxBench.failSafe))
        #expect(member.claim?.certificate != nil)
        #expect(bench.keys.count == 1)
    }

    @Test func theKeyNeverLeavesTheDevice() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let request = try client.offer(offer(), on: &bench)
        #expect(!request.signingRequest.contains("PRIVATE"))
        guard case .boxed(let staged?) = bench.saved.place else {
            Issue.record("nothing staged")
            return
        }
        #expect(staged.keys.key.contains("PRIVATE"))
    }

    @Test func aRepeatedOfferGivesTheSameRequestEvenAfterAKill() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let first = try client.offer(offer(), on: &bench)
        #expect(try client.offer(offer(), on: &bench) == first)
        try bench.restart()
        client = try bench.client()
        #expect(try client.offer(offer(), on: &bench) == first)
        #expect(bench.keys.count == 0)
        let other = try client.offer(offer("n-2", token: "t-2"), on: &bench)
        #expect(other.signingRequest != first.signingRequest)
        #expect(bench.keys.count == 1)
    }

    @Test func aForeignCertificateIsRefused() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let stale = try authority.sign(try client.offer(offer(), on: &bench).signingRequest)
        let nonce = try #require(ClaimNonce(rawValue: "n-2"))
        _ = try client.offer(offer("n-2", token: "t-2"), on: &bench)
        for certificate in [stale, try authority.certificate(), "", "rubbish"] {
            #expect(throws: BoxRefusal.self) {
                try client.grant(
                    ClaimGrant(nonce: nonce, certificate: certificate), on: &bench)
            }
        }
        // Without its certificate the device does not leave its box for that home.
        #expect(try client.join("home-net", "secret12", on: &bench) == .internalError)
    }

    @Test func aCertificateForAnotherNonceIsRefused() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let request = try client.offer(offer(), on: &bench)
        let certificate = try authority.sign(request.signingRequest)
        let other = try #require(ClaimNonce(rawValue: "n-2"))
        #expect(throws: BoxRefusal.self) {
            try client.grant(ClaimGrant(nonce: other, certificate: certificate), on: &bench)
        }
    }

    @Test func aClaimOfAnotherSessionDoesNotCount() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        try claim(&bench, &client, offer())
        client = try bench.client()
        try enter(&bench, &client)
        #expect(bench.asked.last == "enter home-1/boxed-1")
    }

    @Test func whoComesWhileTheDeviceJoinsDoesNotChangeItsHome() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        try claim(&bench, &client, offer())
        #expect(try client.join("home-net", "secret12", on: &bench) == .success)
        client = try bench.client()
        #expect(throws: BoxRefusal.self) {
            _ = try client.offer(offer("n-2", token: "t-2"), on: &bench)
        }
        bench.give(.joiningEnded)
        #expect(bench.asked.last == "enter villa/robot")
        #expect(throws: BoxRefusal.self) {
            _ = try client.offer(offer("n-2", token: "t-2"), on: &bench)
        }
    }

    @Test func anUnusableBrokerIsRefusedAtOnce() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let bad = ClaimOffer(
            home: try HomeID("villa"), device: try DeviceID("robot"), broker: "http://x",
            nonce: try #require(ClaimNonce(rawValue: "n")),
            token: try #require(ClaimToken(rawValue: "t")))
        do {
            _ = try client.offer(bad, on: &bench)
            Issue.record("the broker was taken")
        } catch let refusal as BoxRefusal { #expect(refusal.reason.contains("mqtt://host")) }
        #expect(bench.keys.count == 0)
    }

    @Test(arguments: ["mqtt://127.0.0.1", "MQTT://127.0.0.1"])
    func aBrokerWithoutTLSIsRefusedWhereAuthoritiesAreGiven(broker: String) throws {
        var bench = try BoxBench()
        var client = try bench.client()
        func offer(_ broker: String) throws -> ClaimOffer {
            ClaimOffer(
                home: try HomeID("villa"), device: try DeviceID("robot"), broker: broker,
                nonce: try #require(ClaimNonce(rawValue: "n")),
                token: try #require(ClaimToken(rawValue: "t")), authorities: "PEM")
        }
        #expect(throws: BoxRefusal.self) { try client.offer(offer(broker), on: &bench) }
        #expect(bench.keys.count == 0)
        _ = try client.offer(offer("mqtts://127.0.0.1"), on: &bench)
    }

    /// Security 1 has a stream that anybody on the way can change where the text is known.
    @Test(arguments: [(message: 0, byte: 16), (message: 1, byte: 70)])
    func aChangedMessageEndsTheSession(message: Int, byte: Int) throws {
        var bench = try BoxBench()
        var client = try bench.client()
        let offer = try offer()
        let granted = ClaimGrant(
            nonce: offer.nonce,
            certificate: try authority.sign(try client.offer(offer, on: &bench).signingRequest))
        var body = client.channel.authenticate(
            message == 0 ? offer.payload : granted.payload, of: offer.nonce)
        body[byte] ^= 1
        do {
            _ = try client.post(.claim, body, to: &bench)
            Issue.record("the message was taken")
        } catch let refusal as BoxRefusal { #expect(refusal.reason.contains("changed on the way")) }
        #expect(throws: BoxRefusal.self) { try client.join("home-net", "secret12", on: &bench) }
        client = try bench.client()
        try claim(&bench, &client, offer)
    }

    @Test func withoutACommitTheDeviceGoesBackAndItsTokenIsWorthNothing() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        try claim(&bench, &client, offer())
        try enter(&bench, &client)
        try bench.restart()
        #expect(bench.device.start().count == 1)
        bench.give(.failSafe)
        #expect(bench.asked == ["open"])
        #expect(bench.saved.place == .boxed(nil))
        client = try bench.client()
        do {
            _ = try client.offer(offer("n-2"), on: &bench)
            Issue.record("the token was taken twice")
        } catch let refusal as BoxRefusal { #expect(refusal.reason.contains("token was used")) }
        try claim(&bench, &client, offer("n-2", token: "t-2"))
        try enter(&bench, &client)
        #expect(bench.asked.last == "enter villa/robot")
    }

    @Test func aCommittedClaimStays() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        try claim(&bench, &client, offer())
        try enter(&bench, &client)
        bench.give(.committed(try #require(ClaimNonce(rawValue: "other"))))
        guard case .member(let open) = bench.saved.place else { return }
        #expect(open.failSafe != nil)
        bench.give(.committed(try #require(ClaimNonce(rawValue: "n-1"))))
        bench.give(.failSafe)
        #expect(bench.asked.isEmpty)
        guard case .member(let member) = bench.saved.place else {
            Issue.record("it has left")
            return
        }
        #expect(member.failSafe == nil)
        try bench.restart()
    }

    @Test func aDeviceWithoutAClaimNeedsNoCommit() throws {
        var bench = try BoxBench()
        var client = try bench.client()
        try enter(&bench, &client)
        guard case .member(let member) = bench.saved.place else {
            Issue.record("not in a home")
            return
        }
        #expect(member.claim == nil)
        #expect(member.failSafe == nil)
        bench.give(.failSafe)
        #expect(bench.asked.isEmpty)
    }
}
