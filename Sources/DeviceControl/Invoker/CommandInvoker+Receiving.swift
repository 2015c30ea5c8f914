internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    func receive(_ message: IncomingMessage, from address: DeviceAddress) async {
        switch message.content {
        case .ack(let ack): await receive(ack, from: address)
        case .presence(let presence): await receive(presence, from: address)
        case .state(let state): await receive(state, from: address)
        case .description, .telemetry, .event: break
        }
    }

    private func receive(_ presence: PresenceMessage, from address: DeviceAddress) async {
        guard conversations[address]?.connection.apply(presence.report) == true else { return }
        conversations[address]?.awaitsPresence = false
        await tellReach(to: address)
        guard presence.report.status == .online else { return }
        for id in openCommands(of: address) { await post(.boot(presence.report.boot), to: id) }
    }

    private func receive(_ state: StateMessage, from address: DeviceAddress) async {
        let known = conversations[address]?.revision ?? state.revision
        conversations[address]?.revision = max(known, state.revision)
        let concerned = commands.values.filter {
            $0.lifecycle.intent.isFor(address) && $0.awaitsState
        }
        for id in concerned.map(\.lifecycle.intent.id) {
            await post(.state(revision: state.revision), to: id)
        }
    }

    private func receive(_ ack: AckMessage, from address: DeviceAddress) async {
        guard commands[ack.id] == nil else { return await post(.ack(ack), to: ack.id) }
        let filing: AckFiling
        do {
            filing = try await ledger.file(ack)
        } catch {
            counters.ledgerFailures += 1
            return
        }
        guard let record = filing.record else { return await note(.unknownCommand, ack) }
        guard record.intent.device == ack.device else { return await note(.foreignDevice, ack) }
        // An open one is followed by the process that owns it, or by the one that will adopt it.
        guard record.state.isSettled else { return }
        follow(record)
        await post(.ack(ack), to: ack.id)
    }

    private func note(_ kind: CommandAnomaly.Kind, _ ack: AckMessage) async {
        await note(
            CommandAnomaly(
                kind, command: ack.id, device: ack.device, ack: ack, at: clock.now.wall))
    }

    /// Takes a command of the ledger into care.
    func follow(_ record: CommandRecord) {
        guard commands[record.id] == nil else { return }
        var lifecycle = CommandLifecycle(
            record.intent, progress: record.progress, at: clock.now, seed: generator.next())
        let address = DeviceAddress(home: record.intent.home, device: record.intent.device)
        if let revision = conversations[address]?.revision {
            _ = lifecycle.handle(.state(revision: revision), at: clock.now)
        }
        commands[record.id] = TrackedCommand(lifecycle: lifecycle, record: record)
    }
}
