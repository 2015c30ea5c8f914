import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import MatterAdapter

@Suite struct OutstandingTests {
    private let lamp = device("house-7")
    private let path = AttributePath(1, 6, 0)
    private let read =
        #"{"message_id":"2","command":"read_attribute","args":{"node_id":7,"attribute_path":"1/6/0"}}"#

    private var proof: EffectProof { EffectProof(path: path, test: .oneOf([true])) }

    /// Commands with one that was sent as message 1.
    private func begun(
        sort: CommandSort = .setting, texts: [String] = ["{\"a\":1}"], proof: EffectProof?
    ) throws -> (OutstandingCommands, CommandID) {
        var commands = OutstandingCommands(MatterReadBackTiming())
        let intent = try intent("turn-on", for: lamp, sort: sort)
        let actions = commands.begin(
            intent, node: 7, sort: sort, proof: proof, texts: texts.map { Array($0.utf8) })
        #expect(
            actions
                == [.send(Array(#"{"message_id":"1","a":1}"#.utf8)), .wait(intent.id)])
        return (commands, intent.id)
    }

    private func stages(_ actions: [OutstandingCommands.Action]) -> [AckStage] {
        actions.compactMap { if case .tell(let evidence) = $0 { evidence.stage } else { nil } }
    }

    private func receipts(_ actions: [OutstandingCommands.Action]) -> [DeliveryReceipt] {
        actions.compactMap {
            if case .release(_, .receipt(let receipt)) = $0 { receipt } else { nil }
        }
    }

    /// Why it is not known whether commands were carried out.
    private func doubts(_ actions: [OutstandingCommands.Action]) -> [String] {
        actions.compactMap { if case .release(_, .open(let reason)) = $0 { reason } else { nil } }
    }

    @Test func aSuccessAnswerAloneProvesNothing() throws {
        var (commands, id) = try begun(proof: proof)
        let actions = commands.answered("1", .null) ?? []
        #expect(receipts(actions) == [.confirmed] && stages(actions).isEmpty)
        #expect(stages(commands.reported(7, path, false)).isEmpty)
        #expect(stages(commands.reported(8, path, true)).isEmpty)
        #expect(stages(commands.reported(7, path, true)) == [.succeeded])
        #expect(commands.count == 0)
        #expect(commands.wait(of: id) == nil)
    }

    @Test func aNumberOnTheToleranceShowsTheEffect() {
        let proof = EffectProof(path: path, test: .near(2000, within: 25))
        #expect(proof.isMet(by: 2025, of: path) && proof.isMet(by: 1975, of: path))
        #expect(!proof.isMet(by: 2026, of: path) && !proof.isMet(by: 1974, of: path))
    }

    @Test func whatFollowsAnOpenAnswerIsNotSentAndItsEffectNotAwaited() throws {
        var (commands, _) = try begun(texts: ["{\"a\":1}", "{\"b\":2}"], proof: proof)
        let timeout = ServerFailure(code: 0, details: "InteractionModelError: Timeout (0x94)")
        let actions = commands.failed("1", timeout) ?? []
        #expect(receipts(actions).isEmpty && stages(actions).isEmpty)
        #expect(doubts(actions) == [timeout.details], "in the server's words")
        #expect(!actions.contains { if case .send = $0 { true } else { false } })
        #expect(stages(commands.reported(7, path, true)).isEmpty)
    }

    @Test func theEffectIsReadWhereNoReportComes() throws {
        var (commands, id) = try begun(proof: proof)
        let firstFound = commands.wait(of: id)
        let first = try #require(firstFound)
        #expect(commands.answered("1", .null)?.contains(.wait(id)) == true)
        let secondFound = commands.wait(of: id)
        let second = try #require(secondFound)
        #expect(second.duration == .seconds(1))
        #expect(commands.waited(first, canAsk: true).isEmpty, "the wait for the answer is over")
        #expect(
            commands.waited(second, canAsk: true) == [.wait(id), .send(Array(read.utf8))])
        #expect(commands.answered("2", ["1/6/0": true]) == [.attribute(7, path, true)])
        #expect(commands.wait(of: id)?.duration == .seconds(2))
    }

    @Test func theEffectIsAwaitedUntilTheCommandsTimeIsOver() throws {
        var (commands, id) = try begun(proof: proof)
        _ = commands.answered("1", .null)
        var waited = Duration.zero
        while let wait = commands.wait(of: id) {
            waited += wait.duration
            _ = commands.waited(wait, canAsk: false)
        }
        #expect(waited >= .seconds(30) && waited <= .seconds(31))
        #expect(commands.count == 0)
    }

    @Test func aReportBeforeTheAnswerCounts() throws {
        var (commands, _) = try begun(proof: proof)
        let actions = commands.reported(7, path, true)
        #expect(stages(actions) == [.succeeded] && receipts(actions) == [.confirmed])
        #expect(commands.answered("1", .null) == nil)
    }

    @Test func aRefusalIsFinal() throws {
        var (commands, _) = try begun(proof: proof)
        let failure = ServerFailure(code: 0, details: "InteractionModelError: Busy (0x9c)")
        #expect(stages(commands.failed("1", failure) ?? []) == [.rejected])
        #expect(commands.count == 0)
    }

    @Test func aTimeoutLeavesTheOutcomeOpen() throws {
        var (commands, _) = try begun(proof: proof)
        let failure = ServerFailure(code: 0, details: "CHIP Error 0x00000032: Timeout")
        let actions = commands.failed("1", failure) ?? []
        #expect(stages(actions).isEmpty && receipts(actions).isEmpty)
        #expect(doubts(actions) == [failure.details])
        #expect(stages(commands.reported(7, path, true)) == [.succeeded])
    }

    @Test func aLostAnswerLeavesTheOutcomeOpen() throws {
        var (commands, _) = try begun(proof: proof)
        let actions = commands.linkLost()
        #expect(receipts(actions).isEmpty, "the server has confirmed nothing")
        #expect(doubts(actions).first?.contains("before it answered") == true)
        #expect(commands.answered("1", .null) == nil, "of a former connection")
        #expect(commands.awaited.map(\.path) == [path])
        #expect(stages(commands.reported(7, path, true)) == [.succeeded])
    }

    @Test func theNextRequestWaitsForTheAnswer() throws {
        var (commands, _) = try begun(
            sort: .action, texts: ["{\"a\":1}", "{\"b\":2}"], proof: proof)
        #expect(stages(commands.reported(7, path, true)).isEmpty, "it has not started anything")
        #expect(
            commands.answered("1", ["status": 0])
                == [.send(Array(#"{"message_id":"2","b":2}"#.utf8))])
        let actions = commands.answered("2", ["status": 0]) ?? []
        #expect(stages(actions) == [.accepted])
        #expect(stages(commands.reported(7, path, true)) == [.succeeded])
    }

    @Test func aRefusedFirstRequestIsTheLast() throws {
        var (commands, _) = try begun(
            sort: .action, texts: ["{\"a\":1}", "{\"b\":2}"], proof: proof)
        let actions = commands.answered("1", ["status": 1, "statusText": "no such area"]) ?? []
        #expect(stages(actions) == [.rejected])
        #expect(!actions.contains { if case .send = $0 { true } else { false } })
    }

    @Test func withoutAProofTheAnswerIsAllThatComes() throws {
        var (commands, _) = try begun(sort: .instant, proof: nil)
        #expect(receipts(commands.answered("1", .null) ?? []) == [.confirmedWithoutEvidence])
    }

    @Test func aLaterCommandHidesTheEffectOfAnEarlierOne() throws {
        var (commands, _) = try begun(proof: proof)
        let later = try intent("turn-off", for: lamp)
        _ = commands.begin(
            later, node: 7, sort: .setting,
            proof: EffectProof(path: path, test: .oneOf([false])), texts: [Array("{}".utf8)])
        #expect(stages(commands.reported(7, path, true)).isEmpty)
        #expect(stages(commands.reported(7, path, false)) == [.succeeded])
    }

    @Test func aSilentServerHoldsTheNextCommandForTenSeconds() throws {
        var (commands, id) = try begun(proof: proof)
        let waitFound = commands.wait(of: id)
        let wait = try #require(waitFound)
        #expect(wait.duration == .seconds(10))
        let actions = commands.waited(wait, canAsk: true)
        #expect(receipts(actions).isEmpty && doubts(actions).count == 1)
        #expect(actions.last == .send(Array(read.utf8)))
    }
}
