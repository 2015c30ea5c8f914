package import DeviceDomain
import DeviceMessages

extension EnergyBehaviour {
    /// The state of charge at which the home is not cut off the grid any more, in percent.
    private static let leastPercentForIsland = 5.0

    package func admission(of action: CommandName) -> ActionAdmission { .atOnce }

    package func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation) {
        if let powerW = request.arguments["powerW"]?.number, powerW <= 0 {
            throw ArgumentViolation(path: "powerW", reason: "must be above 0")
        }
    }

    package func stateRefusal(
        of request: BehaviourRequest, running: CommandName?
    ) -> BehaviourRefusal? {
        guard request.name == .charge || request.name == .discharge else { return nil }
        if running == request.name {
            return BehaviourRefusal(.busy, "a \(request.name.rawValue) runs already; stop it first")
        }
        return isOnGrid ? nil : .wrongState("off the grid the home decides the power")
    }

    package func safetyRefusal(of request: BehaviourRequest) -> BehaviourRefusal? {
        let until = request.arguments["untilPercent"]?.number
        switch request.name {
        case .charge where (until ?? 0) > chargeLimitPercent:
            return BehaviourRefusal(.unsafe, "the charge limit is \(Int(chargeLimitPercent)) %")
        case .discharge where (until ?? 100) < reservePercent:
            return BehaviourRefusal(.unsafe, "the reserve is \(Int(reservePercent)) %")
        case .setIslanding where request.arguments["enabled"] == true && isAlmostEmpty:
            return BehaviourRefusal(.unsafe, "at \(Int(percent)) % the home would go dark")
        default: return nil
        }
    }

    private var isAlmostEmpty: Bool { percent < Self.leastPercentForIsland }

    package mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) -> JSONValue {
        switch request.name {
        case .setMode:
            defer {
                mode = request.arguments["mode"]?.string.flatMap(EnergyStore.Mode.init) ?? mode
            }
            return .string(mode.rawValue)
        case .setChargeLimit:
            defer {
                chargeLimitPercent = request.arguments["percent"]?.number ?? chargeLimitPercent
            }
            return .number(chargeLimitPercent)
        case .setReserve:
            defer { reservePercent = request.arguments["percent"]?.number ?? reservePercent }
            return .number(reservePercent)
        case .setIslanding:
            defer { setIsland(request.arguments["enabled"] == true, noting: &occurrences) }
            return .boolean(!isOnGrid)
        default:
            return .null
        }
    }

    private mutating func setIsland(
        _ isIsland: Bool, noting occurrences: inout [BehaviourOccurrence]
    ) {
        guard isIsland == isOnGrid else { return }
        isOnGrid = !isIsland
        isSheddingLoad = false
        occurrences.append(.event(isIsland ? .gridLost : .gridRestored, detail: [:]))
        guard isIsland, transfer != nil else { return }
        transfer = nil
        occurrences.append(
            .actionEnded(.failed(.notReady, message: "the home was cut off the grid")))
    }

    package mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {}

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        transfer = EnergyTransfer(request, from: percent)
        endTransferIfDone(noting: &occurrences)
    }

    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        transfer = nil
    }

    /// Ends the transfer if its target is reached.
    mutating func endTransferIfDone(noting occurrences: inout [BehaviourOccurrence]) {
        guard let transfer, isDone(transfer) else { return }
        self.transfer = nil
        let result: JSONObject = ["stateOfChargePercent": .number(percent.rounded(decimals: 1))]
        occurrences.append(.actionEnded(.succeeded(result: result)))
    }

    private func isDone(_ transfer: EnergyTransfer) -> Bool {
        let target = target(of: transfer)
        switch transfer.direction {
        case .charge: return percent >= target - Self.tolerancePercent
        case .discharge: return percent <= target + Self.tolerancePercent
        }
    }

    /// The rounding of the integration that counts as done, in percent of the charge.
    private static let tolerancePercent = 1e-6

    /// The state of charge at which a transfer ends, in percent.
    func target(of transfer: EnergyTransfer) -> Double {
        switch transfer.direction {
        case .charge: min(transfer.untilPercent ?? 100, chargeLimitPercent)
        case .discharge: max(transfer.untilPercent ?? 0, reservePercent)
        }
    }
}
