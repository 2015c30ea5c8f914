internal import Automation
internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
internal import Persistence

/// Runs the rules of a home until its task is cancelled. Of any number of processes one does so at a time; the others
/// listen, and when that one ends, whichever is first goes on with what it has left.
final class RuleRunner: Sendable {
    /// How long it sleeps at most: another process may change a rule, and the wall clock may be set.
    static let longestPause = Duration.seconds(5)
    /// How long it waits until it tries again to be the one that runs the rules.
    static let standbyPause = Duration.seconds(1)
    /// How long events are kept: longer than nobody runs the rules, and than it takes until a new rule is known.
    private static let memory = Duration.seconds(10)
    /// Steps that wait at most to be carried out, and events that are kept at most.
    private static let mostWaiting = 10_000
    /// About how many bytes the events that are kept take at most: 32 MiB.
    private static let mostHeardBytes = 32 << 20

    /// An event, and when it was heard.
    struct HeardEvent {
        let change: DeviceChange
        let at: Moment
    }

    /// What the tasks of a runner share.
    struct State {
        /// `nil` while another process runs the rules.
        var engine: RuleEngine?
        /// The events that were heard lately: another process may have ended before it took them in, or a rule be added
        /// that is not known yet.
        private(set) var heard: [HeardEvent] = []
        private var heardBytes = 0
        /// That of running the rules; `nil` if another process has it.
        var role: HeldRole?
        var rules: [RuleID: Rule] = [:]
        var steps: [RuleStep] = []
        /// The runs that another process has taken and not finished.
        var left: [RecordedRun] = []
        /// Steps for which there was no room.
        var lost = 0
        /// When the present pause ends by itself, and what ends it earlier.
        var pause: (end: Duration, signal: FutureValue<Void>)?

        /// Keeps an event; beyond the bounds the older half goes.
        mutating func keep(_ event: HeardEvent) {
            heard.append(event)
            heardBytes += event.change.size
            guard heard.count > RuleRunner.mostWaiting || heardBytes > RuleRunner.mostHeardBytes
            else { return }
            heard.removeFirst((heard.count + 1) / 2)
            heardBytes = heard.reduce(0) { $0 + $1.change.size }
        }

        /// Lets events go that were heard too long ago.
        mutating func forgetEvents(at elapsed: Duration) {
            heard.removeAll { elapsed - $0.at.elapsed > RuleRunner.memory }
            heardBytes = heard.reduce(0) { $0 + $1.change.size }
        }
    }

    let repository: any RuleRepository
    let owner: (controller: ControllerID, home: HomeID)
    let live: LiveHome
    let clock: any CommandClock
    private let calendar: LocalCalendar
    private let place: GeographicPlace?
    /// Does what a run is to do.
    let carrying: RuleCarrying
    let report: @Sendable (RuleNotice) -> Void
    let state = Guarded(State())
    /// Speaks when there are steps.
    let wakes: BoundedStream<Void>
    private let wakeSource: StreamSource<Void>

    init(
        _ repository: any RuleRepository, of owner: (controller: ControllerID, home: HomeID),
        in live: LiveHome, clock: any CommandClock, calendar: LocalCalendar,
        at place: GeographicPlace?, carrying: RuleCarrying,
        reporting report: @escaping @Sendable (RuleNotice) -> Void
    ) {
        self.repository = repository
        self.owner = owner
        self.live = live
        self.clock = clock
        self.calendar = calendar
        self.place = place
        self.carrying = carrying
        self.report = report
        (wakes, wakeSource) = BoundedStream.make(.dropOldest(limit: 1))
    }

    /// - Parameter role: takes the role of running the rules; `nil` if another process has it.
    func run(taking role: @escaping @Sendable () throws(LedgerError) -> HeldRole?) async {
        let changes = live.recordableChanges()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.hear(changes) }
            group.addTask { await self.carryOutSteps() }
            group.addTask { await self.keepTime(taking: role) }
        }
        // Only now: the next server goes on with what this one has not finished.
        state.withLock { $0.role }?.release()
    }

    // MARK: Hearing

    private func hear(_ changes: HomeChanges) async {
        var dropped = 0
        for await change in changes {
            if changes.droppedCount > dropped {
                report(.overrun(lost: changes.droppedCount - dropped))
                dropped = changes.droppedCount
            }
            guard case .device(let change) = change else { continue }
            let now = clock.now
            let device = live.device(change.device)
            act { state in
                if case .event = change.content { state.keep(HeardEvent(change: change, at: now)) }
                return state.engine?.hear(change, of: device, at: now) ?? []
            }
        }
    }

    /// Lets the engine work, and hands over what is to be done.
    private func act(_ body: (inout State) -> [RuleStep]) {
        let (hasSteps, signal) = state.withLock { state -> (Bool, FutureValue<Void>?) in
            let steps = body(&state)
            let room = max(0, Self.mostWaiting - state.steps.count)
            state.steps += steps.prefix(room)
            state.lost += max(0, steps.count - room)
            guard let pause = state.pause, let next = state.engine?.nextLook(after: clock.now),
                next < pause.end
            else { return (!steps.isEmpty, nil) }
            state.pause = nil
            return (!steps.isEmpty, pause.signal)
        }
        if hasSteps { wakeSource.send(()) }
        signal?.settle(())
    }

    // MARK: Time

    /// Becomes the process that runs the rules as soon as no other one does, and looks at the time from then on.
    private func keepTime(
        taking role: @escaping @Sendable () throws(LedgerError) -> HeldRole?
    ) async {
        while !Task.isCancelled {
            do throws(LedgerError) {
                var held = state.withLock { $0.role }
                if held == nil { held = try role() }
                guard let held else {
                    forgetOld()
                    await clock.sleep(for: Self.standbyPause)
                    continue
                }
                state.withLock { $0.role = held }
                try await begin()
                await lookUntilCancelled()
            } catch {
                report(.failed(HomeError(error)))
                await clock.sleep(for: Self.longestPause)
            }
        }
    }

    private func forgetOld() {
        let now = clock.now.elapsed
        state.withLock { state in
            state.forgetEvents(at: now)
        }
    }

    /// Goes on where another process, or an earlier run of this one, has ended.
    private func begin() async throws(LedgerError) {
        let rules = try await repository.rules(of: owner.controller, in: owner.home)
        let watches = try await repository.watches(of: owner.controller, in: owner.home)
        let open = try await repository.openRuns(of: owner.controller, in: owner.home)
        let now = clock.now
        act { state in
            var engine = RuleEngine(
                rules, remembering: watches, in: calendar, at: place, from: now)
            // Of events that both have heard, the ledger takes each once.
            let steps = hearPast(state.heard, by: rules, in: &engine)
            state.engine = engine
            state.rules = Dictionary(rules.map { ($0.id, $0) }) { $1 }
            state.left = open
            return steps
        }
        if !open.isEmpty { wakeSource.send(()) }
    }

    /// Lets rules hear the events since they were added, of late, and what is known already.
    private func hearPast(
        _ heard: [HeardEvent], by rules: [Rule], in engine: inout RuleEngine
    ) -> [RuleStep] {
        let events = heard.flatMap { event in
            let listeners = rules.filter { $0.since <= event.at.wall }.map(\.id)
            return engine.hear(
                event.change, of: live.device(event.change.device), at: event.at,
                by: Set(listeners))
        }
        let present = live.presentChanges.flatMap {
            engine.hear(
                $0, of: live.device($0.device), at: clock.now, by: Set(rules.map(\.id)))
        }
        return events + present
    }

    private func lookUntilCancelled() async {
        while !Task.isCancelled {
            act { $0.engine?.look(at: clock.now) { live.model } ?? [] }
            await pause()
            await learn()
        }
    }

    /// Sleeps until something is due, at most for a while.
    private func pause() async {
        let signal = FutureValue<Void>()
        let end = state.withLock { state -> Duration in
            let now = clock.now
            var end = now.elapsed + Self.longestPause
            if let next = state.engine?.nextLook(after: now) {
                end = max(now.elapsed + .milliseconds(1), min(end, next))
            }
            state.pause = (end, signal)
            return end
        }
        await withTaskGroup { group in
            group.addTask { await self.clock.sleep(until: end) }
            group.addTask { await signal.value() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Takes in rules that another process has added, changed or removed.
    private func learn() async {
        forgetOld()
        do throws(LedgerError) {
            let rules = try await repository.rules(of: owner.controller, in: owner.home)
            act { state in
                state.rules = Dictionary(rules.map { ($0.id, $0) }) { $1 }
                guard let new = state.engine?.learn(rules, at: clock.now), !new.isEmpty,
                    var engine = state.engine.take()
                else { return [] }
                defer { state.engine = engine }
                return hearPast(
                    state.heard, by: rules.filter { new.contains($0.id) }, in: &engine)
            }
        } catch {
            report(.failed(HomeError(error)))
        }
    }
}
