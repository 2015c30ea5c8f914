internal import Automation
internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import History
internal import HomeModel
internal import PostgresPersistence

/// What is to be done in a home.
struct HomeDuties: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// To find its devices behind a new link, and to record them.
    static let knowingDevices = HomeDuties(rawValue: 1)
    /// To take over commands that nobody follows.
    static let adopting = HomeDuties(rawValue: 2)
    /// To ask about commands whose outcome is unknown.
    static let asking = HomeDuties(rawValue: 4)
    /// To learn what the user calls devices and rooms.
    static let labels = HomeDuties(rawValue: 8)
    /// To run its schedules, from now on.
    static let schedules = HomeDuties(rawValue: 16)
    /// To run its rules, from now on.
    static let rules = HomeDuties(rawValue: 32)

    /// What goes on until the home is given up.
    static let lasting: HomeDuties = [.schedules, .rules]
}

/// A home that an instance owns and drives. It sleeps until it is told that there is something to do.
final class DrivenHome: Sendable {
    let home: Home
    private let slots: HomeSlots
    private let recorder: HistoryRecorder?
    private let end = FutureValue<Void>()
    private let signals: BoundedStream<Void>
    private let signal: StreamSource<Void>
    private let state = Guarded(State())

    private struct State {
        /// What is to be done and was not begun.
        var due: HomeDuties = []
        /// What was begun and goes on.
        var lasting: HomeDuties = []
        /// What the user calls devices and rooms, as it was learned.
        var labels: RowMark?
        /// How many looks may still ask for devices again, of which some were not heard because another process had just
        /// asked them. A home that has no more is asked with its turn alone, if at all.
        var hastySurveys = 3
    }

    /// - Parameters:
    ///   - slots: limits how many homes look for devices and commands at the same time.
    ///   - recorder: keeps what happens; `nil` where nothing is kept.
    init(_ home: Home, _ slots: HomeSlots, _ recorder: HistoryRecorder?) {
        self.home = home
        self.slots = slots
        self.recorder = recorder
        (signals, signal) = BoundedStream.make(.dropOldest(limit: 1))
        tell([.knowingDevices, .adopting, .asking])
    }

    /// There is something to do.
    func tell(_ duties: HomeDuties) {
        let isNew = state.withLock { state in
            let new = duties.subtracting(state.lasting)
            state.due.formUnion(new)
            return !new.isEmpty
        }
        if isNew { signal.send(()) }
    }

    /// What a look at all homes has found for this one.
    func tell(_ look: HomeLook) {
        var duties: HomeDuties = []
        if look.orphaned.contains(home.id) { duties.insert(.adopting) }
        if look.unknown.contains(home.id) { duties.insert(.asking) }
        if look.schedules[home.id] != nil { duties.insert(.schedules) }
        if look.rules[home.id] != nil { duties.insert(.rules) }
        let labels = look.labels[home.id]
        let isRelabelled = state.withLock { state in
            defer { state.labels = labels }
            return state.labels != labels
        }
        if isRelabelled { duties.insert(.labels) }
        let isDoubtful = home.observation.isDoubtful
        if isLinked, isDoubtful || !home.observation.isSurveyed, takeHastySurvey() {
            if isDoubtful { home.observation.forgetDoubtfulReplays() }
            duties.insert(.knowingDevices)
        }
        tell(duties)
    }

    private func takeHastySurvey() -> Bool {
        state.withLock { state in
            defer { state.hastySurveys = max(0, state.hastySurveys - 1) }
            return state.hastySurveys > 0
        }
    }

    /// Whether it is to end, or has ended.
    var isEnding: Bool { end.current != nil }

    /// Lets the home end: what is under way is settled or left to the next owner, and the home is given up.
    /// - Returns: whether it was not to end before.
    @discardableResult
    func stop() -> Bool {
        defer { end.settle(()) }
        return !isEnding
    }

    /// Drives the home until it is to stop.
    func run(_ hooks: InstanceHooks) async {
        // Where the home cannot run, it is given up as well.
        try? await home.whileRunning {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.work(hooks) }
                group.addTask { await self.hearOthers() }
                if let recorder {
                    // On the thread that receives: a sample wakes no other one.
                    group.addTask(executorPreference: self.home.executor) {
                        await self.home.deviceHistory.keep(with: recorder)
                    }
                }
                _ = await end.value()
                group.cancelAll()
            }
        }
    }

    /// Takes over at once what other processes leave to this one.
    private func hearOthers() async {
        guard let storage = try? await home.lifetime.storage() else { return }
        for await _ in storage.ledger.changesByOthers() { tell(.adopting) }
    }

    private func work(_ hooks: InstanceHooks) async {
        var upkeep = HomeUpkeep(home)
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                let due = takeDuties()
                if due.contains(.schedules) {
                    group.addTask { await self.runSchedules(hooks) }
                }
                if due.contains(.rules) { group.addTask { await self.runRules(hooks) } }
                guard !due.subtracting(.lasting).isEmpty else { continue }
                await slots.inTurn { await upkeep.attend(to: due, isLinked) }
            }
        }
    }

    private func takeDuties() -> HomeDuties {
        state.withLock { state in
            defer { state.due = [] }
            state.lasting.formUnion(state.due.intersection(.lasting))
            return state.due
        }
    }

    private func runSchedules(_ hooks: InstanceHooks) async {
        try? await home.runSchedules { [id = home.id] in hooks.report(.schedule(id, $0)) }
    }

    private func runRules(_ hooks: InstanceHooks) async {
        try? await home.rules.run(notifying: hooks.notify) { [id = home.id] in
            hooks.report(.rule(id, $0))
        }
    }
}

/// What is done from time to time in a home that an instance drives.
private struct HomeUpkeep {
    /// After so long its devices are recorded again, also where only the time has changed at which they were heard.
    private static let longestMemory = Duration.seconds(600)

    private let home: Home
    private var questions = UnknownQuestions()
    /// The devices as they were recorded, and when.
    private var recorded: (content: Int, at: Duration)?

    init(_ home: Home) { self.home = home }

    /// What cannot be done without a connection is done another time: the next look finds the commands again.
    mutating func attend(to duties: HomeDuties, _ isLinked: Bool) async {
        let (observation, adoption) = (home.observation, home.commands.adoption)
        var isConnected = isLinked
        if duties.contains(.knowingDevices) {
            if !observation.isSurveyed {
                let survey = try? await observation.survey(.everyDeviceWithoutTelemetry)
                isConnected = survey != nil
            }
            await recordDevices()
        }
        if duties.contains(.labels) { await observation.labels.learn() }
        guard isConnected else { return }
        if duties.contains(.adopting) { _ = try? await adoption.adoptOrphanedCommands() }
        if duties.contains(.asking) { try? await adoption.askAboutUnknown(&questions) }
    }

    private mutating func recordDevices() async {
        let devices = home.live.model.describedDevices
        var hasher = Hasher()
        for device in devices {
            hasher.combine(device.profile)
            hasher.combine(device.channel)
        }
        let (content, now) = (hasher.finalize(), home.observation.clock.now.elapsed)
        if let recorded, recorded.content == content, now - recorded.at < Self.longestMemory {
            return
        }
        do throws(HomeError) {
            try await home.observation.rememberDevices()
            recorded = (content, now)
        } catch {
            // It is done another time.
        }
    }
}

extension DrivenHome {
    /// Whether a channel of the home has a connection now.
    var isLinked: Bool { home.live.links.values.contains(where: \.isConnected) }

    /// Why none has one, while it is tried; `nil` before the first attempt has failed.
    var linkFailure: HomeError? {
        for (channel, link) in home.live.links {
            if case .lost(let error, _) = link {
                return HomeError(error, at: home.address(of: channel))
            }
        }
        return nil
    }
}
