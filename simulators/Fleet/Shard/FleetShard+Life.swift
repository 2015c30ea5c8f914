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
        if slots.isEmpty {
            life.phase = .running
            report(.ready(devices: 0))
        }
        if script.waitsForArrivals {
            for index in slots.indices { standings[index].link = .absent }
        }
        wakeAll()
        if script.waitsForArrivals { return }
        for index in slots.indices { connect(index) }
        limitStart()
    }

    /// Gives the broker a time in which a first device reaches it.
    func limitStart() {
        eventLoop.schedule(after: settings.startLimit) { [weak self] in
            self?.assumeIsolated { $0.giveUpStarting() }
        }
    }

    private func giveUpStarting() {
        guard life.isAlive, broker.isMissingOne else { return }
        breakOff(broker.unreachable(within: settings.startLimit))
    }

    /// Takes all devices offline and removes what the broker retains of them, unless a claim of one was
    /// committed. No command is carried out afterwards.
    /// - Returns: whether they leave.
    func leave(unlessCommitted claim: ClaimNonce) -> Bool {
        guard !slots.indices.contains(where: { homes[$0].journal.committedClaim == claim }) else {
            return false
        }
        if case .starting = life.phase { breakOff(nil) } else { end(removingRetained: true) }
        return true
    }

    /// Takes all devices offline; the run ends when the broker has confirmed their messages. All homes end at one
    /// instant of the world.
    func end(removingRetained: Bool = false) {
        guard life.isAlive else { return }
        if case .starting = life.phase, broker.lastError != nil {
            return breakOff(broker.unreachable(within: settings.startLimit))
        }
        stopWaking()
        for index in slots.indices { removeIntruder(of: index) }
        settings.clock.pause()
        for index in slots.indices where life.isAlive { deliver(.shutDown, to: index) }
        record.finish(at: settings.clock.now, online: standings.online)
        noteEnd()
        // A journal that fails now has ended the run already.
        guard life.isAlive else { return }
        if removingRetained { for index in slots.indices { removeRetained(of: index) } }
        for index in slots.indices {
            switch standings[index].link {
            case .held, .absent: standings[index].link = .closed
            case .offline, .online, .abandoned, .closed: break
            }
        }
        stopWaking()
        life.phase = .ending(refusalOfSome)
        for index in slots.indices {
            slots[index].connection?.close(drainingFor: Self.drainLimit) { [weak self] report in
                self?.assumeIsolated { $0.drained(report) }
            }
        }
        finishIfClosed()
    }

    /// So that the world goes on here, also where nothing was recorded for a while.
    private func noteEnd() {
        guard life.isAlive, let first = slots.first else { return }
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
        for index in slots.indices {
            slots[index].intruder = .none
            slots[index].connection?.abort()
            slots[index].connection = nil
        }
    }

    func closed(_ index: Int) {
        guard case .ending = life.phase else { return }
        slots[index].connection = nil
        if standings[index].link != .abandoned { standings[index].link = .closed }
        finishIfClosed()
    }

    func endIfAllAreAbandoned() {
        guard life.isAlive, standings.abandoned == standings.count else { return }
        if case .starting = life.phase {
            breakOff(broker.refusal(atTheStart: true))
        } else {
            breakOff(broker.refusal(atTheStart: false))
        }
    }

    private func drained(_ drain: MQTTDrainReport) {
        life.undelivered += drain.undelivered
    }

    private func finishIfClosed() {
        guard case .ending(let error) = life.phase,
            standings.closed + standings.abandoned == standings.count
        else { return }
        if life.undelivered > 0 { report(.undelivered(messages: life.undelivered)) }
        life.end(error)
    }

    /// Devices that were refused for good are a fault of the run, even if others went well.
    private var refusalOfSome: FleetError? {
        let count = standings.abandoned
        guard count > 0 else { return nil }
        return FleetError(
            .devicesRefused, "\(count) of \(slots.count) devices could not stay connected")
    }
}
