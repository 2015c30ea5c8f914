import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import Provisioning
import ProvisioningProtocol
import Testing

/// Who stands between an attempt and its device gains nothing.
@Suite(.timeLimit(.minutes(2))) struct SessionProtectionTests {
    @Test func aChangedAnswerToTheClaimIsRefusedAndAskedForAgain() async throws {
        for changed in [20, 40, 60] {
            let world = ProvisioningWorld(FakeBoxedDevice(.proofOfPossession))
            world.state.withLock { $0.changes[.claim] = { $0[changed] ^= 1 } }
            let result = try await world.run(security: .proofOfPossession)
            #expect(result.ending.error?.code == .unreadableAnswer, "byte \(changed)")
            let asked = world.state.withLock { $0.asked }
            let sessions = asked.filter { $0 == .version }.count
            #expect(sessions > ProvisioningStateMachine.mostTries)
            #expect(!asked.contains(.config) || world.state.withLock { $0.device.place } == .boxed)
            world.expectNothingLeft(by: result.ending)
        }
    }

    /// Espressif's labels name a user and no scheme.
    @Test func aLabelWithAUserIsNotTalkedDown() async throws {
        let world = ProvisioningWorld(FakeBoxedDevice(.proofOfPossession))
        let result = try await world.run(security: nil)
        #expect(result.ending.error?.code == .unsupportedSecurity)
        #expect(result.ending.error?.message.contains("names a user") == true)
        #expect(world.state.withLock { $0.asked }.allSatisfy { $0 == .version })
        #expect(try await world.run(security: .proofOfPossession).ending == .provisioned)
        let other = ProvisioningWorld(FakeBoxedDevice(.proofOfPossession))
        #expect(try await other.run(security: nil, username: nil).ending == .provisioned)
        let empty = ProvisioningWorld(FakeBoxedDevice(.proofOfPossession))
        #expect(try await empty.run(security: nil, username: "").ending == .provisioned)
    }

    /// What is wrong is the option, and not the label.
    @Test(arguments: [ProvisioningSecurity.unprotected, .password])
    func anotherProtectionThanTheOneOfTheDeviceNamesTheOption(
        chosen: ProvisioningSecurity
    ) async throws {
        let world = ProvisioningWorld(FakeBoxedDevice(.proofOfPossession))
        let error = try await world.run(security: chosen).ending.error
        #expect(error?.code == .unsupportedSecurity)
        #expect(error?.message.contains("give --security 1, or leave it out") == true)
        #expect(error?.userAction == .runAgain)
    }

    @Test func aRepeatedNonceIsRefusedUnlessAllowed() async throws {
        var device = FakeBoxedDevice(.password)
        device.repeatsNonce = true
        let world = ProvisioningWorld(device)
        let result = try await world.run(security: nil)
        #expect(result.ending.error?.code == .weakSession)
        #expect(result.ending.error?.userAction == .allowWeakSession)
        #expect(world.state.withLock { $0.asked }.allSatisfy { $0 == .version })
        world.expectNothingLeft(by: result.ending)
        let allowed = try await world.run(security: nil, allowsWeakSession: true)
        #expect(allowed.ending == .provisioned)
        #expect(await world.notices().map(\.code) == [.weakSession])
        world.expectNothingLeft(by: allowed.ending)
    }

    @Test(arguments: [1, 7, 64, 65])
    func aPasswordThatNoNetworkCanHaveIsRefusedFirst(count: Int) async throws {
        let world = ProvisioningWorld()
        let result = try await world.run(password: String(repeating: "x", count: count))
        #expect(result.ending.error?.code == .unusablePassword)
        #expect(world.calls == 0)
    }

    @Test(arguments: [8, 63, 64])
    func aPasswordThatANetworkCanHaveIsTaken(count: Int) async throws {
        let password = String(repeating: "a", count: count)
        var device = FakeBoxedDevice()
        device.networks = ["attic": password]
        #expect(
            try await ProvisioningWorld(device).run(password: password).ending == .provisioned)
    }

    @Test func aMissingPasswordIsRefusedBeforeTheDeviceIsClaimed() async throws {
        let world = ProvisioningWorld()
        let result = try await world.run(password: "")
        #expect(result.ending.error?.code == .unusablePassword)
        #expect(result.ending.error?.userAction == .retryPassword)
        let asked = world.state.withLock { $0.asked }
        #expect(!asked.contains(.claim) && !asked.contains(.control))
        world.expectNothingLeft(by: result.ending)
        var open = FakeBoxedDevice()
        open.networks = ["attic": ""]
        #expect(try await ProvisioningWorld(open).run(password: "").ending == .provisioned)
    }

    /// The request, or its answer, is lost on the way.
    @Test(arguments: [Fault.before, .after])
    func aLostRequestToJoinIsAskedAbout(fault: Fault) async throws {
        let world = ProvisioningWorld()
        _ = try await world.run()
        let last = try #require(world.state.withLock { $0.applyCall })
        let again = ProvisioningWorld()
        let begin = again.clock.elapsed
        let result = try await again.run([last: fault])
        #expect(result.ending == .provisioned)
        #expect(again.clock.elapsed - begin < .seconds(20))
        again.expectNothingLeft(by: result.ending)
    }
}

extension ProvisioningWorld {
    /// What the last run told the user.
    func notices() async -> [ProvisioningError] {
        guard let events = state.withLock({ $0.events }) else { return [] }
        var notices: [ProvisioningError] = []
        for await event in events {
            if case .notice(let error) = event { notices.append(error) }
        }
        return notices
    }
}
