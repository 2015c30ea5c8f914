import DeviceDomain
import DeviceMessages
import Dispatch
import Fleet
import Glibc
import LocalServices
import Scenarios

/// What a process of a fleet does that another one has started: it answers that one until its end.
struct WorkerRun {
    let setup: RunSetup
    /// Which part of the homes is meant, from 2 on.
    let number: Int

    func run() async throws {
        // The first process gets the interrupts, and has all of them end. Both get one from whoever ends a service.
        for interrupt in [SIGINT, SIGTERM, SIGXFSZ] { signal(interrupt, SIG_IGN) }
        let channel = try LocalChannel(STDIN_FILENO, linesOf: WorkerRequest.limits.bytes)
        let (requests, sink) = AsyncStream.makeStream(
            of: LineMembers.self, bufferingPolicy: .bufferingOldest(1000))
        DispatchQueue(label: "requests").async {
            try? channel.read { line in
                guard let members = try? LineMembers(line, limits: WorkerRequest.limits) else {
                    return
                }
                sink.yield(members)
            }
            // The first process has ended, or asks nothing more. What is to be remembered is in the journal.
            _exit(0)
        }
        let part = WorkerPart(setup, number: number, homes: try homes(), channel)
        await withDiscardingTaskGroup { group in
            for await request in requests { group.addTask { await part.answer(request) } }
        }
    }

    private func homes() throws -> FleetHomes {
        let parts = try setup.homesOfShard().shared(among: setup.command.fleet.processes)
        guard parts.indices.contains(number - 1) else {
            throw FleetError(.unusableOption, "there is no part \(number) of \(parts.count)")
        }
        return parts[number - 1]
    }
}

/// The part of a fleet that a process simulates which another one has started.
actor WorkerPart {
    /// How far it has come.
    private enum Stage {
        case new
        case opened(Journal, FleetBrokers, WorkerRequest.BrokerShare?)
        case prepared(ControlledFleet)
        /// Its devices have ended.
        case ended(ControlledFleet)
    }

    private let setup: RunSetup
    private let number: Int
    private let plan: FleetPlan
    private let homes: FleetHomes
    private let channel: LocalChannel
    private var stage = Stage.new
    /// What it does for a scenario, once its devices are made.
    private var scenario: ScenarioPart?

    init(_ setup: RunSetup, number: Int, homes: FleetHomes, _ channel: LocalChannel) {
        self.setup = setup
        self.number = number
        self.homes = homes
        self.channel = channel
        plan = setup.plan(of: homes)
    }

    /// Answers a question.
    func answer(_ line: LineMembers) async {
        let id = line.all["id"]
        do {
            if let request = try WorkerRequest(line) {
                for members in try await answer(request) { send(members, id) }
                send(ControlReply.done.members, id)
                if case .begin = request { await run() }
            } else if let fleet {
                let bound = line.all[WorkerRequest.shareBound]?.number
                let replies = await fleet.replies(
                    to: try ControlRequest(line), bound.map(FaultShare.upTo))
                for reply in replies { send(reply.members, id) }
            }
        } catch {
            // A fleet that cannot be made ends the run; whoever asks hears of that.
            if let error = error as? FleetError { sendEnd(error) }
            send(ControlReply.refused("\(error)").members, id)
        }
    }

    private var fleet: ControlledFleet? {
        switch stage {
        case .prepared(let fleet), .ended(let fleet): fleet
        case .new, .opened: nil
        }
    }

    private func answer(_ request: WorkerRequest) async throws -> [JSONObject] {
        switch request {
        case .open(let journal, let broker): return [try open(journal, broker)]
        case .prepare(let epoch, let end): try prepare(epoch, end)
        case .begin(let time): fleet?.fleet.clock.begin(at: time)
        case .pause:
            guard let world = await fleet?.fleet.own.pauseWorld() else { return [] }
            return [["world": .integer(world.milliseconds)]]
        case .resume(let time): await fleet?.fleet.own.resumeWorld(at: time)
        case .nextInstant:
            guard let instant = await fleet?.fleet.own.nextInstant() else { return [] }
            return [["world": .integer(instant.milliseconds)]]
        case .advance(let instant): await fleet?.fleet.own.advanceWorld(to: instant)
        case .snapshot: return [await fleet?.fleet.own.snapshot().members].compactMap(\.self)
        case .report: return await report()?.lines ?? []
        case .end: await fleet?.fleet.own.end()
        case .simulate(let epoch):
            return try await setup.virtualRun(of: plan, from: epoch, report: tell)
                .lines(for: setup.scenario, of: plan)
        case .measure(let assertion):
            return [await scenario?.measure(assertion).members].compactMap(\.self)
        }
        return []
    }

    private func open(_ path: String, _ share: WorkerRequest.BrokerShare?) throws -> JSONObject {
        // The first process has held the fleet against the limits, which are the same here.
        _ = Preflight.Limits.raised()
        let journal = try Journal(in: JournalDirectory(joining: path), homes: homes.ids)
        stage = .opened(journal, try brokers(share), share)
        return journal.lastInstant.map { ["world": .integer($0.milliseconds)] } ?? [:]
    }

    private func brokers(_ share: WorkerRequest.BrokerShare?) throws -> FleetBrokers {
        guard let share else {
            guard let brokers = try setup.command.brokers() else {
                throw FleetError(.internal, "there is no broker")
            }
            return brokers
        }
        let users = DeviceUsers(plan.devices.map(\.key), DevicePasswords(secret: share.secret))
        return FleetBrokers(
            [try FleetBroker(url: share.url, users: users.credentials)],
            sources: setup.command.sources)
    }

    private func prepare(_ epoch: Timestamp, _ end: Timestamp?) throws {
        guard case .opened(let journal, let brokers, let share) = stage else { return }
        let clock = FleetClock.system(epoch: epoch, speed: setup.factor, end: end)
        let fleet = try setup.fleet(number, of: plan, journal, on: brokers, clock, report: tell)
        scenario = try setup.scenarioPart(
            number, of: plan, in: fleet, on: brokers, as: share?.controller, clock)
        stage = .prepared(
            ControlledFleet(
                fleet: WholeFleet(own: fleet, homes: homes, workers: [], plan: plan, clock: clock),
                brokers: brokers, boxed: nil))
    }

    /// Hands what the devices say to the first process.
    private nonisolated var tell: @Sendable (FleetNotice) -> Void {
        { [channel] notice in
            let members = notice.members.mapValues(JSONValue.string)
            try? channel.send(JSONWriter.write(.object(members)))
        }
    }

    /// Runs the devices, and tells how that ended.
    private func run() async {
        guard case .prepared(let fleet) = stage else { return }
        do {
            try await runBesideScenario(fleet.fleet.own)
            sendEnd(nil)
        } catch {
            sendEnd(error as? FleetError ?? FleetError(.internal, "\(error)"))
        }
        stage = .ended(fleet)
    }

    /// Runs the devices, and meanwhile what this process does for a scenario.
    private func runBesideScenario(_ fleet: Fleet) async throws {
        guard let scenario else { return try await fleet.run() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scenario.run() }
            try await fleet.run()
            group.cancelAll()
        }
        await scenario.finish()
    }

    private func report() async -> FleetReport? {
        var report = await fleet?.fleet.own.report(seed: setup.seed)
        if let scenario { report?.commands.merge(await scenario.tally) }
        return report
    }

    private func sendEnd(_ error: FleetError?) {
        var members: JSONObject = ["reply": "ended"]
        if let error {
            members["code"] = .string(error.code.rawValue)
            members["message"] = .string(error.message)
        }
        send(members, nil)
    }

    private func send(_ members: JSONObject, _ id: JSONValue?) {
        var members = members
        members["id"] = id
        // Where nobody reads any more, this process ends.
        try? channel.send(JSONWriter.write(.object(members)))
    }
}
