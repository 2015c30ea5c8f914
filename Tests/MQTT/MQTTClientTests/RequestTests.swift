import MQTTClient
import TestSupport
import Testing

/// Requests and their answers.
@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    @Test func answersFindTheirRequests() async throws {
        try await withBroker { broker in
            try await withResponder(broker.port) { request in
                try request.response(payload: request.payload + Array("!".utf8))
            } body: {
                try await withClient(broker.port, id: "asker") { client in
                    let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                        for number in 0..<50 {
                            group.addTask {
                                let answer = try await client.request(
                                    .test("question", "\(number)"),
                                    responseTopic: MQTTTopic("answers/asker"))
                                return (number, String(decoding: answer.payload, as: UTF8.self))
                            }
                        }
                        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                    }
                    #expect(answers.count == 50)
                    #expect(answers.allSatisfy { $0.value == "\($0.key)!" })
                    #expect(await client.drops.total == 0)
                }
            }
        }
    }

    @Test func aRequestCarriesItsExpiryAndKeepsTheCallersProperties() async throws {
        try await withBroker { broker in
            try await withResponder(broker.port) { request in
                let properties = request.properties
                let text =
                    "\(properties.messageExpirySeconds ?? 0) \(properties["name"] ?? "") "
                    + "\(properties.correlationData?.count ?? 0)"
                return try request.response(payload: Array(text.utf8), qos: .atMostOnce)
            } body: {
                try await withClient(broker.port, id: "asker") { client in
                    var question = try MQTTMessage.test("question")
                    question.properties.userProperties = [.init(name: "name", value: "kept")]
                    let answer = try await client.request(
                        question, responseTopic: MQTTTopic("answers"), deadline: .seconds(30))
                    #expect(String(decoding: answer.payload, as: UTF8.self) == "30 kept 16")
                    #expect(answer.qos == .atMostOnce)
                }
            }
        }
    }

    @Test func nobodyThereIsKnownAtOnce() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let error = await #expect(throws: MQTTError.self) {
                    try await client.request(
                        .test("nobody"), responseTopic: MQTTTopic("answers"),
                        deadline: .seconds(3_600))
                }
                #expect(error?.code == .noResponder)
            }
        }
    }

    @Test func withoutAnAnswerTheDeadlineEndsTheRequest() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let error = await #expect(throws: MQTTError.self) {
                    try await client.request(
                        .test("a"), responseTopic: MQTTTopic("b"), deadline: .milliseconds(50))
                }
                #expect(error?.code == .deadlineExceeded)
                #expect(error?.isRetriable == true)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aLateAnswerIsCountedAndGoesToNobody() async throws {
        try await withBroker { broker in
            try await withClient(broker.port, id: "responder") { responder in
                let questions = try await responder.subscribe(to: [.test("question")])
                try await withClient(broker.port, id: "asker") { asker in
                    let marks = try await asker.subscribe(to: [.test("answered")])
                    var late: MQTTMessage?
                    let result = try await cancelled {
                        try await asker.request(
                            .test("question"), responseTopic: MQTTTopic("answers/1"))
                    } when: {
                        for try await question in questions {
                            late = try question.response(payload: [])
                            break
                        }
                    }
                    #expect(result.code == .cancelled)
                    try await responder.publish(try #require(late))
                    try await responder.publish(.test("answered"))
                    for try await _ in marks { break }
                    #expect(await asker.drops[.lateResponse] == 1)
                }
            }
        }
    }

    @Test func aForgedAnswerIsNotTaken() async throws {
        try await withBroker { broker in
            try await withResponder(broker.port) { request in
                var forged = try request.response(payload: [1])
                forged.properties.correlationData?[0] ^= 1
                return forged
            } body: {
                try await withClient(broker.port, id: "asker") { client in
                    let marks = try await client.subscribe(to: [.test("answered")])
                    let result = try await cancelled {
                        try await client.request(
                            .test("question"), responseTopic: MQTTTopic("answers/1"))
                    } when: {
                        for try await _ in marks { break }
                    }
                    #expect(result.code == .cancelled)
                    #expect(await client.drops[.lateResponse] == 1)
                }
            }
        }
    }

    @Test func version3IsToldWhatToDo() async throws {
        try await withBroker { broker in
            try await withClient(broker.port, configure: { $0.version = .v3_1_1 }) { client in
                let error = await #expect(throws: MQTTError.self) {
                    try await client.request(.test("a"), responseTopic: MQTTTopic("b"))
                }
                #expect(error?.code == .unsupported)
                #expect(error?.message.contains(".v5") == true)
            }
        }
    }

    @Test func aMessageThatAsksForNothingHasNoResponse() throws {
        let message = try MQTTMessage.test("a")
        #expect(throws: MQTTError.self) { try message.response(payload: []) }
    }

    @Test func aRefusedResponseTopicFailsTheRequestAndMayBeTriedAgain() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                for code in [MQTTError.Code.subscriptionRefused, .publishRefused] {
                    let error = await #expect(throws: MQTTError.self) {
                        try await client.request(.test("a"), responseTopic: MQTTTopic("b"))
                    }
                    #expect(error?.code == code)
                    #expect(error?.reasonCode == .notAuthorized)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let refused = try peer.read(.subscribe)
            try peer.send(.suback(.v5, refused.identifier, codes: [0x87]))
            // There is nothing to unsubscribe from.
            let granted = try peer.read(.subscribe)
            try peer.send(.suback(.v5, granted.identifier, codes: [1]))
            let publish = try peer.read(.publish)
            try peer.send(.puback(publish.publishIdentifier, reason: 0x87))
            _ = peer.readToEnd()
        }
    }

    @Test func requestsEndWithTheConnection() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.reconnect = .never }) { client in
                let error = await #expect(throws: MQTTError.self) {
                    try await client.request(.test("a"), responseTopic: MQTTTopic("b"))
                }
                #expect(error?.code == .connectionLost)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            peer.cut()
        }
    }

    /// The connection ends before the topic of the answers is subscribed.
    @Test(arguments: [true, false])
    func aRequestThatNeverLeftIsNotInDoubt(isOwner: Bool) async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.reconnect = .never }) { client in
                async let request = client.request(.test("a"), responseTopic: MQTTTopic("b"))
                await broker.signalled()
                if isOwner { await client.disconnect() } else { broker.proceed() }
                do {
                    _ = try await request
                    Issue.record("nobody answered")
                } catch let error as MQTTError {
                    #expect(error.code == (isOwner ? .closed : .notConnected), "\(error)")
                    #expect(await client.drops[.notTaken] == 1)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.subscribe)
            broker.signal()
            if !isOwner {
                try broker.awaitProceed()
                peer.cut()
            }
            _ = peer.readToEnd()
        }
    }

    /// The owner, or another client of the same id.
    @Test(arguments: [true, false])
    func aTakenRequestIsInDoubtWhoeverEndsTheConnection(isOwner: Bool) async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                async let request = client.request(.test("a"), responseTopic: MQTTTopic("b"))
                await broker.signalled()
                if isOwner { await client.disconnect() } else { broker.proceed() }
                do {
                    _ = try await request
                    Issue.record("nobody answered")
                } catch let error as MQTTError {
                    #expect(error.code == .connectionLost && !error.isRetriable)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            broker.signal()
            if !isOwner {
                try broker.awaitProceed()
                try peer.send(.disconnect(0x8E))
            }
            _ = peer.readToEnd()
        }
    }
}

/// Runs `body` beside a client that answers every message on `question`, and says so on `answered`.
private func withResponder(
    _ port: UInt16, answer: @escaping @Sendable (MQTTMessage) throws -> MQTTMessage,
    body: () async throws -> Void
) async throws {
    try await withClient(port, id: "responder") { responder in
        let questions = try await responder.subscribe(to: [.test("question")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await question in questions {
                    try await responder.publish(answer(question))
                    try await responder.publish(.test("answered"))
                }
            }
            try await body()
            group.cancelAll()
        }
    }
}
