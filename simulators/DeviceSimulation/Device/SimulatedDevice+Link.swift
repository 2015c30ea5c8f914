import Basics
import DeviceDomain
import DeviceMessages

// The connection: announcing, hello, the repair of the presence, confirmations, the end.
extension SimulatedDevice {
    /// Publishes, if there is a connection: what is not published now is published again after
    /// the next connect, or is out of date by then.
    mutating func publish(_ publication: DevicePublication, confirming: Confirmation? = nil) {
        guard link.isConnected, !keepsBack(publication, confirming) else { return }
        actions.append(.publish(publication, confirming: confirming))
    }

    /// Makes something of its world known: tells its owner, and publishes it if there is a connection.
    mutating func make(_ publication: DevicePublication) {
        if tellsWhatItMakes { actions.append(.made(publication)) }
        publish(publication)
    }

    /// Asks for a record and takes it in.
    mutating func record(_ record: JournalRecord) {
        journal.apply(record)
        actions.append(.record(record))
    }

    /// Announces the device and publishes again what the broker has not confirmed.
    mutating func connect() {
        link.isConnected = true
        announceSelf()
        publishUnconfirmedFinals()
        for event in link.takeHeldEvents() { publish(.event(event)) }
    }

    /// Publishes the final acks again that the broker has not confirmed.
    mutating func publishUnconfirmedFinals() {
        for entry in journal.unconfirmedFinals {
            publishFinal(FinishedCommand(entry.command, entry.ack))
        }
    }

    /// Handles the loss of the connection.
    mutating func disconnect() {
        link.isConnected = false
        link.dropPlans()
    }

    /// Ends cleanly: records the world and publishes that the device is offline.
    mutating func shutDown() {
        saveMemory()
        publish(.presence(presence(.offline)))
        disconnect()
    }

    private mutating func announceSelf() {
        publish(.description(description))
        publish(.presence(presence(.online)))
        publish(.state(lastState))
    }

    /// Repairs the presence: a will of this or of a former connection may arrive late (PROTOCOL
    /// section 2).
    mutating func take(_ message: PresenceMessage) {
        guard message.device == identity.device, link.isConnected else { return }
        switch message.report.status {
        case .online:
            if message.report.boot != boot { actions.append(.count(.foreignPresence)) }
        case .offline:
            if link.scheduleRepair(at: now.monotonic) { actions.append(.count(.presenceRepair)) }
        }
    }

    /// Announces the device within the spread that was asked for, at a time of its own.
    mutating func take(_ hello: HelloMessage, retained: Bool) {
        guard !retained, link.isConnected, link.admitsHello(at: now.monotonic) else {
            return actions.append(.count(.ignoredHello))
        }
        var spread = SeededGenerator(seed: 0, identity: identity, purpose: "hello/\(hello.nonce)")
        let delay = spread.uniform(in: 0...Double(hello.spread.wholeMilliseconds))
        link.announce(at: now.monotonic + .milliseconds(Int(delay)))
    }

    /// Takes note that the broker has a final ack.
    mutating func confirm(_ confirmation: Confirmation) {
        guard let entry = journal.entries[confirmation.command], entry.isFinished,
            !entry.isConfirmed
        else { return }
        record(.confirmed(confirmation.command))
    }

    /// Applies the desired document, unless it is the one that was applied last.
    mutating func reconcile(_ payload: [UInt8]) {
        guard !payload.isEmpty else { return }
        do {
            let message = try DesiredMessage(payload: payload)
            guard message.device == identity.device else {
                return actions.append(.count(.unreadableDesired))
            }
            let isTaken = try behaviour.reconcile(
                desired: message.settings, revision: message.revision)
            if isTaken { settle([], by: nil) }
        } catch {
            actions.append(.count(.unreadableDesired))
        }
    }

    /// Does everything that is due by now.
    mutating func performDueWork() {
        if link.takeRepair(at: now.monotonic) { publish(.presence(presence(.online))) }
        if link.takeAnnouncement(at: now.monotonic) { announceSelf() }
        sendDueProgress()
        sendDelayedAcks(dueBy: now.monotonic)
        recordMemory()
    }
}

extension DeviceJournalState {
    /// Entries whose final ack the broker has not confirmed, the oldest ack first.
    var unconfirmedFinals: [JournalEntry] {
        entries.values.filter { $0.isFinished && !$0.isConfirmed }
            .sorted { ($0.ack.at, $0.command) < ($1.ack.at, $1.command) }
    }
}
