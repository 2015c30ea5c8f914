package import DeviceDomain

extension PossibleFault {
    fileprivate init(
        _ fault: SimulatedFault, _ effect: String, taking parameters: [FaultParameter] = [],
        lasts: Bool = true
    ) {
        // A fault that no kind names is one of every kind.
        let kinds = BehaviourCatalog.standard.kinds.filter { $0.faults.contains(fault) }
        self.init(
            name: FaultName(rawValue: fault.rawValue),
            kinds: kinds.isEmpty ? DeviceKind.simulated : kinds.map(\.kind), effect: effect,
            lasts: lasts, parameters: parameters)
    }

    /// A fault that keeps sweeping robots from working.
    fileprivate static func ofSweeper(_ fault: SimulatedFault, _ cause: String) -> Self {
        Self(fault, "\(cause): as hardware-fault")
    }

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

    /// Who can have the fault, what `--set` can say about it, and what it does, in words that fit into a line of
    /// help.
    package var specification: PossibleFault {
        switch self {
        case .offline:
            .init(self, "loses its connection without a goodbye; connects again at the end")
        case .mute:
            .init(self, "takes commands but sends no acknowledgement; sends them at the end")
        case .slow:
            .init(self, "sends every acknowledgement late", taking: [.delayMs])
        case .hardwareFault:
            .init(self, "a part is defective: a running action fails, new ones are rejected")
        case .reboot:
            .init(
                self, "starts anew with a new boot id; a running action is interrupted",
                lasts: false)
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
            .init(self, "the network resets its connection; connects again", lasts: false)
        case .blackhole:
            .init(self, "nothing gets through in either direction; it does at the end")
        case .halfOpen:
            .init(self, "the broker's side of its connection is gone, it does not know")
        case .slowLink: .init(self, "its network is slow", taking: [.bytesPerSecond])
        case .latency:
            .init(
                self, "all that it sends or gets arrives late",
                taking: [.linkDelayMs, .jitterMs])
        case .loss:
            .init(
                self, "packets are lost and sent again, the next ones wait", taking: [.lossPercent])
        case .takeover:
            .init(self, "another client uses its id, and takes it back each time")
        }
    }
}
