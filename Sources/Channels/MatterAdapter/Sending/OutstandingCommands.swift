internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands of one channel whose result may still be seen. A value type: answers and reports go in, actions come
/// out.
///
/// Nothing is sent twice. A command whose answer is lost stays here until its time is over, because a later report or
/// reading can still show its effect.
struct OutstandingCommands: Sendable {
    /// An action that the channel must take.
    enum Action: Hashable, Sendable {
        /// Send this request, which has its message id.
        case send([UInt8])
        /// The server has answered for the command, or will not: the next command may be sent.
        case release(CommandID, Handover)
        /// Report what is known of the command.
        case tell(CommandEvidence)
        /// Wait for what ``wait(of:)`` tells from now on.
        case wait(CommandID)
        /// Take in the value of an attribute that was read.
        case attribute(UInt64, AttributePath, JSONValue)
    }

    /// What is known of a command's way to the server.
    enum Handover: Hashable, Sendable {
        /// The server has it.
        case receipt(DeliveryReceipt)
        /// Nobody knows whether it was carried out, for this reason.
        case open(String)
    }

    private var commands: [CommandID: OutstandingCommand] = [:]
    private var owners: [String: CommandID] = [:]
    private var nextID = 0
    private let timing: MatterReadBackTiming

    init(_ timing: MatterReadBackTiming) { self.timing = timing }

    /// How many commands are outstanding.
    var count: Int { commands.count }

    /// The attributes whose values may show effects.
    var awaited: [(node: UInt64, path: AttributePath)] {
        commands.values.flatMap { command in
            (command.proof?.paths ?? []).map { (node: command.node, path: $0) }
        }
    }

    /// An id for a request.
    mutating func makeMessageID() -> String {
        nextID += 1
        return String(nextID)
    }

    /// A command is about to be sent.
    /// - Parameter texts: its requests, of which there is at least one.
    mutating func begin(
        _ intent: CommandIntent, node: UInt64, sort: CommandSort, proof: EffectProof?,
        texts: [[UInt8]]
    ) -> [Action] {
        guard let first = texts.first else { return [] }
        // What an older command has set cannot be told from what this one sets.
        for other in commands.values where other.node == node && other.proof?.path == proof?.path {
            commands[other.id]?.proof = nil
        }
        let messageID = makeMessageID()
        owners[messageID] = intent.id
        commands[intent.id] = OutstandingCommand(
            id: intent.id, device: intent.device, node: node, sort: sort, proof: proof,
            progress: .asked(messageID: messageID, next: Array(texts.dropFirst())),
            lifetime: intent.expiresAt.since(intent.issuedAt))
        return [.send(ServerRequest.numbered(first, messageID)), .wait(intent.id)]
    }

    /// Stops to watch a command that did not leave.
    mutating func end(_ id: CommandID) {
        guard let command = commands.removeValue(forKey: id) else { return }
        if case .asked(let messageID, _) = command.progress { owners[messageID] = nil }
        if let reading = command.reading { owners[reading] = nil }
    }

    // MARK: Answers

    /// The server has answered a request.
    /// - Returns: `nil` if the request is none of a command.
    mutating func answered(_ messageID: String, _ result: JSONValue) -> [Action]? {
        guard let id = owners.removeValue(forKey: messageID), let command = commands[id] else {
            return nil
        }
        guard command.reading != messageID else { return read(command, result) }
        return decided(command, AnswerVerdict(result: result))
    }

    /// A request has failed.
    /// - Returns: `nil` if the request is none of a command.
    mutating func failed(_ messageID: String, _ failure: ServerFailure) -> [Action]? {
        guard let id = owners.removeValue(forKey: messageID), let command = commands[id] else {
            return nil
        }
        guard command.reading != messageID else {
            commands[id]?.reading = nil
            return []
        }
        return decided(command, failure.verdict)
    }

    private mutating func decided(
        _ command: OutstandingCommand, _ verdict: AnswerVerdict
    ) -> [Action] {
        guard case .asked(_, let next) = command.progress else { return [] }
        let id = command.id
        switch verdict {
        case .accepted:
            if let text = next.first {
                let messageID = makeMessageID()
                owners[messageID] = id
                commands[id]?.progress = .asked(
                    messageID: messageID, next: Array(next.dropFirst()))
                return [.send(ServerRequest.numbered(text, messageID))]
            }
            commands[id]?.progress = .accepted
            guard command.proof != nil else {
                end(id)
                let isAction = command.sort == .action
                return [.release(id, .receipt(isAction ? .confirmed : .confirmedWithoutEvidence))]
                    + (isAction ? [.tell(evidence(command, .accepted))] : [])
            }
            return [.release(id, .receipt(.confirmed)), .wait(id)]
                + (command.sort == .action ? [.tell(evidence(command, .accepted))] : [])
        case .refused(let code, let message):
            end(id)
            return [
                .release(id, .receipt(.confirmed)),
                .tell(evidence(command, .rejected, code, message)),
            ]
        case .undecided(let reason):
            commands[id]?.progress = .undecided
            // What was to follow is not sent any more, and its effect is not awaited.
            if !next.isEmpty { commands[id]?.proof = nil }
            return [.release(id, .open(reason)), .wait(id)]
        }
    }

    private mutating func read(_ command: OutstandingCommand, _ result: JSONValue) -> [Action] {
        commands[command.id]?.reading = nil
        guard let path = command.proof?.path,
            let value = result.object?[path.description], !value.isNull
        else { return [] }
        return [.attribute(command.node, path, value.decoded)]
    }

    // MARK: Reports

    /// A device has reported the value of an attribute, or it was read.
    mutating func reported(
        _ node: UInt64, _ path: AttributePath, _ value: JSONValue
    ) -> [Action] {
        guard !commands.isEmpty else { return [] }
        var actions: [Action] = []
        for command in commands.values.sorted(by: { $0.id < $1.id })
        where command.node == node && command.isFullySent {
            guard command.proof?.isMet(by: value, of: path) == true else { continue }
            end(command.id)
            actions += [
                .release(command.id, .receipt(.confirmed)), .tell(evidence(command, .succeeded)),
            ]
        }
        return actions
    }

    /// The connection is lost: no request will be answered any more.
    mutating func linkLost() -> [Action] {
        owners = [:]
        for command in commands.values {
            commands[command.id]?.reading = nil
            if case .asked(_, let next) = command.progress {
                commands[command.id]?.progress = .undecided
                // The effect of a request that was never sent is not awaited.
                if !next.isEmpty { commands[command.id]?.proof = nil }
            }
        }
        return release(Self.lostAnswer)
    }

    /// Nothing is watched any more.
    mutating func endAll() -> [Action] {
        defer {
            commands = [:]
            owners = [:]
        }
        return release("the channel was closed before the Matter server answered")
    }

    private func release(_ reason: String) -> [Action] {
        commands.keys.sorted().map { .release($0, .open(reason)) }
    }

    private static let lostAnswer =
        "the connection to the Matter server was lost before it answered, so nobody knows whether it "
        + "has the command"
    private static let silence = "the Matter server has not answered in time"

    // MARK: Time

    /// A wait of a command.
    struct Wait: Hashable, Sendable {
        let id: CommandID
        let duration: Duration
        fileprivate let round: Int
    }

    /// Begins the next wait of a command; `nil` if it is not watched any more.
    mutating func wait(of id: CommandID) -> Wait? {
        guard let command = commands[id] else { return nil }
        commands[id]?.round += 1
        var duration = Backoff(first: timing.first, longest: timing.longest)
            .wait(after: command.readings)
        if case .asked = command.progress, command.readings == 0 { duration = timing.answer }
        return Wait(
            id: id, duration: min(duration, max(command.lifetime - command.elapsed, timing.first)),
            round: command.round + 1)
    }

    /// A wait is over.
    /// - Parameter canAsk: whether there is a connection.
    mutating func waited(_ wait: Wait, canAsk: Bool) -> [Action] {
        let id = wait.id
        guard var command = commands[id], command.round == wait.round else { return [] }
        command.elapsed += wait.duration
        commands[id] = command
        guard command.elapsed < command.lifetime else {
            end(id)
            return [.release(id, .open(Self.silence))]
        }
        var actions: [Action] = []
        if case .asked = command.progress, command.readings == 0 {
            actions.append(.release(id, .open(Self.silence)))
        }
        commands[id]?.readings += 1
        actions.append(.wait(id))
        guard let proof = command.proof, command.isFullySent else { return actions }
        guard canAsk, command.reading == nil else { return actions }
        let messageID = makeMessageID()
        owners[messageID] = id
        commands[id]?.reading = messageID
        let text = ServerRequest.read(node: command.node, proof.path).text
        return actions + [.send(ServerRequest.numbered(text, messageID))]
    }

    private func evidence(
        _ command: OutstandingCommand, _ stage: AckStage, _ code: AckCode = .ok,
        _ message: String = ""
    ) -> CommandEvidence {
        CommandEvidence(
            id: command.id, device: command.device,
            source: stage == .succeeded ? .readBack : .bridge, stage: stage, code: code,
            message: message)
    }
}
