package import DeviceDomain

/// Which part of a device carries a fault out.
enum FaultHandler: Hashable, Sendable {
    /// Its connection: it is lost, and made again at the end.
    case connection
    /// The network between it and its broker (``LinkFaults``).
    case link
    /// The way of its acks to the connection (``MessagePath``).
    case acks
    /// The way of all of its messages; a device announces itself at the begin and at the end.
    case messages
    /// Its start: it starts anew.
    case start
    /// Its supply: it is off, and starts anew at the end.
    case supply
    /// The behaviour of its kind.
    case behaviour
}

/// A fault as the table has it.
struct FaultEntry: Sendable {
    /// What people are told of it.
    let possible: PossibleFault
    /// Who carries it out.
    let handler: FaultHandler

    fileprivate init(
        _ fault: SimulatedFault, _ effect: String, taking parameters: [FaultParameter] = [],
        lasts: Bool = true, by handler: FaultHandler = .behaviour
    ) {
        // A fault that no kind names is one of every kind.
        let kinds = BehaviourCatalog.standard.kinds.filter { $0.faults.contains(fault) }
        possible = PossibleFault(
            name: FaultName(rawValue: fault.rawValue),
            kinds: kinds.isEmpty ? DeviceKind.simulated : kinds.map(\.kind), effect: effect,
            lasts: lasts, parameters: parameters)
        self.handler = handler
    }

    /// A fault that keeps sweeping robots from working.
    fileprivate static func ofSweeper(_ fault: SimulatedFault, _ cause: String) -> Self {
        let isStopped = Blockage.ofSweeper(by: fault)?.event == .stuck
        return Self(fault, "\(cause): as \(isStopped ? "stuck" : "hardware-fault")")
    }
}

extension PossibleFault {
    /// Whether devices of every kind can have it.
    package var isForEveryKind: Bool { kinds == DeviceKind.simulated }
}

extension DeviceKind {
    /// The kinds that can be simulated.
    static let simulated = BehaviourCatalog.standard.kinds.map(\.kind)
}

extension SimulatedFault {
    /// The faults that devices of a kind can have.
    package static func faults(of kind: DeviceKind) -> [SimulatedFault] {
        allCases.filter { $0.specification.kinds.contains(kind) }
    }

    /// Who can have the fault, what `--set` can say about it, and what it does.
    package var specification: PossibleFault { entry.possible }

    /// Who can have the fault, what `--set` can say about it, what it does, in words that fit into a line of
    /// help, and who carries it out.
    var entry: FaultEntry {
        switch self {
        case .offline:
            .init(
                self, "loses its connection without a goodbye; connects again at the end",
                by: .connection)
        case .mute:
            .init(
                self, "takes commands but sends no acknowledgement; sends them at the end",
                by: .acks)
        case .slow:
            .init(self, "sends every acknowledgement late", taking: [.delayMs], by: .acks)
        case .duplicateAcks:
            .init(
                self, "sends acknowledgements twice", taking: [.percent(usually: 100)], by: .acks)
        case .lateAcks:
            .init(
                self, "sends each acknowledgement after a time that is drawn for it",
                taking: [.leastMs, .mostMs], by: .acks)
        case .dropAcks:
            .init(
                self, "acknowledgements are lost for good, also after the end",
                taking: [.percent(usually: 50)], by: .acks)
        case .reorder:
            .init(
                self, "messages leave after the next one of their sort, or after 5 s",
                taking: [.percent(usually: 50)], by: .messages)
        case .replay:
            .init(
                self, "sends one of its last 16 messages again",
                taking: [.percent(usually: 20)], by: .messages)
        case .truncate:
            .init(
                self, "payloads end too early", taking: [.percent(usually: 20)], by: .messages)
        case .wrongPayload:
            .init(
                self, "a member of a payload has the wrong type",
                taking: [.percent(usually: 20)], by: .messages)
        case .frozenState:
            .init(self, "never updates its state; publishes the true one at the end", by: .messages)
        case .unknownError:
            .init(self, "its state has an error code that no table has", by: .messages)
        case .clockOffset:
            .init(self, "its clock is wrong by this", taking: [.offsetMs], by: .messages)
        case .clockDrift:
            .init(self, "its clock is too fast by this", taking: [.partsPerMillion], by: .messages)
        case .clockStep:
            .init(
                self, "its clock jumps by this, back after as long, and so on",
                taking: [.stepMs, .everySeconds], by: .messages)
        case .rebootLoop:
            .init(
                self, "starts anew at once, and again and again", taking: [.everySeconds],
                by: .start)
        case .batteryDead:
            .init(
                self, "is off, without a goodbye; starts anew at the end with its charge",
                by: .supply)
        case .sensorStuck:
            .init(self, "its sensors show what they showed first", by: .messages)
        case .sensorNoise:
            .init(
                self, "its sensors show up to this more or less", taking: [.noisePercent],
                by: .messages)
        case .sensorDrift:
            .init(
                self, "its sensors show more from hour to hour", taking: [.percentPerHour],
                by: .messages)
        case .hardwareFault:
            .init(self, "a part is defective: a running action fails, new ones are rejected")
        case .reboot:
            .init(
                self, "starts anew with a new boot id; a running action is interrupted",
                lasts: false, by: .start)
        case .stuck:
            .init(
                self, "cannot move: a running action fails, new ones are rejected")
        case .lowBattery:
            .init(
                self, "the battery holds no more than this",
                taking: [.batteryPercent])
        case .brushBlocked:
            .init(
                self, "the main brush is blocked: a running action fails, new ones are rejected")
        case .binFull:
            .init(
                self, "the dustbin is full: a running action fails, new ones are rejected")
        case .sideBrushBlocked: .ofSweeper(self, "the side brush is blocked")
        case .bumperStuck: .ofSweeper(self, "the bumper is pressed in")
        case .lidarBlocked: .ofSweeper(self, "the laser does not turn")
        case .cliff: .ofSweeper(self, "stands at an edge")
        case .trapped: .ofSweeper(self, "finds no way")
        case .binMissing: .ofSweeper(self, "the dustbin is missing")
        case .filterBlocked: .ofSweeper(self, "the filter is clogged")
        case .dockNotFound: .ofSweeper(self, "does not find its dock")
        case .dockNoPower:
            .init(self, "its dock does not charge; it can still be sent to clean")
        case .batteryTemperature: .ofSweeper(self, "the battery is too hot or cold")
        case .outOfWater:
            .init(
                self, "stands beside the pool: a running program fails after 30 s")
        case .overTemperature:
            .init(
                self, "is too hot: no more than this share of its power is left",
                taking: [.powerPercent])
        case .gridOutage:
            .init(
                self, "its home has no grid: the stores supply it, charges and discharges end")
        case .meterLost:
            .init(self, "the meter of its home does not answer: stores follow neither sun nor load")
        case .reset:
            .init(
                self, "the network resets its connection; connects again", lasts: false, by: .link)
        case .blackhole:
            .init(
                self, "nothing gets through in either direction; it does at the end", by: .link)
        case .halfOpen:
            .init(self, "the broker's side of its connection is gone, it does not know", by: .link)
        case .slowLink: .init(self, "its network is slow", taking: [.bytesPerSecond], by: .link)
        case .latency:
            .init(
                self, "all that it sends or gets arrives late",
                taking: [.linkDelayMs, .jitterMs], by: .link)
        case .loss:
            .init(
                self, "packets are lost and sent again, the next ones wait", taking: [.lossPercent],
                by: .link)
        case .takeover:
            .init(self, "another client uses its id, and takes it back each time", by: .link)
        }
    }
}
