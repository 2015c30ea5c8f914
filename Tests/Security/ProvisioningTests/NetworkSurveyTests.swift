import Basics
import DeviceDomain
import Keychain
import Provisioning
import ProvisioningProtocol
import Testing

/// A boxed device is asked for the Wi-Fi networks that it finds, before a password is asked for.
@Suite(.timeLimit(.minutes(1))) struct NetworkSurveyTests {
    private func networks(
        _ world: ProvisioningWorld, security: ProvisioningSecurity? = .unprotected
    ) async throws -> [VisibleNetwork] {
        let code = SetupCode(
            name: "PROV_ab12cd", proof: Secret("abcd1234".utf8), username: "wifiprov")
        return try await NetworkSurvey(
            of: code, security, at: world, joining: JoinedAccessPoint(), clock: world.clock
        ).networks(within: ProvisioningTimeouts())
    }

    @Test func theStrongestNetworkComesFirstAndTheDeviceStaysAsItWas() async throws {
        let world = ProvisioningWorld()
        let found = try await networks(world)
        #expect(!found.isEmpty)
        #expect(found.map(\.signalDBm) == found.map(\.signalDBm).sorted(by: >))
        #expect(Set(found.map(\.name)).count == found.count)
        #expect(try await world.run().ending == .provisioned)
    }

    @Test func aDeviceThatComesLateIsWaitedFor() async throws {
        let world = ProvisioningWorld()
        world.state.withLock { $0.faults = [1: .before, 2: .before] }
        #expect(try await !networks(world).isEmpty)
    }

    @Test func aProtectionThatWasNotAskedForIsNoReasonToWait() async throws {
        let world = ProvisioningWorld()
        let error = await #expect(throws: ProvisioningError.self) {
            try await networks(world, security: nil)
        }
        #expect(error?.code == .unsupportedSecurity)
        #expect(world.calls == 1)
    }
}
