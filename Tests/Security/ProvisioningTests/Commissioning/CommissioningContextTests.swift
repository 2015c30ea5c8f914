import Basics
import DeviceDomain
import Keychain
import MatterAdapter
import Provisioning
import Testing

@Suite(.timeLimit(.minutes(2))) struct CommissioningContextTests {
    private let password = Secret("correct horse".utf8)

    @Test func aDeviceComesOntoTheServerThroughTheFiveStates() async throws {
        let world = CommissioningWorld()
        let (result, events) = try await world.run()
        #expect(result.ending == .provisioned)
        #expect(result.device?.text == "house-8")
        #expect(events.phases == ProvisioningPhase.allCases)
        #expect(world.commissionings == 1)
        #expect(world.state.withLock { $0.records.map(\.step) } == [.provisioned])
    }

    @Test func theNetworksAreSetBeforeTheDeviceIsAskedFor() async throws {
        let world = CommissioningWorld()
        world.state.withLock {
            $0.means = CommissioningMeans(hasBluetooth: true, hasWiFi: false, hasThread: false)
        }
        let dataset = try #require(ThreadDataset(Secret("0e080000000000010000".utf8)))
        _ = try await world.run(
            wiFi: WiFiAccess(ssid: "attic", password: password), thread: dataset)
        #expect(
            world.state.withLock { $0.requests } == [
                .setWiFi(ssid: "attic", password: "correct horse"),
                .setThread(dataset: "0e080000000000010000"),
                .commission(code: "34970112332", networkOnly: false),
            ])
    }

    @Test func aServerWithoutBluetoothIsAskedToLookInItsNetwork() async throws {
        let world = CommissioningWorld()
        _ = try await world.run()
        #expect(
            world.state.withLock { $0.requests.first }
                == .commission(code: "34970112332", networkOnly: true))
    }

    @Test func aServerWithBluetoothAndWithoutANetworkIsRemarked() async throws {
        let world = CommissioningWorld()
        world.state.withLock {
            $0.means = CommissioningMeans(hasBluetooth: true, hasWiFi: false, hasThread: false)
        }
        let (_, events) = try await world.run()
        #expect(events.notices.contains { $0.message.contains("--ssid") })
        let (_, quiet) = try await CommissioningWorld().run()
        #expect(quiet.notices.isEmpty)
    }

    @Test func aPasswordThatNoNetworkHasIsRefusedBeforeAnythingIsSent() async throws {
        let world = CommissioningWorld()
        let (result, _) = try await world.run(
            wiFi: WiFiAccess(ssid: "attic", password: Secret("short".utf8)))
        #expect(result.ending.error?.code == .unusablePassword)
        #expect(world.state.withLock { $0.requests.isEmpty && $0.records.isEmpty })
    }

    @Test(arguments: [(true, "WRONG_PROOF"), (false, "DEVICE_NOT_FOUND")])
    func aFailureIsExplainedByWhatShowsItself(_ shown: Bool, _ code: String) async throws {
        let world = CommissioningWorld { request, _ in
            switch request {
            case .discover: .answer(.discovered(shown ? [12, 3840] : [12]))
            default: .answer(.failed(code: 1, details: "failed for node 8 (20202021)"))
            }
        }
        let (result, _) = try await world.run()
        let error = try #require(result.ending.error)
        #expect(result.ending == .failed(error) && result.device == nil)
        #expect(error.code.rawValue == code)
        #expect(error.message.contains("failed for node 8"))
        #expect(!error.message.contains("20202021"))
        #expect(world.commissionings == 1)
        #expect(world.state.withLock { $0.records.map(\.step) } == [.rolledBack])
    }

    @Test func aServerThatLooksAroundForEverDoesNotHoldTheFailureUp() async throws {
        let world = CommissioningWorld { request, _ in
            request == .discover ? .silence : .answer(.failed(code: 1, details: "no"))
        }
        let (result, _) = try await world.run()
        #expect(result.ending.error?.code == .deviceNotFound)
        #expect(world.clock.elapsed < .seconds(60))
    }

    @Test func anInterviewThatFailedAfterTheDeviceHasJoinedIsNoFailure() async throws {
        let world = CommissioningWorld { request, state in
            if case .commission = request { state.nodes.append(CommissionedNode(id: 8)) }
            return .answer(.failed(code: 2, details: "interview failed"))
        }
        let (result, _) = try await world.run()
        #expect(result.ending == .provisioned && result.device?.text == "house-8")
    }

    @Test func anErrorWithoutANewNodeIsAFailure() async throws {
        let world = CommissioningWorld { _, _ in .answer(.failed(code: 7, details: "stack")) }
        let (result, _) = try await world.run()
        #expect(result.ending.error?.code == .commissioningFailed)
        #expect(result.ending.error?.message.contains("stack") == true)
        #expect(world.commissionings == 1)
    }

    @Test func aServerThatCannotBeReachedIsAFailureOfTheConnection() async throws {
        let world = CommissioningWorld()
        world.state.withLock { $0.isReachable = false }
        let (result, _) = try await world.run()
        #expect(result.ending.error?.code == .server)
        #expect(result.ending.error?.message.contains("ws://server") == true)
        #expect(world.state.withLock { $0.requests.isEmpty })
    }

    @Test func aRequestThatDidNotLeaveIsTriedAgain() async throws {
        let world = CommissioningWorld { request, state in
            state.requests.count < 2 ? .notSent : CommissioningWorld.obeying(request, &state)
        }
        #expect(try await world.run().0.ending == .provisioned)
        #expect(world.commissionings == 2)
    }

    @Test func networksThatAreRefusedEndItBeforeTheDeviceIsAskedFor() async throws {
        let world = CommissioningWorld { _, _ in
            .answer(.failed(code: 7, details: "no correct horse here"))
        }
        let (result, _) = try await world.run(
            wiFi: WiFiAccess(ssid: "attic", password: password))
        let message = try #require(result.ending.error?.message)
        #expect(message.contains("no <redacted> here"), "\(message)")
        #expect(world.commissionings == 0)
    }
}

extension Sequence<ProvisioningEvent> {
    var phases: [ProvisioningPhase] {
        compactMap { if case .transition(let transition) = $0 { transition.to } else { nil } }
    }

    var notices: [ProvisioningError] {
        compactMap { if case .notice(let error) = $0 { error } else { nil } }
    }
}
