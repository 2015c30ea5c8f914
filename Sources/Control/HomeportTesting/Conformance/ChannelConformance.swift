internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// Tries whether a channel keeps the contract of `CommunicationChannel`. It needs no test framework.
///
/// ```swift
/// let violations = await ChannelConformance(of: peer).violations()
/// #expect(violations.isEmpty)     // or print them
/// ```
/// Each rule gets a channel of its own. What a channel promises beyond its traits is not asked for.
public struct ChannelConformance: Sendable {
    let peer: any ChannelPeer
    let limit: Duration

    /// - Parameters:
    ///   - peer: the other end; rules are tried one after the other.
    ///   - limit: how long anything is waited for. A channel that keeps the contract is not waited for so long.
    public init(of peer: any ChannelPeer, within limit: Duration = .seconds(10)) {
        self.peer = peer
        self.limit = limit
    }

    /// What the channel breaks; empty for nothing.
    public func violations(
        of rules: [ConformanceRule] = ConformanceRule.allCases
    ) async -> [ConformanceViolation] {
        var violations: [ConformanceViolation] = []
        for rule in rules {
            if let violation = await violation(of: rule) { violations.append(violation) }
        }
        return violations
    }

    /// How the channel breaks one rule; `nil` where it keeps it.
    public func violation(of rule: ConformanceRule) async -> ConformanceViolation? {
        do {
            let channel = try await peer.makeChannel()
            do {
                try await check(rule, channel)
            } catch {
                await channel.close()
                throw error
            }
            await channel.close()
            return nil
        } catch let violation as ConformanceViolation {
            return violation
        } catch {
            return ConformanceViolation(rule, "\(error)")
        }
    }

    private func check(_ rule: ConformanceRule, _ channel: any CommunicationChannel) async throws {
        switch rule {
        case .devicesAreListed: try await devicesAreListed(channel)
        case .listingSendsNothing: try await listingSendsNothing(channel)
        case .linkStatesBeginWithThePresentOne: try await linkStatesBegin(channel)
        case .preparingIsRepeatable: try await preparingIsRepeatable(channel)
        case .nothingUnknownIsDone: try await nothingUnknownIsDone(channel)
        case .aCommandArrivesOnce: try await aCommandArrivesOnce(channel)
        case .evidenceIsOfTheCommand: try await evidenceIsOfTheCommand(channel)
        case .missingTraitsAreRefused: try await missingTraitsAreRefused(channel)
        case .nothingLeavesWithoutALink: try await nothingLeavesWithoutALink(channel)
        case .theLinkIsRepaired: try await theLinkIsRepaired(channel)
        case .garbageChangesNothing: try await garbageChangesNothing(channel)
        case .closingEndsEverything: try await closingEndsEverything(channel)
        }
    }

    // MARK: Observing

    private func devicesAreListed(_ channel: any CommunicationChannel) async throws {
        let home = try await ObservedHome(peer, over: channel, limit)
        let profile = try await home.profile(for: .devicesAreListed)
        guard !profile.kind.rawValue.isEmpty, !profile.model.rawValue.isEmpty else {
            throw ConformanceViolation(.devicesAreListed, "the device has no kind or no model")
        }
        guard profile.id == peer.device, profile.home == peer.home else {
            throw ConformanceViolation(
                .devicesAreListed, "a description of \(profile.id) came under \(peer.device)")
        }
        if home.isOffline {
            throw ConformanceViolation(.devicesAreListed, "\(peer.device) counts as offline")
        }
    }

    private func listingSendsNothing(_ channel: any CommunicationChannel) async throws {
        let before = try await peer.receivedCommands()
        let (service, _) = try await conversation(over: channel, for: .listingSendsNothing)
        await service.disconnect()
        let sent = try await peer.receivedCommands() - before
        if sent != 0 {
            throw ConformanceViolation(.listingSendsNothing, "the device received \(sent) commands")
        }
    }

    private func linkStatesBegin(_ channel: any CommunicationChannel) async throws {
        try await channel.open()
        let state = try await first(.linkStatesBeginWithThePresentOne, "no state came") {
            for await state in channel.linkStates() { return state }
            return nil
        }
        guard state.isConnected else {
            throw ConformanceViolation(
                .linkStatesBeginWithThePresentOne, "after opening the link is \(state)")
        }
    }

    private func garbageChangesNothing(_ channel: any CommunicationChannel) async throws {
        let home = try await ObservedHome(peer, over: channel, limit)
        _ = try await home.profile(for: .garbageChangesNothing)
        let devices = home.devices
        try await peer.sendGarbage()
        let (service, profile) = try await conversation(over: channel, for: .garbageChangesNothing)
        try await confirm(.garbageChangesNothing, service, profile)
        await service.disconnect()
        guard home.devices == devices else {
            throw ConformanceViolation(
                .garbageChangesNothing, "there are other devices than before: \(home.devices)")
        }
    }

    // MARK: Commands

    private func preparingIsRepeatable(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.preparingIsRepeatable
        let (service, profile) = try await conversation(over: channel, for: rule)
        let intent = intent(for: profile)
        let (one, two) = (
            try service.prepare(intent, sequence: 7), try service.prepare(intent, sequence: 7)
        )
        guard one == two else { throw ConformanceViolation(rule, "the bytes differ") }
        guard one.channel == channel.id, one.intent == intent, one.sequence == 7 else {
            throw ConformanceViolation(
                rule, "it was prepared as \(one.id) with \(one.sequence) for \(one.channel)")
        }
        await service.disconnect()
    }

    private func nothingUnknownIsDone(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.nothingUnknownIsDone
        let (service, profile) = try await conversation(over: channel, for: rule)
        var intent = intent(for: profile)
        intent.name = CommandName(rawValue: "no-such-command")
        intent.arguments = ["no-such-argument": 1]
        let prepared: PreparedCommand
        do throws(CommunicationError) {
            prepared = try service.prepare(intent, sequence: nextSequence)
        } catch {
            guard error.code == .cannotExpress, error.certainty == .neverLeft else {
                throw ConformanceViolation(rule, "preparing failed with \(error.code): \(error)")
            }
            return
        }
        // What the channel cannot check the device refuses.
        _ = try? await service.sendMessage(prepared, attempt: 1)
        guard !channel.traits.isDisjoint(with: [.acceptance, .effect]) else { return }
        if let evidence = await evidence(of: intent.id, in: service), evidence.stage == .succeeded {
            throw ConformanceViolation(rule, "a command that nobody knows has succeeded")
        }
    }

    private func aCommandArrivesOnce(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.aCommandArrivesOnce
        let before = try await peer.receivedCommands()
        let (service, profile) = try await conversation(over: channel, for: rule)
        let isTold = !channel.traits.isDisjoint(with: [.acceptance, .effect])
        async let told = isTold ? evidence(of: nil, in: service) : nil
        try await confirm(rule, service, profile)
        _ = await told
        await service.disconnect()
        let received = try await peer.receivedCommands() - before
        if received != 1 {
            throw ConformanceViolation(rule, "the device received it \(received) times")
        }
    }

    private func evidenceIsOfTheCommand(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.evidenceIsOfTheCommand
        guard !channel.traits.isDisjoint(with: [.acceptance, .effect]) else { return }
        let (service, profile) = try await conversation(over: channel, for: rule)
        async let told = evidence(of: nil, in: service)
        let id = try await confirm(rule, service, profile)
        guard let evidence = await told else {
            throw ConformanceViolation(rule, "no evidence came within \(limit)")
        }
        guard evidence.id == id, evidence.device == peer.device else {
            throw ConformanceViolation(
                rule, "evidence of \(evidence.id) and \(evidence.device) came instead")
        }
        guard evidence.isFinal || !evidence.stage.isFinal else {
            throw ConformanceViolation(rule, "the stage \(evidence.stage) is final")
        }
        await service.disconnect()
    }

    private func missingTraitsAreRefused(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.missingTraitsAreRefused
        let (service, _) = try await conversation(over: channel, for: rule)
        if !channel.traits.contains(.asking) {
            try await refusal(rule, "asking") { try await service.outcomes(of: [newID]) }
        }
        if !channel.traits.contains(.desired) {
            try await refusal(rule, "desired") { try await service.desiredSettings() }
            try await refusal(rule, "desired") {
                try await service.keep(DesiredSettings(revision: 1, members: [:]))
            }
        }
        await service.disconnect()
    }
}
