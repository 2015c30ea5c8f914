import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// A message that the property tests can make at random.
protocol RandomMessage: PayloadMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self
}

extension CommandMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        let issued = generator.time()
        return CommandMessage(
            id: generator.uniqueID(), controller: try generator.identifier(),
            name: CommandName(rawValue: generator.text()), arguments: generator.object(),
            issuedAt: issued,
            expiresAt: issued.advanced(by: .milliseconds(generator.integer(0...86_400_000))),
            sequence: generator.count(from: 1),
            ifRevision: generator.chance() ? generator.count() : nil,
            boot: generator.chance() ? try generator.identifier() : nil,
            cause: generator.chance() ? generator.text() : nil, dryRun: generator.chance())
    }
}

extension AckMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        AckMessage(
            id: generator.uniqueID(), device: try generator.identifier(),
            boot: try generator.identifier(), n: generator.count(),
            stage: generator.pick(AckStage.allCases), isFinal: generator.chance(),
            code: generator.chance(0.8)
                ? generator.pick(AckCode.known) : AckCode(rawValue: generator.text()),
            message: generator.text(), percent: generator.chance() ? generator.number() : nil,
            result: generator.object(), revision: generator.count(),
            executions: generator.count(), isReplay: generator.chance(), at: generator.time())
    }
}

extension StateMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        StateMessage(
            device: try generator.identifier(), boot: try generator.identifier(),
            revision: generator.count(), at: generator.time(),
            by: generator.chance() ? generator.uniqueID() : nil, state: generator.object())
    }
}

extension TelemetryMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        TelemetryMessage(
            device: try generator.identifier(), boot: try generator.identifier(),
            at: generator.time(), n: generator.count(from: 1), values: generator.object())
    }
}

extension PresenceMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        PresenceMessage(
            device: try generator.identifier(),
            report: PresenceReport(
                status: generator.pick(PresenceReport.Status.allCases),
                boot: try generator.identifier(), at: generator.time(),
                claim: generator.chance() ? generator.claimNonce() : nil))
    }
}

extension DescriptionMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        DescriptionMessage(
            device: try generator.identifier(), model: DeviceModel(rawValue: generator.text()),
            kind: DeviceKind(rawValue: generator.text()), name: generator.text(),
            firmware: generator.text(),
            capabilities: (0..<generator.integer(0...4)).map { _ in
                Capability(rawValue: generator.text())
            },
            commands: (0..<generator.integer(0...3)).map { _ in generator.specification() },
            plan: generator.chance(0.4) ? try generator.plan() : nil)
    }
}

extension EventMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        EventMessage(
            device: try generator.identifier(), boot: try generator.identifier(),
            id: generator.uniqueID(), at: generator.time(), event: try generator.identifier(),
            detail: generator.object())
    }
}

extension DesiredMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        DesiredMessage(
            device: try generator.identifier(), revision: generator.count(),
            at: generator.time(), settings: generator.object())
    }
}

extension HelloMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        HelloMessage(
            nonce: generator.text(upTo: 64),
            spread: .milliseconds(generator.integer(0...60_000)))
    }
}

extension FenceMessage: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        FenceMessage(nonce: generator.text(upTo: 80))
    }
}

extension ClaimOffer: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        ClaimOffer(
            home: try generator.identifier(), device: try generator.identifier(),
            broker: generator.text(upTo: 40), nonce: generator.claimNonce(),
            token: generator.claimToken(),
            authorities: generator.chance() ? generator.text(upTo: 200) : nil)
    }
}

extension ClaimRequest: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        ClaimRequest(
            nonce: generator.claimNonce(), token: generator.claimToken(),
            serial: generator.text(upTo: 30), kind: DeviceKind(rawValue: generator.text()),
            model: DeviceModel(rawValue: generator.text()),
            signingRequest: generator.text(upTo: 200))
    }
}

extension ClaimGrant: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        ClaimGrant(nonce: generator.claimNonce(), certificate: generator.text(upTo: 200))
    }
}

extension ClaimReceipt: RandomMessage {
    static func random(_ generator: inout SeededGenerator) throws -> Self {
        ClaimReceipt(nonce: generator.claimNonce())
    }
}

/// One type of message, so that a test can run over all of them.
struct MessageKind: Sendable, CustomTestStringConvertible {
    let type: any RandomMessage.Type
    var testDescription: String { type.shape.name }

    static let all = [
        MessageKind(type: CommandMessage.self), MessageKind(type: AckMessage.self),
        MessageKind(type: StateMessage.self), MessageKind(type: TelemetryMessage.self),
        MessageKind(type: PresenceMessage.self), MessageKind(type: DescriptionMessage.self),
        MessageKind(type: EventMessage.self), MessageKind(type: DesiredMessage.self),
        MessageKind(type: HelloMessage.self), MessageKind(type: FenceMessage.self),
        MessageKind(type: ClaimOffer.self), MessageKind(type: ClaimRequest.self),
        MessageKind(type: ClaimGrant.self), MessageKind(type: ClaimReceipt.self),
    ]
}
