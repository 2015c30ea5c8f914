import Basics
import DeviceDomain
import MatterAdapter
import Provisioning
import Testing

/// What happens where nobody knows what became of the request, and where the attempt is taken back.
@Suite(.timeLimit(.minutes(2))) struct CommissioningLossTests {
    private static let confirming = ProvisioningTimeouts.commissioning.confirming

    @Test func aLostAnswerIsFoundAmongTheNodes() async throws {
        let world = CommissioningWorld { request, state in
            if case .commission = request { state.nodes.append(CommissionedNode(id: 8)) }
            return .answer(.lost)
        }
        let (result, _) = try await world.run()
        #expect(result.ending == .provisioned && result.device?.text == "house-8")
        #expect(world.commissionings == 1)
    }

    @Test func aLostAnswerWithoutANewNodeIsUnknownAndNotSentAgain() async throws {
        let world = CommissioningWorld { _, _ in .answer(.lost) }
        let (result, _) = try await world.run()
        let error = try #require(result.ending.error)
        #expect(result.ending == .unknown(error) && error.code == .connectionLost)
        #expect(world.clock.elapsed >= Self.confirming)
        #expect(world.commissionings == 1)
        #expect(world.state.withLock { $0.records.map(\.step) } == [.commissioning])
    }

    @Test(arguments: [true, false])
    func whetherTheServerWasReachedAfterTheLossIsTold(_ isReachable: Bool) async throws {
        let world = CommissioningWorld { request, state in
            if case .commission = request { state.isReachable = isReachable }
            return .answer(.lost)
        }
        let (result, events) = try await world.run()
        let error = try #require(result.ending.error)
        #expect(result.ending == .unknown(error))
        #expect(error.message.contains("no new device is listed") == isReachable)
        #expect(error.message.contains("could not be reached since") == !isReachable)
        let notice = try #require(events.notices.first { $0.code == .connectionLost })
        #expect(notice.message.contains("for up to 240 s"), "\(notice.message)")
    }

    @Test func theNextProcessTellsThatItWaitsForTheFormerRequest() async throws {
        let world = CommissioningWorld { _, _ in .answer(.lost) }
        _ = try await world.run()
        let (_, events) = try await world.run()
        #expect(events.notices.contains { $0.message.contains("by an earlier run") })
    }

    @Test func aServerThatIsSilentIsUnknown() async throws {
        let world = CommissioningWorld { _, _ in .silence }
        let (result, _) = try await world.run()
        #expect(result.ending == .unknown(try #require(result.ending.error)))
        #expect(result.ending.error?.code == .timedOut)
        #expect(world.commissionings == 1)
    }

    @Test func theNextProcessFindsTheDevice() async throws {
        let world = CommissioningWorld { _, _ in .answer(.lost) }
        _ = try await world.run()
        world.state.withLock { $0.nodes.append(CommissionedNode(id: 9)) }
        let (result, events) = try await world.run("MT:-24J0AFN00KA0648G00")
        #expect(result.ending == .provisioned && result.device?.text == "house-9")
        #expect(events.phases == [.scanning, .finalizing])
        #expect(world.commissionings == 1)
    }

    @Test func theNextProcessWaitsForTheEndOfTheFormerRequest() async throws {
        let world = CommissioningWorld { request, state in
            state.requests.count < 2
                ? .answer(.lost) : CommissioningWorld.obeying(request, &state)
        }
        _ = try await world.run()
        let before = world.clock.elapsed
        // The wall clock stands still, so the former request counts as just sent.
        let (result, events) = try await world.run()
        #expect(result.ending == .provisioned)
        #expect(world.clock.elapsed - before >= Self.confirming)
        #expect(events.phases == ProvisioningPhase.allCases)
        #expect(world.commissionings == 2)
    }

    @Test func afterThatTimeTheDeviceIsAskedForAtOnce() async throws {
        let world = CommissioningWorld { request, state in
            state.requests.count < 2
                ? .answer(.lost) : CommissioningWorld.obeying(request, &state)
        }
        _ = try await world.run()
        world.state.withLock { $0.wall = $0.wall.advanced(by: Self.confirming) }
        let before = world.clock.elapsed
        #expect(try await world.run().0.ending == .provisioned)
        #expect(world.clock.elapsed - before < .seconds(10))
    }

    @Test func ofTwoNewNodesNoneIsTaken() async throws {
        let world = CommissioningWorld { request, state in
            if case .commission = request {
                state.nodes += [CommissionedNode(id: 8), CommissionedNode(id: 9)]
            }
            return .answer(.lost)
        }
        let (result, _) = try await world.run()
        let error = try #require(result.ending.error)
        #expect(error.message.contains("house-8") && error.message.contains("house-9"))
        #expect(world.nodes == [7, 8, 9])
    }

    @Test func aCodeThatNamesTheProductTellsTheNodesApart() async throws {
        let world = CommissioningWorld { request, state in
            if case .commission = request {
                state.nodes += [
                    CommissionedNode(id: 8, vendor: 4874, product: 1),
                    CommissionedNode(id: 9, vendor: 65_521, product: 32_769),
                ]
            }
            return .answer(.lost)
        }
        let (result, _) = try await world.run("MT:-24J0AFN00KA0648G00")
        #expect(result.device?.text == "house-9")
    }

    @Test func theSameCodeAgainChangesNothing() async throws {
        let world = CommissioningWorld()
        let (first, _) = try await world.run()
        let (second, events) = try await world.run()
        #expect(second.ending == .provisioned && second.attempt == first.attempt)
        #expect(second.device?.text == "house-8" && events.isEmpty)
        #expect(world.commissionings == 1)
    }

    @Test func aDeviceThatWasTakenOutCanComeBack() async throws {
        let world = CommissioningWorld()
        _ = try await world.run()
        world.state.withLock { $0.nodes.removeAll { $0.id == 8 } }
        #expect(try await world.run().0.ending == .provisioned)
        #expect(world.commissionings == 2)
    }

    @Test func anotherCodeIsAnotherDevice() async throws {
        let world = CommissioningWorld()
        _ = try await world.run()
        // The passcode 12341234 with the same discriminator.
        _ = try await world.run("35323407532")
        #expect(world.commissionings == 2)
        #expect(Set(world.state.withLock { $0.records.map(\.label) }).count == 2)
    }

    // MARK: Taking back

    @Test func whoCancelsMeanwhileHasTheDeviceTakenOutAgain() async throws {
        let world = CommissioningWorld()
        let (result, events) = try await world.run(cancelling: true)
        #expect(result.ending == .cancelled && result.device == nil)
        #expect(world.nodes == [7])
        #expect(world.state.withLock { $0.requests.last } == .remove(node: 8))
        #expect(world.state.withLock { $0.records.map(\.step) } == [.rolledBack])
        #expect(events.notices.contains { $0.code == .cancelled })
    }

    @Test func whoCancelsAFailureLeavesNothing() async throws {
        let world = CommissioningWorld { _, _ in .answer(.failed(code: 1, details: "no")) }
        let (result, _) = try await world.run(cancelling: true)
        #expect(result.ending == .cancelled)
        #expect(world.state.withLock { $0.requests.count } == 1)
    }

    @Test func whoCancelsWhereTheAnswerIsLostIsToldSo() async throws {
        for reply in [CommissioningWorld.Reply.answer(.lost), .silence] {
            let world = CommissioningWorld { _, _ in reply }
            let (result, _) = try await world.run(cancelling: true)
            #expect(result.ending == .unknown(try #require(result.ending.error)))
            #expect(world.commissionings == 1)
        }
    }

    @Test func aServerThatDoesNotTakeTheDeviceOutIsUnknown() async throws {
        let world = CommissioningWorld { request, state in
            if case .remove = request { return .answer(.failed(code: 7, details: "stack")) }
            return CommissioningWorld.obeying(request, &state)
        }
        let (result, _) = try await world.run(cancelling: true)
        #expect(result.ending.error?.message.contains("stack") == true)
        #expect(world.state.withLock { $0.records.map(\.step) } == [.commissioning])
    }

    @Test func anotherProcessThatGoesOnIsLeftAlone() async throws {
        let world = CommissioningWorld()
        world.state.withLock { $0.failsUpdate = .commissioning }
        let (result, _) = try await world.run()
        #expect(result.ending.error?.code == .otherProcess)
        #expect(world.commissionings == 0)
    }
}
