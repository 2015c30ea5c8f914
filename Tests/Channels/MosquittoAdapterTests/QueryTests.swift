import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

/// Queries of command outcomes (PROTOCOL section 5, `query-commands`).
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
    private let clock = ManualLoopClock()

    /// Queries the scripted device about commands, after connecting to it.
    private func ask(
        _ ids: [CommandID], on channel: MosquittoChannel
    ) async throws -> [CommandID: RecordedOutcome] {
        let service = channel.service(for: device("a"), in: home)
        try await service.connect(to: generic("a"))
        return try await service.outcomes(of: ids)
    }

    /// The result of the query as a value.
    private func outcome(
        _ ids: [CommandID], on channel: MosquittoChannel
    ) async -> Result<[CommandID: RecordedOutcome], any Error> {
        do { return .success(try await ask(ids, on: channel)) } catch { return .failure(error) }
    }

    @Test func knownNeverAndForgottenAreToldApart() async throws {
        let ids = (1...5).map { _ in makeCommandID() }
        let known = ack(ids[0], stage: .succeeded)
        let members = try JSONReader.read(known.payload)
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let outcomes = try await ask(ids, on: channel)
                #expect(
                    outcomes == [
                        ids[0]: .known(CommandEvidence(known)), ids[1]: .never,
                        ids[2]: .forgotten,
                    ])
                #expect(await channel.queries.isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let question = try peer.answer(
                .succeeded,
                [
                    ["id": .string(ids[0].text), "outcome": "known", "ack": members],
                    ["id": .string(ids[1].text), "outcome": "never"],
                    ["id": .string(ids[2].text), "outcome": "forgotten"],
                    // Malformed entries and other ids are left out.
                    ["id": .string(ids[3].text), "outcome": "known", "ack": ["v": 1]],
                    ["id": .string(makeCommandID().text), "outcome": "never"],
                ])
            #expect(question.name == .queryCommands)
            #expect(question.arguments["ids"] == .array(ids.map { .string($0.text) }))
            _ = peer.readToEnd()
        }
    }

    @Test func theAnswerIsNoEvidenceForObservers() async throws {
        let id = makeCommandID()
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (recorder, _) = channel.startRecording()
                let outcomes = try await ask([id], on: channel)
                #expect(outcomes == [id: .never])
                #expect(recorder.all.isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.answer(
                .succeeded, [["id": .string(id.text), "outcome": "never"]], after: .accepted)
            _ = peer.readToEnd()
        }
    }

    @Test func aSilentDeviceIsAskedFourTimesInTenSeconds() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                async let outcome = outcome([makeCommandID()], on: channel)
                await broker.signalled()
                for seconds in [1, 2, 4] {
                    await clock.pass(.seconds(seconds))
                    await broker.signalled()
                }
                await clock.pass(.seconds(3))
                let result = await outcome
                let error = #expect(throws: CommunicationError.self) { try result.get() }
                #expect(error?.code == .timedOut)
                #expect(error?.isRetriable == true)
                #expect(await channel.queries.isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            var payloads: Set<[UInt8]> = []
            for attempt in 1...4 {
                let packet = try peer.nextGranting()
                payloads.insert(try packet.payload())
                #expect(try packet.properties().contains(.user("attempt", "\(attempt)")))
                try peer.send(.puback(packet.publishIdentifier))
                broker.signal()
            }
            #expect(payloads.count == 1)
            _ = peer.readToEnd()
        }
    }

    @Test func theDeadlineHoldsAlsoWhereTheBrokerDoesNotConfirm() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                async let outcome = outcome([makeCommandID()], on: channel)
                await broker.signalled()
                await clock.pass(.seconds(10))
                let result = await outcome
                let error = #expect(throws: CommunicationError.self) { try result.get() }
                #expect(error?.code == .timedOut)
                // Otherwise the channel waits for the broker's PUBACK before it closes.
                broker.proceed()
                await channel.reached("lost: link-lost")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting()
            broker.signal()
            try broker.awaitProceed()
            peer.cut()
        }
    }

    @Test func aLinkThatIsLostEndsTheQuestion() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let error = await #expect(throws: CommunicationError.self) {
                    try await ask([makeCommandID()], on: channel)
                }
                #expect(error?.code == .linkLost)
                #expect(error?.certainty == .mayHaveLeft)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting()
            peer.cut()
        }
    }

    @Test func withoutALinkNobodyIsAsked() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let service = channel.service(for: device("a"), in: home)
            let error = await #expect(throws: CommunicationError.self) {
                try await service.outcomes(of: [makeCommandID()])
            }
            #expect(error?.code == .notConnected)
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func closingTheChannelEndsTheQuestion() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                async let outcome = outcome([makeCommandID()], on: channel)
                await broker.signalled()
                await channel.close()
                let result = await outcome
                let error = #expect(throws: CommunicationError.self) { try result.get() }
                #expect(error?.code == .closed)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packet = try peer.nextGranting()
            try peer.send(.puback(packet.publishIdentifier))
            broker.signal()
            _ = peer.readToEnd()
        }
    }
}

extension FakeBrokerPeer {
    /// Plays a device that answers a question about commands.
    /// - Parameter first: an ack to send before.
    /// - Returns: the question.
    fileprivate func answer(
        _ stage: AckStage, _ entries: [JSONValue], after first: AckStage? = nil
    ) throws -> CommandMessage {
        let packet = try nextGranting()
        let question = try CommandMessage(payload: packet.payload())
        try send(.puback(packet.publishIdentifier))
        for (stage, entries) in [(first, []), (stage, entries)] {
            guard let stage else { continue }
            let answer = ack(question.id, stage: stage, result: ["commands": .array(entries)])
            try say("a", "ack/ctl", answer.payload)
        }
        return question
    }
}
