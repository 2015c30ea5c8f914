internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The rules about a link that breaks, and about its end.
extension ChannelConformance {
    func nothingLeavesWithoutALink(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.nothingLeavesWithoutALink
        let (service, profile) = try await conversation(over: channel, for: rule)
        let prepared = try service.prepare(intent(for: profile), sequence: nextSequence)
        let before = try await peer.receivedCommands()
        try await withoutLink(rule, channel) {
            let receipt: DeliveryReceipt
            do throws(CommunicationError) {
                receipt = try await service.sendMessage(prepared, attempt: 1)
            } catch {
                guard error.certainty == .neverLeft else {
                    throw ConformanceViolation(rule, "it may have left: \(error)")
                }
                return
            }
            throw ConformanceViolation(rule, "it was answered with \(receipt)")
        }
        try await connected(rule, channel)
        await service.disconnect()
        let received = try await peer.receivedCommands() - before
        if received != 0 {
            throw ConformanceViolation(rule, "the device received it \(received) times later on")
        }
    }

    func theLinkIsRepaired(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.theLinkIsRepaired
        let home = try await ObservedHome(peer, over: channel, limit)
        _ = try await home.profile(for: rule)
        try await withoutLink(rule, channel) { home.forget() }
        try await connected(rule, channel)
        _ = try await channel.replay(peer.home, .everyDevice) { [peer] in [peer.device] }
        try await home.heardAgain(for: rule)
        let (service, profile) = try await conversation(over: channel, for: rule)
        try await confirm(rule, service, profile)
        await service.disconnect()
    }

    func closingEndsEverything(_ channel: any CommunicationChannel) async throws {
        let rule = ConformanceRule.closingEndsEverything
        let (service, profile) = try await conversation(over: channel, for: rule)
        let prepared = try service.prepare(intent(for: profile), sequence: nextSequence)
        let states = channel.linkStates()
        await channel.close()
        _ = try await first(rule, "the states of the link go on") {
            for await _ in states {}
            return true
        }
        _ = try await first(rule, "the messages of a conversation go on") {
            for await _ in service.messages {}
            return true
        }
        do throws(CommunicationError) {
            _ = try await service.sendMessage(prepared, attempt: 1)
        } catch {
            guard error.certainty == .neverLeft else {
                throw ConformanceViolation(rule, "what is sent afterwards may have left: \(error)")
            }
            return
        }
        throw ConformanceViolation(rule, "a command was sent afterwards")
    }
}
