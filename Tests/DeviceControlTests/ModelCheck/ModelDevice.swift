import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// A device that follows PROTOCOL section 3: a record of every command, and one execution.
struct ModelDevice: Hashable, Sendable {
    /// The latest ack of a command, as the device has recorded it.
    struct Entry: Hashable, Sendable {
        var stage: AckStage
        var n: Int
        var executions: Int
        var code: AckCode
    }

    private(set) var record: [Entry?] = [nil, nil]
    /// Commands for which it has said `never`.
    private(set) var promises = [false, false]
    /// The commands whose effects were started, in order.
    private(set) var effects: [Int] = []
    private(set) var running: Int?
    private(set) var waiting: [Int] = []
    private(set) var boot = 1
    private var lastSetting: Int?

    /// Takes in a command; the acks in their order.
    mutating func receive(
        _ command: Int, of scenario: ModelScenario, isLate: Bool
    ) -> [ModelAck] {
        if let entry = record[command], scenario.flaw != .noRecord {
            return [ModelAck(command, entry, boot, isReplay: true)]
        }
        if promises[command], scenario.flaw != .brokenPromise {
            return end(command, .rejected, .staleSession)
        }
        if isLate { return end(command, .expired, .expired) }
        let intent = scenario.intents[command]
        switch intent.sort {
        case .setting: return apply(command, of: scenario)
        case .instant: return intent.name == .stop ? stop(command) : execute(command)
        case .action: return enterLane(command)
        }
    }

    private mutating func apply(_ command: Int, of scenario: ModelScenario) -> [ModelAck] {
        let isSame = Set(scenario.intents.map(\.name)).count == 1
        if isSame, let lastSetting, command < lastSetting, scenario.flaw != .noSequence {
            return end(command, .superseded, .superseded)
        }
        lastSetting = command
        return execute(command)
    }

    private mutating func execute(_ command: Int) -> [ModelAck] {
        start(command) + end(command, .succeeded, .ok)
    }

    private mutating func start(_ command: Int) -> [ModelAck] {
        effects.append(command)
        return note(command, .accepted, .ok, executions: 1)
    }

    private mutating func enterLane(_ command: Int) -> [ModelAck] {
        guard running == nil else {
            waiting.append(command)
            return note(command, .accepted, .ok, executions: 0)
        }
        running = command
        return start(command)
    }

    private mutating func stop(_ command: Int) -> [ModelAck] {
        var acks = start(command)
        if let running { acks += end(running, .cancelled, .cancelled) }
        running = nil
        for waits in waiting { acks += end(waits, .superseded, .superseded) }
        waiting = []
        return acks + end(command, .succeeded, .ok)
    }

    /// Reports progress of the running action, once.
    mutating func report() -> [ModelAck] {
        guard let running, let entry = record[running], entry.stage == .accepted else { return [] }
        return note(running, .progress, .ok, executions: entry.executions)
    }

    /// Ends the running action and starts the next one.
    mutating func finish(isLate: Bool) -> [ModelAck] {
        guard let ended = running else { return [] }
        running = nil
        var acks = end(ended, .succeeded, .ok)
        guard !waiting.isEmpty else { return acks }
        let next = waiting.removeFirst()
        if isLate { return acks + end(next, .expired, .expired) }
        running = next
        effects.append(next)
        acks += note(next, .progress, .ok, executions: 1)
        return acks
    }

    /// Starts again: what was not at its end is interrupted.
    mutating func restart() -> [ModelAck] {
        boot += 1
        running = nil
        waiting = []
        return record.indices.flatMap { command -> [ModelAck] in
            guard let entry = record[command], !entry.stage.isFinal else { return [] }
            return end(command, .failed, .interrupted)
        }
    }

    /// Answers a question; `nil` stands for `never`.
    mutating func answer(about command: Int) -> ModelAck? {
        guard let entry = record[command] else {
            promises[command] = true
            return nil
        }
        return ModelAck(command, entry, boot, isReplay: true)
    }

    private mutating func end(_ command: Int, _ stage: AckStage, _ code: AckCode) -> [ModelAck] {
        note(command, stage, code, executions: record[command]?.executions ?? 0)
    }

    private mutating func note(
        _ command: Int, _ stage: AckStage, _ code: AckCode, executions: Int
    ) -> [ModelAck] {
        let entry = Entry(
            stage: stage, n: (record[command]?.n ?? 0) + 1, executions: executions, code: code)
        record[command] = entry
        return [ModelAck(command, entry, boot, isReplay: false)]
    }
}

/// An ack on its way.
struct ModelAck: Hashable, Sendable {
    let command: Int
    let entry: ModelDevice.Entry
    let boot: Int
    let isReplay: Bool

    init(_ command: Int, _ entry: ModelDevice.Entry, _ boot: Int, isReplay: Bool) {
        self.command = command
        self.entry = entry
        self.boot = boot
        self.isReplay = isReplay
    }

    /// What the controller's state machine reads of it.
    struct Content: Hashable, Sendable {
        let command: Int
        let stage: AckStage
        let n: Int
        let boot: Int
    }

    var content: Content { Content(command: command, stage: entry.stage, n: entry.n, boot: boot) }

    /// What the channel makes of it.
    func evidence(for intent: CommandIntent) -> CommandEvidence {
        CommandEvidence(
            id: intent.id, device: intent.device, source: .device, stage: entry.stage,
            code: entry.code, boot: BootID(rawValue: "b\(boot)"), n: entry.n,
            executions: entry.executions, isReplay: isReplay)
    }
}
