import Basics
import DeviceDomain
import Keychain
import Provisioning
import ProvisioningProtocol
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProvisioningContextTests {
    @Test(arguments: ProvisioningSecurity.allCases)
    func aBoxedDeviceComesHome(_ security: ProvisioningSecurity) async throws {
        let world = ProvisioningWorld(FakeBoxedDevice(security))
        let result = try await world.run(security: security)
        #expect(result.ending == .provisioned)
        #expect(result.device.text == "prov-ab12cd")
        #expect(!world.state.withLock { $0.keepsSecrets })
        world.expectNothingLeft(by: result.ending)
    }

    @Test(arguments: [ProvisioningSecurity.proofOfPossession, .password])
    func aWrongCodeIsToldApart(_ security: ProvisioningSecurity) async throws {
        let world = ProvisioningWorld(FakeBoxedDevice(security))
        let result = try await world.run(security: security, code: "wrong")
        #expect(result.ending.error?.code == .wrongProof)
        #expect(result.ending.error?.userAction == .checkLabel)
        world.expectNothingLeft(by: result.ending)
    }

    @Test func aWrongPasswordLeavesTheDeviceBoxedForTheRightOne() async throws {
        let world = ProvisioningWorld()
        let result = try await world.run(password: "wrong horse")
        #expect(result.ending.error?.code == .wrongPassword)
        #expect(world.state.withLock { $0.device.resets } == 1)
        world.expectNothingLeft(by: result.ending)
        #expect(try await world.run().ending == .provisioned)
    }

    @Test func aNetworkThatIsNotThereIsTriedThreeTimesAndOthersAreNamed() async throws {
        var device = FakeBoxedDevice()
        device.networks = ["cellar": "x"]
        let world = ProvisioningWorld(device)
        let result = try await world.run()
        #expect(result.ending.error?.code == .networkNotFound)
        #expect(result.ending.error?.message.contains("cellar") == true)
        #expect(world.state.withLock { $0.device.resets } >= ProvisioningStateMachine.mostTries)
        world.expectNothingLeft(by: result.ending)
    }

    @Test func aDeviceThatRefusesToJoinAndIsGoneThenHasFailedForCertain() async throws {
        var device = FakeBoxedDevice()
        device.refusesToJoin = true
        let world = ProvisioningWorld(device)
        let result = try await world.run()
        #expect(result.ending == .failed(try #require(result.ending.error)))
        #expect(result.ending.error?.code == .noAccessPoint)
        world.expectNothingLeft(by: result.ending)
    }

    @Test func aDeviceThatIsNeverSeenIsUnknownAndCanBeResumed() async throws {
        var device = FakeBoxedDevice()
        device.reachesBroker = false
        let world = ProvisioningWorld(device)
        let result = try await world.run()
        #expect(result.ending == .unknown(try #require(result.ending.error)))
        #expect(result.ending.error?.code == .notSeen)
        #expect(result.ending.error?.message.contains("left its access point") == true)
        #expect(world.state.withLock { $0.secrets.isEmpty })
        world.state.withLock { $0.device.reachesBroker = true }
        #expect(try await world.run().ending == .provisioned)
        world.expectNothingLeft(by: .provisioned)
    }

    @Test func aDeviceThatSaysThatItHasJoinedAndIsNotSeenHasNoWayToTheBroker() async throws {
        var device = FakeBoxedDevice()
        device.reachesBroker = false
        device.saysThatItJoined = true
        let result = try await ProvisioningWorld(device).run()
        #expect(result.ending.error?.code == .notSeen)
        #expect(result.ending.error?.message.contains("joined the network attic") == true)
    }

    @Test func theSameOrderAgainChangesNothing() async throws {
        let world = ProvisioningWorld()
        let first = try await world.run()
        let before = world.state.withLock { ($0.identities, $0.records) }
        let second = try await world.run()
        #expect(second.ending == .provisioned)
        #expect(second.attempt == first.attempt)
        let after = world.state.withLock { ($0.identities, $0.records) }
        #expect(before == after)
    }

    @Test func aNameOfAnotherDeviceIsRefused() async throws {
        let world = ProvisioningWorld()
        _ = try await world.run()
        world.state.withLock { $0.records = [] }
        let result = try await world.run()
        #expect(result.ending.error?.code == .nameTaken)
        #expect(result.ending.error?.message.contains("another device with the name") == true)
    }

    @Test func anUnprotectedSessionMustBeAskedFor() async throws {
        let world = ProvisioningWorld()
        let result = try await world.run(security: .proofOfPossession)
        #expect(result.ending.error?.code == .unsupportedSecurity)
        world.expectNothingLeft(by: result.ending)
    }

    @Test func everySingleFaultLeavesNothingBehind() async throws {
        let calls = try await Self.callsWithoutFault()
        #expect(calls > 20)
        for call in 1...calls {
            for fault in Fault.allCases { try await Self.check([call: fault]) }
        }
    }

    @Test func anyTwoFaultsLeaveNothingBehind() async throws {
        let calls = try await Self.callsWithoutFault()
        for first in 1...calls {
            for second in (first + 1)...(calls + 6) {
                for (one, other) in [(Fault.before, Fault.after), (.after, .killedAfter)] {
                    // That the device is back in its box when the same runs again changes little: every
                    // other pair is enough.
                    try await Self.check(
                        [first: one, second: other], reopened: [(first + second) % 2 == 0])
                }
            }
        }
    }

    private static func callsWithoutFault() async throws -> Int {
        let world = ProvisioningWorld()
        _ = try await world.run()
        return world.calls
    }

    /// Runs with faults, checks what is left, and then runs the same again until it is decided.
    private static func check(
        _ faults: [Int: Fault], reopened: [Bool] = [false, true]
    ) async throws {
        for reopens in reopened {
            let world = ProvisioningWorld()
            var result = try await world.run(faults)
            if !world.wasKilled { world.expectNothingLeft(by: result.ending, "\(faults)") }
            if reopens { world.failSafe() }
            for _ in 0..<2 where result.ending != .provisioned || world.wasKilled {
                result = try await world.run()
            }
            #expect(result.ending == .provisioned, "\(faults), reopened: \(reopens)")
            world.expectNothingLeft(by: result.ending, "\(faults), run again")
        }
    }
}

extension ProvisioningWorld {
    var wasKilled: Bool { state.withLock { $0.isKilled } }

    /// No path leaves a Wi-Fi password, a staged certificate or a half-provisioned device behind.
    func expectNothingLeft(by ending: ProvisioningEnding, _ comment: String = "") {
        let (secrets, identities, records, place) = state.withLock {
            ($0.secrets.count, Array($0.identities.values), $0.records, $0.device.place)
        }
        let open = records.filter { $0.step != .rolledBack && $0.step != .provisioned }
        switch ending {
        case .provisioned:
            #expect(secrets == 0, "\(comment)")
            #expect(identities == [.active], "\(comment)")
            #expect(place == .home, "\(comment)")
            #expect(open.isEmpty, "\(comment)")
        case .failed, .cancelled:
            #expect(secrets == 0, "\(comment)")
            #expect(identities.isEmpty, "\(comment)")
            #expect(place == .boxed, "\(comment)")
            #expect(open.isEmpty, "\(comment)")
        case .unknown:
            #expect(open.count <= 1, "\(comment)")
            #expect(!identities.contains(.active) || place == .home, "\(comment)")
        }
    }
}

extension ProvisioningEnding {
    var error: ProvisioningError? {
        switch self {
        case .failed(let error), .unknown(let error): error
        case .provisioned, .cancelled: nil
        }
    }
}
