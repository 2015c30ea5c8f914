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
        await rewriter.drain()
        try result.get()
    }

    private func start(_ waiter: CheckedContinuation<Result<Void, FleetError>, Never>) {
        life.start(waiter)
        settings.clock.begin()
        record.begin(at: settings.clock.now)
        if plan.isEmpty {
            life.phase = .running
            report(.ready(devices: 0))
        }
        if script.waitsForArrivals { connections.awaitArrivals() }
        wakeAll()
        if script.waitsForArrivals { return }
        for index in plan.indices { connect(index) }
        limitStart()
    }

    /// Gives the broker a time in which a first device reaches it. Devices that have not come after it are told once.
    func limitStart() {
        eventLoop.schedule(after: settings.startLimit) { [weak self] in
            self?.assumeIsolated { $0.checkStart() }
        }
    }

    private func checkStart() {
        let broker = connections.broker
        guard life.isAlive, !broker.hasToldReady else { return }
        if broker.isMissingOne { return breakOff(broker.unreachable(within: settings.startLimit)) }
        if let notice = connections.lateStart() { return report(notice) }
        limitStart()
    }

    /// Takes all devices offline and removes what the broker retains of them, unless a claim of one was
    /// committed. No command is carried out afterwards.
    /// - Returns: whether they leave.
    func leave(unlessCommitted claim: ClaimNonce) -> Bool {
        guard !plan.indices.contains(where: { homes[$0].journal.committedClaim == claim }) else {
            return false
        }
        if life.isStarting { breakOff(nil) } else { end(removingRetained: true) }
        return true
    }

    /// Takes all devices offline; the run ends when the broker has confirmed their messages. All homes end at one
    /// instant of the world.
    func end(removingRetained: Bool = false) {
        guard life.isAlive else { return }
        if life.isStarting, connections.broker.lastError != nil || !connections.areAllAbsent {
            return breakOff(connections.broker.unreachable(within: nil))
        }
        stopWaking()
        for index in plan.indices { connections.removeIntruder(of: index) }
        settings.clock.pause()
        for index in plan.indices where life.isAlive { deliver(.shutDown, to: index) }
        record.finish(at: settings.clock.now, online: connections.standings.online)
        noteEnd()
        // A journal that fails now has ended the run already.
        guard life.isAlive else { return }
        if removingRetained { for index in plan.indices { removeRetained(of: index) } }
        connections.endWaiting()
        stopWaking()
        life.phase = .ending(connections.refusalOfSome)
        for slot in connections.slots {
            slot.connection?.close(drainingFor: Self.drainLimit) { [weak self] report in
                self?.assumeIsolated { $0.drained(report) }
            }
        }
        finishIfClosed()
    }

    /// So that the world goes on here, also where nothing was recorded for a while.
    private func noteEnd() {
        guard life.isAlive, let first = connections.slots.first else { return }
        do throws(FleetError) {
            try journal.noteEnd(of: first.key, at: settings.clock.now.world)
        } catch { breakOff(error) }
    }

    /// Ends all connections at once and sends nothing more: it may not have been recorded.
    func breakOff(_ error: FleetError?) {
        switch life.phase {
        case .idle, .ended: return
        case .starting, .running, .ending: break
        }
        stopWaking()
        life.end(error)
        connections.abortAll()
    }

    func closed(_ index: Int) {
        guard case .ending = life.phase else { return }
        connections.closed(index)
        finishIfClosed()
    }

    private func drained(_ drain: MQTTDrainReport) {
        life.undelivered += drain.undelivered
    }

    private func finishIfClosed() {
        guard case .ending(let error) = life.phase, connections.areAllClosed else { return }
        if life.undelivered > 0 { report(.undelivered(messages: life.undelivered)) }
        life.end(error)
    }
}
