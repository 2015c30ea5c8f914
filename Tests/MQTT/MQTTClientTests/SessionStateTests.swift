import Testing

@testable import MQTTClient

/// What outlives a connection, without one.
@Suite struct SessionStateTests {
    private var configuration: MQTTConfiguration

    init() throws {
        configuration = try .test(1, id: "own")
        configuration.sessionExpiry = .seconds(60)
    }

    @Test func aSessionOfItsOwnIsResumedAfterAReconnect() throws {
        var session = SessionState(clientID: configuration.clientID)
        #expect(session.startsClean(configuration))
        try accept(&session)
        #expect(!session.startsClean(configuration))
        try accept(&session, isSessionPresent: true)
        #expect(session.isResumed)
        session.stopped()
        #expect(session.startsClean(configuration))
    }

    /// The broker may grant less than was asked for, and 3.1.1 knows no expiry.
    @Test func aSessionThatEndsWithTheConnectionIsNot() throws {
        var limits = MQTTBrokerLimits()
        limits.sessionExpiry = .zero
        var refused = SessionState(clientID: configuration.clientID)
        try accept(&refused, limits: limits)
        #expect(refused.startsClean(configuration))
        var old = configuration
        old.version = .v3_1_1
        var session = SessionState(clientID: old.clientID)
        try session.accepted(
            isSessionPresent: false, limits: .init(), as: old, by: old.broker)
        #expect(session.startsClean(old))
    }

    @Test func aSessionNobodyAskedForBreaksTheProtocol() {
        var session = SessionState(clientID: configuration.clientID)
        let error = #expect(throws: MQTTError.self) {
            try accept(&session, isSessionPresent: true)
        }
        #expect(error?.code == .protocolViolation)
        #expect(!session.isResumed)
    }

    @Test func theBrokerAssignsTheClientIDOnce() throws {
        var limits = MQTTBrokerLimits()
        limits.assignedClientID = "given"
        var session = SessionState(clientID: .assignedByBroker)
        #expect(throws: MQTTError.self) { try accept(&session) }
        try accept(&session, limits: limits)
        #expect(session.clientID.rawValue == "given")
        limits.assignedClientID = "other"
        try accept(&session, limits: limits)
        #expect(session.clientID.rawValue == "given")
    }

    @Test func unfinishedExchangesAreHeldAsLongAsTheSession() throws {
        var session = SessionState(clientID: configuration.clientID)
        try accept(&session)
        #expect(session.sent(7, .exactlyOnce) == false)
        #expect(session.sent(8, .atLeastOnce) == false)
        try accept(&session, isSessionPresent: true)
        #expect(session.sent(7, .atLeastOnce) == true)
        #expect(session.sent(7, .atMostOnce) == false)
        #expect(session.sent(8, .exactlyOnce) == false)
        #expect(session.lastIdentifierToSkip == 8)
        session.finished(8)
        #expect(session.lastIdentifierToSkip == 7)
        try accept(&session)
        #expect(session.sent(7, .atLeastOnce) == false)
        #expect(session.lastIdentifierToSkip == nil)
    }

    private func accept(
        _ session: inout SessionState, isSessionPresent: Bool = false,
        limits: MQTTBrokerLimits = .init()
    ) throws {
        try session.accepted(
            isSessionPresent: isSessionPresent, limits: limits, as: configuration,
            by: configuration.broker)
    }
}
