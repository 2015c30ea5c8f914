import Basics
import DeviceDomain
import Keychain
import Provisioning
import ProvisioningProtocol
import Testing

/// Attempts that are cancelled once the device was told to join, and devices that are in the middle of an attempt.
@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    /// Which call has the device join.
    private static func joiningCall() async throws -> Int {
        let world = ProvisioningWorld()
        _ = try await world.run()
        return try #require(world.state.withLock { $0.applyCall })
    }

    /// Cancelled while the device is told to join, or right after it; the device may still answer at its access point.
    @Test(arguments: [0, 1], [false, true])
    func whatCannotBeTakenBackIsUnknownAndTheSameOrderGoesOn(
        after: Int, answers: Bool
    ) async throws {
        var device = FakeBoxedDevice()
        device.saysThatItJoined = answers
        let world = ProvisioningWorld(device)
        let call = try await Self.joiningCall() + after
        let result = try await world.run([call: .cancelled])
        #expect(result.ending == .unknown(try #require(result.ending.error)))
        #expect(result.ending.error?.code == .cancelled)
        #expect(result.ending.error?.message.contains("leaves again by itself") == true)
        #expect(world.state.withLock { $0.records.map(\.step) } == [.joining])
        #expect(world.state.withLock { Array($0.identities.values) } == [.staged])
        #expect(world.state.withLock { $0.secrets.isEmpty })
        #expect(try await world.run().ending == .provisioned)
        world.expectNothingLeft(by: .provisioned)
    }

    @Test func afterItsFailSafeTheDeviceIsTakenFromItsBox() async throws {
        let world = ProvisioningWorld()
        let call = try await Self.joiningCall()
        #expect(try await world.run([call: .cancelled]).ending != .cancelled)
        world.failSafe()
        #expect(try await world.run().ending == .provisioned)
        world.expectNothingLeft(by: .provisioned)
    }

    /// The device did not get the request to join, or does not find the network.
    @Test(arguments: [false, true])
    func whereTheDeviceSaysThatItHasNotJoinedAllIsTakenBack(isLost: Bool) async throws {
        var device = FakeBoxedDevice()
        if !isLost { device.networks = ["cellar": "x"] }
        let world = ProvisioningWorld(device)
        let call = try await Self.joiningCall()
        let result = try await world.run(
            isLost ? [call: .before, call + 1: .cancelled] : [call: .cancelled])
        #expect(result.ending == .cancelled)
        #expect(world.state.withLock { $0.device.resets } == (isLost ? 0 : 1))
        world.expectNothingLeft(by: result.ending)
    }

    /// A device may take as long for its answers as when it was connected to.
    @Test func aDeviceThatAnswersSlowlySaysThatItHasNotJoined() async throws {
        var device = FakeBoxedDevice()
        device.networks = ["cellar": "x"]
        let world = ProvisioningWorld(device)
        let call = try await Self.joiningCall()
        let result = try await world.run([call: .cancelled], asking: SlowDevice(world: world))
        #expect(result.ending == .cancelled)
        #expect(world.state.withLock { $0.device.resets } == 1)
        world.expectNothingLeft(by: result.ending)
    }

    @Test func aDeviceInTheMiddleOfAnotherAttemptSaysWhenItTakesThisOne() async throws {
        var device = FakeBoxedDevice()
        (device.reachesBroker, device.saysThatItJoined) = (false, true)
        let world = ProvisioningWorld(device)
        _ = try await world.run()
        world.state.withLock { $0.records = [] }
        let result = try await world.run()
        #expect(result.ending.error?.code == .refused)
        #expect(result.ending.error?.message.contains("another attempt") == true)
        #expect(result.ending.error?.userAction == .runAgain)
        world.failSafe()
        world.state.withLock { $0.device.reachesBroker = true }
        #expect(try await world.run().ending == .provisioned)
    }

    @Test func anAccessPointThatStaysSilentWasFound() async throws {
        let world = ProvisioningWorld()
        let result = try await world.run(asking: SilentDevice(clock: world.clock))
        #expect(result.ending.error?.code == .connectionLost)
        #expect(result.ending.error?.message.contains("did not answer") == true)
    }
}

/// The device of a world, which takes its time for every answer.
private struct SlowDevice: ProvisioningTransport {
    let world: ProvisioningWorld

    func post(
        _ body: [UInt8], to endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8] {
        let answer = try await world.post(body, to: endpoint)
        await world.clock.sleep(for: .seconds(4))
        guard !Task.isCancelled else {
            throw ProvisioningError(.connectionLost, "cut off", .pressReset)
        }
        return answer
    }
}

/// It takes requests, and nothing more.
private struct SilentDevice: ProvisioningTransport {
    let clock: TestClock

    func post(
        _ body: [UInt8], to endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8] {
        while !Task.isCancelled { await clock.sleep(for: .seconds(5)) }
        throw ProvisioningError(.connectionLost, "cut off", .pressReset)
    }
}
