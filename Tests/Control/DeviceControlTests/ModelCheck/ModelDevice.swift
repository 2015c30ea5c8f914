import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// A device that follows PROTOCOL section 3: a record of every command, and one execution.
///
/// It keeps what it has said: each of its acks may arrive at any later time, once, often or never.
struct ModelDevice: Hashable, Sendable {
    /// The latest ack of a command, as the device has recorded it.
    struct Entry: Hashable, Sendable {
        var stage: AckStage
        var n: Int
        var executions: Int
        var code: AckCode
    }

    /// The acks of each command, in their order; the last one is the device's record.
    private(set) var said: [[ModelAck]] = [[], []]
    /// Commands for which it has said `never`.
    private(set) var promises = [false, false]
    /// The commands whose effects were started, in order.
    private(set) var effects: [Int] = []
    private(set) var running: Int?
    private(set) var waiting: [Int] = []
    private(set) var boot = 1
    private var lastSetting: Int?

    /// What it has recorded of a command.
    func record(of command: Int) -> Entry? { said[command].last?.entry }

    /// Everything it may be heard to say of a command now, once more or for the first time. After a
    /// restart it repeats its last word in its new boot.
    func words(about command: Int) -> [ModelAck] {
        guard let last = said[command].last, last.boot != boot else { return said[command] }
        return said[command] + [ModelAck(command, last.entry, boot)]
    }

    /// Takes in a command.
    mutating func receive(_ command: Int, of scenario: ModelScenario, isLate: Bool) {
        if record(of: command) != nil, scenario.flaw != .noRecord { return }
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

    private mutating func apply(_ command: Int, of scenario: ModelScenario) {
        let isSame = Set(scenario.intents.map(\.name)).count == 1
        if isSame, let lastSetting, command < lastSetting, scenario.flaw != .noSequence {
            return end(command, .superseded, .superseded)
        }
        lastSetting = command
        return execute(command)
    }

    private mutating func execute(_ command: Int) {
        start(command)
        end(command, .succeeded, .ok)
    }

    private mutating func start(_ command: Int) {
        effects.append(command)
        note(command, .accepted, .ok, executions: 1)
    }

    private mutating func enterLane(_ command: Int) {
        guard running == nil else {
            waiting.append(command)
            return note(command, .accepted, .ok, executions: 0)
        }
        running = command
        start(command)
    }

    private mutating func stop(_ command: Int) {
        start(command)
        if let running { end(running, .cancelled, .cancelled) }
        running = nil
        for waits in waiting { end(waits, .superseded, .superseded) }
        waiting = []
        end(command, .succeeded, .ok)
    }

    /// Reports progress of the running action, once.
    mutating func report() {
        guard let running, let entry = record(of: running), entry.stage == .accepted else { return }
        note(running, .progress, .ok, executions: entry.executions)
    }

    /// Ends the running action and starts the next one.
    mutating func finish(isLate: Bool) {
        guard let ended = running else { return }
        running = nil
        end(ended, .succeeded, .ok)
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        if isLate { return end(next, .expired, .expired) }
        running = next
        effects.append(next)
        note(next, .progress, .ok, executions: 1)
    }

    /// Starts again: what was not at its end is interrupted.
    mutating func restart() {
        boot += 1
        running = nil
        waiting = []
        for command in said.indices where record(of: command)?.stage.isFinal == false {
            end(command, .failed, .interrupted)
        }
    }

    /// Answers a question; `nil` stands for `never`.
    mutating func answer(about command: Int) -> ModelAck? {
        guard let entry = record(of: command) else {
            promises[command] = true
            return nil
        }
        return ModelAck(command, entry, boot)
    }

    private mutating func end(_ command: Int, _ stage: AckStage, _ code: AckCode) {
        note(command, stage, code, executions: record(of: command)?.executions ?? 0)
    }

    private mutating func note(
        _ command: Int, _ stage: AckStage, _ code: AckCode, executions: Int
    ) {
        let entry = Entry(
            stage: stage, n: said[command].count + 1, executions: executions, code: code)
        said[command].append(ModelAck(command, entry, boot))
    }
}

/// An ack on its way.
struct ModelAck: Hashable, Sendable {
    let command: Int
    let entry: ModelDevice.Entry
    let boot: Int

    init(_ command: Int, _ entry: ModelDevice.Entry, _ boot: Int) {
        self.command = command
        self.entry = entry
        self.boot = boot
    }

    /// What the channel makes of it.
    func evidence(for intent: CommandIntent) -> CommandEvidence {
        CommandEvidence(
            id: intent.id, device: intent.device, source: .device, stage: entry.stage,
            code: entry.code, boot: BootID(rawValue: "b\(boot)"), n: entry.n,
            executions: entry.executions)
    }
}
