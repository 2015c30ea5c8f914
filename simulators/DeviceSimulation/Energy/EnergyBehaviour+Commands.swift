package import DeviceDomain
import DeviceMessages

extension EnergyBehaviour {
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
        if store.limits.isDefective {
            return .wrongState("the store is defective; have it repaired")
        }
        if store.alarms.contains(.contactorOpen) {
            return .wrongState("the contactor is open; wait until the store has cooled")
        }
        guard !home.isOnGrid else { return nil }
        let remedy =
            home.isIslanded ? "set-islanding enabled=false first" : "wait until the grid is back"
        return .wrongState("off the grid the load of the home sets the power; \(remedy)")
    }

    package func safetyRefusal(of request: BehaviourRequest) -> BehaviourRefusal? {
        let until = request.arguments["untilPercent"]?.number
        switch request.name {
        case .charge where (until ?? 0) > store.chargeLimitPercent:
            return BehaviourRefusal(
                .unsafe, "the charge limit is \(Int(store.chargeLimitPercent)) %")
        case .discharge where (until ?? 100) < store.reservePercent:
            return BehaviourRefusal(.unsafe, "the reserve is \(Int(store.reservePercent)) %")
        case .setIslanding where request.arguments["enabled"] == true && isAlmostEmpty:
            return BehaviourRefusal(
                .unsafe,
                "at \(Int(store.percent)) % the store cannot supply the home; charge it first")
        default: return nil
        }
    }

    private var isAlmostEmpty: Bool { store.percent <= StoreConstants.lowestPercent.value }

    package mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) -> JSONValue {
        let (arguments, previous) = (request.arguments, store)
        let percent = arguments["percent"]?.number
        switch request.name {
        case .setMode:
            store.mode = arguments["mode"]?.string.flatMap(EnergyStore.Mode.init) ?? previous.mode
            return .string(previous.mode.rawValue)
        case .setChargeLimit:
            store.chargeLimitPercent = percent ?? previous.chargeLimitPercent
            return .number(previous.chargeLimitPercent)
        case .setReserve:
            store.reservePercent = percent ?? previous.reservePercent
            return .number(previous.reservePercent)
        case .setIslanding:
            let wasIsland = home.isIslanded
            home.setIsland(arguments["enabled"] == true)
            noteOccurrences(&occurrences)
            return .boolean(wasIsland)
        default:
            return .null
        }
    }

    package mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {}

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        store.transfer = EnergyTransfer(request, from: store.percent)
        store.endTransferIfDone()
        noteOccurrences(&occurrences)
    }

    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        store.transfer = nil
    }
}
