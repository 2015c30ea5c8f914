internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// An event for a command.
    struct Post {
        let event: LifecycleEvent
        let command: CommandID

        init(_ event: LifecycleEvent, to command: CommandID) {
            self.event = event
            self.command = command
        }
    }

    /// Hands an event to a command and returns when its actions are done.
    func post(_ event: LifecycleEvent, to id: CommandID) async {
        await post([Post(event, to: id)])
    }

    /// Hands events to commands and returns when their actions are done. What they change is written into
    /// the ledger together.
    func post(_ posts: [Post]) async {
        var rest = posts[...]
        while !rest.isEmpty {
            await handle(together: rest.prefix(Self.largestBatch))
            rest = rest.dropFirst(Self.largestBatch)
        }
    }

    private func handle(together posts: ArraySlice<Post>) async {
        let (ours, others) = deliver(posts)
        await handleEvents(of: ours)
        for id in others { await untilQuiet(id) }
    }

    /// Hands an event to a command that handles it soon, together with what comes in the meantime: what a
    /// device says of a short command, and the receipt of the link, often lie in one packet.
    /// - Returns: at once, unless so many events wait for the command already that it must catch up.
    func postSoon(_ event: LifecycleEvent, to id: CommandID) async {
        guard case .running = operation else { return await post(event, to: id) }
        for id in deliver([Post(event, to: id)]).ours { enqueue(.handleEvents(of: id)) }
        if hasManyEvents(id) { await untilQuiet(id) }
    }

    /// Lets commands handle the events that wait for them, until none do.
    func handleEvents(of ids: [CommandID]) async {
        var ids = ids
        while !ids.isEmpty {
            let reactions = react(ids)
            await perform(reactions)
            ids = reactions.map(\.command)
        }
    }

    /// Waits until a command has handled its events.
    func untilQuiet(_ id: CommandID) async {
        guard isBusy(id) else { return }
        await withCheckedContinuation { wait(for: id, $0) }
    }

    /// Puts events before their commands.
    /// - Returns: the commands that handle theirs now, and those that are handling others.
    private func deliver(_ posts: ArraySlice<Post>) -> (ours: [CommandID], others: [CommandID]) {
        var ours: [CommandID] = []
        var others: [CommandID] = []
        for post in posts where commands.contain(post.command) {
            commands[post.command]?.events.append(post.event)
            if commands[post.command]?.isBusy == false {
                commands[post.command]?.isBusy = true
                ours.append(post.command)
            } else {
                others.append(post.command)
            }
        }
        return (ours, others)
    }

    private func react(_ ids: [CommandID]) -> [Reaction] { ids.compactMap(react) }

    private func isBusy(_ id: CommandID) -> Bool { commands[id]?.isBusy == true }

    private func hasManyEvents(_ id: CommandID) -> Bool {
        commands[id].map { $0.events.count >= Self.waitingEvents } ?? false
    }

    private func wait(for id: CommandID, _ caller: CheckedContinuation<Void, Never>) {
        commands[id]?.quiet.append(caller) ?? caller.resume()
    }

    /// What a command makes of the events that wait for it, before anything of it is done.
    struct Reaction {
        let command: CommandID
        let events: [LifecycleEvent]
        let before: CommandProgress
        var actions: [LifecycleAction] = []
        var isToBeRecorded = false
        /// Whether something belongs to the command's history that changes no progress.
        var hasNotes = false
        var evidence: [CommandEvidence] = []
    }

    /// Lets a command handle the events that wait for it.
    /// - Returns: `nil` where none did; the command is quiet then.
    private func react(_ id: CommandID) -> Reaction? {
        guard let tracked = commands[id], !tracked.events.isEmpty else {
            becomeQuiet(id)
            return nil
        }
        var reaction = Reaction(
            command: id, events: tracked.events, before: tracked.lifecycle.progress)
        // Not emptied in place: the array would keep its room.
        tracked.events = []
        for event in reaction.events { handle(event, for: &reaction) }
        return reaction
    }

    private func handle(_ event: LifecycleEvent, for reaction: inout Reaction) {
        guard let tracked = commands[reaction.command] else { return }
        let before = tracked.lifecycle.progress
        let now = clock.now
        let actions = tracked.lifecycle.handle(event, at: now)
        reaction.actions += actions.filter { $0 != .record }
        if case .withdrawn(tracked.lifecycle.progress) = event {
            tracked.note(recorded: tracked.lifecycle.progress.step)
        }
        let log = tracked.lifecycle.log(of: event, since: before, at: now)
        if actions.contains(.record) {
            tracked.keep(log)
            reaction.isToBeRecorded = true
        } else if event == .wake, tracked.isUnrecorded {
            reaction.isToBeRecorded = true
        } else if !actions.contains(where: \.isReport) {
            note(event, log, in: &reaction)
        }
    }

    /// Keeps what changes no progress but belongs to the command's history.
    private func note(_ event: LifecycleEvent, _ log: [LedgerEvent], in reaction: inout Reaction) {
        switch event {
        case .evidence(let evidence):
            // A repetition says nothing new.
            if !evidence.isReplay { reaction.evidence.append(evidence) }
        case .sendEnded, .answer:
            commands[reaction.command]?.keep(log)
            reaction.hasNotes = true
        case .enqueued, .adopted, .reach, .overruled, .withdrawn, .turn, .settings, .applied,
            .boot, .state, .wake:
            break
        }
    }

    private func becomeQuiet(_ id: CommandID) {
        commands[id]?.isBusy = false
        let quiet = commands[id]?.quiet ?? []
        commands[id]?.quiet = []
        for caller in quiet { caller.resume() }
        retireIfSettled(id)
        rest(id)
    }
}

extension LifecycleAction {
    fileprivate var isReport: Bool { if case .report = self { true } else { false } }
}
