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
    /// How long what was heard is kept by a process that does not run the rules: longer than nobody does.
    private static let memory = Duration.seconds(5)
    /// Steps that wait at most to be carried out.
    private static let mostWaiting = 10_000

    /// An event, and when it was heard.
    struct HeardEvent {
        let change: DeviceChange
        let at: Moment
    }

    /// Whether this process runs the rules.
    enum Mode {
        /// Another process does; the events that were heard lately, of which that one may have missed the last ones.
        case standby([HeardEvent])
        /// This process does.
        case active(RuleEngine)

        /// Lets the engine work, if there is one.
        mutating func withEngine<Value>(_ body: (inout RuleEngine) -> Value) -> Value? {
            guard case .active(var engine) = self else { return nil }
            // So that the engine is not copied when it changes.
            self = .standby([])
            defer { self = .active(engine) }
            return body(&engine)
        }

        /// Keeps an event for the case that this process is the next one that runs the rules.
        mutating func keep(_ event: HeardEvent, most: Int) {
            guard case .standby(var heard) = self, case .event = event.change.content else {
                return
            }
            self = .standby([])
            heard.append(event)
            if heard.count > most { heard.removeFirst(most / 2) }
            self = .standby(heard)
        }
    }

    /// What the tasks of a runner share.
    struct State {
        var mode = Mode.standby([])
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
                state.mode.keep(HeardEvent(change: change, at: now), most: Self.mostWaiting)
                return state.mode.withEngine { $0.hear(change, of: device, at: now) } ?? []
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
            guard case .active(let engine) = state.mode, let pause = state.pause,
                let next = engine.nextLook(after: clock.now), next < pause.end
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
            guard case .standby(let heard) = state.mode else { return }
            state.mode = .standby(heard.filter { now - $0.at.elapsed <= Self.memory })
        }
    }

    /// Goes on where another process, or an earlier run of this one, has ended.
    private func begin() async throws(LedgerError) {
        let rules = try await repository.rules(of: owner.controller, in: owner.home)
        let watches = try await repository.watches(of: owner.controller, in: owner.home)
        let open = try await repository.openRuns(of: owner.controller, in: owner.home)
        let now = clock.now
        act { state in
            guard case .standby(let heard) = state.mode else { return [] }
            var engine = RuleEngine(
                rules, remembering: watches, in: calendar, at: place, from: now)
            // Of events that both have heard, the ledger takes each once.
            var steps = heard.flatMap {
                engine.hear($0.change, of: live.device($0.change.device), at: $0.at)
            }
            steps += hearPresent(in: &engine)
            state.mode = .active(engine)
            state.rules = Dictionary(rules.map { ($0.id, $0) }) { $1 }
            state.left = open
            return steps
        }
        if !open.isEmpty { wakeSource.send(()) }
    }

    /// Lets rules hear what is known already.
    private func hearPresent(
        in engine: inout RuleEngine, by listeners: Set<RuleID>? = nil
    ) -> [RuleStep] {
        live.presentChanges.flatMap {
            engine.hear($0, of: live.device($0.device), at: clock.now, by: listeners)
        }
    }

    private func lookUntilCancelled() async {
        while !Task.isCancelled {
            act { $0.mode.withEngine { $0.look(at: clock.now) { live.model } } ?? [] }
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
            if case .active(let engine) = state.mode, let next = engine.nextLook(after: now) {
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
        do throws(LedgerError) {
            let rules = try await repository.rules(of: owner.controller, in: owner.home)
            act { state in
                state.rules = Dictionary(rules.map { ($0.id, $0) }) { $1 }
                return state.mode.withEngine { engine in
                    let new = engine.learn(rules, at: clock.now)
                    return new.isEmpty ? [] : hearPresent(in: &engine, by: new)
                } ?? []
            }
        } catch {
            report(.failed(HomeError(error)))
        }
    }
}
