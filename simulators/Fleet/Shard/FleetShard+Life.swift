import DeviceDomain
import DeviceSimulation
import MQTTClient
import ServiceLifecycle

// Start and end of a shard.
extension FleetShard {
    /// How long the final messages may take.
    private static let drainLimit = Duration.seconds(5)

    /// Runs the devices until a graceful shutdown, a fault, or cancellation.
    ///
    /// A graceful shutdown lets every device publish that it goes offline; cancellation ends the
    /// connections at once, and the broker publishes the wills.
    func run() async throws(FleetError) {
        let result = await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withCheckedContinuation { start($0) }
            } onGracefulShutdown: { [self] in
                eventLoop.execute { self.assumeIsolated { $0.end() } }
            }
        } onCancel: { [self] in
            eventLoop.execute { self.assumeIsolated { $0.breakOff(nil) } }
        }
        try result.get()
    }

    private func start(_ waiter: CheckedContinuation<Result<Void, FleetError>, Never>) {
        self.waiter = waiter
        phase = .starting
        if slots.isEmpty {
            phase = .running
            report(.ready(devices: 0))
        }
        beginWaking()
        for index in slots.indices { connect(index) }
        eventLoop.schedule(after: settings.startLimit) { [weak self] in
            self?.assumeIsolated { $0.giveUpStarting() }
        }
    }

    private func giveUpStarting() {
        guard case .starting = phase else { return }
        breakOff(unreachable)
    }

    private var unreachable: FleetError {
        let reason =
            lastError.map(explained)
            ?? "no answer within \(settings.startLimit); check that a broker listens there"
        return FleetError(
            .brokerUnreachable,
            "cannot reach \(settings.broker): \(reason); run without --broker for a private one")
    }

    /// Takes all devices offline and removes what the broker retains of them, unless a claim of one was
    /// committed. No command is carried out afterwards.
    /// - Returns: whether they leave.
    func leave(unlessCommitted claim: ClaimNonce) -> Bool {
        guard !slots.indices.contains(where: { homes[$0].journal.committedClaim == claim }) else {
            return false
        }
        if case .starting = phase { breakOff(nil) } else { end(removingRetained: true) }
        return true
    }

    /// Takes all devices offline; the run ends when the broker has confirmed their messages.
    func end(removingRetained: Bool = false) {
        guard isAlive else { return }
        if case .starting = phase, lastError != nil { return breakOff(unreachable) }
        stopWaking()
        for index in slots.indices where isAlive { deliver(.shutDown, to: index) }
        // A journal that fails now has ended the run already.
        guard isAlive else { return }
        if removingRetained { for index in slots.indices { removeRetained(of: index) } }
        for index in slots.indices where standings[index].link == .held {
            standings[index].link = .closed
        }
        phase = .ending(refusalOfSome)
        for index in slots.indices {
            slots[index].connection?.close(drainingFor: Self.drainLimit) { [weak self] report in
                self?.assumeIsolated { $0.drained(report) }
            }
        }
        finishIfClosed()
    }

    /// Ends all connections at once and sends nothing more: it may not have been recorded.
    func breakOff(_ error: FleetError?) {
        switch phase {
        case .idle, .ended: return
        case .starting, .running, .ending: break
        }
        stopWaking()
        phase = .ended(error.map { .failure($0) } ?? .success(()))
        for index in slots.indices {
            slots[index].connection?.abort()
            slots[index].connection = nil
        }
        resumeWaiter()
    }

    func closed(_ index: Int) {
        guard case .ending = phase else { return }
        slots[index].connection = nil
        if standings[index].link != .abandoned { standings[index].link = .closed }
        finishIfClosed()
    }

    func endIfAllAreAbandoned() {
        guard isAlive, standings.abandoned == standings.count else { return }
        let reason = lastError.map(explained) ?? "no device may connect"
        if case .starting = phase {
            breakOff(
                FleetError(.connectionRefused, "\(settings.broker) refuses the fleet: \(reason)"))
        } else {
            breakOff(
                FleetError(.devicesRefused, "no device may connect any more: \(reason)"))
        }
    }

    private func drained(_ drain: MQTTDrainReport) {
        undelivered += drain.undelivered
    }

    private func finishIfClosed() {
        guard case .ending(let error) = phase,
            standings.closed + standings.abandoned == standings.count
        else { return }
        if undelivered > 0 { report(.undelivered(messages: undelivered)) }
        phase = .ended(error.map { .failure($0) } ?? .success(()))
        resumeWaiter()
    }

    private func resumeWaiter() {
        guard case .ended(let result) = phase else { return }
        waiter?.resume(returning: result)
        waiter = nil
    }

    /// Devices that were refused for good are a fault of the run, even if others went well.
    private var refusalOfSome: FleetError? {
        let count = standings.abandoned
        guard count > 0 else { return nil }
        return FleetError(
            .devicesRefused, "\(count) of \(slots.count) devices could not stay connected")
    }
}
