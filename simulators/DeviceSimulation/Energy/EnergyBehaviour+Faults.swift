import DeviceDomain
import DeviceMessages

extension EnergyBehaviour {
    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault.name == .hardwareFault { breakDown(noting: &occurrences) }
        if fault.name == .overTemperature {
            heat(to: fault.value(of: .powerPercent) / 100, noting: &occurrences)
        }
        if fault.name == .gridOutage {
            home.setOutage(true, at: device)
            noteOccurrences(&occurrences)
        }
        if fault.name == .meterLost {
            home.setMeterLost(true, at: device)
            noteOccurrences(&occurrences)
        }
    }

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault == .hardwareFault {
            store.limits.isDefective = false
            store.feelTemperature()
        }
        if fault == .overTemperature {
            store.limits.heatShare = nil
            store.feelTemperature()
        }
        if fault == .gridOutage {
            home.setOutage(false, at: device)
            noteOccurrences(&occurrences)
        }
        if fault == .meterLost { home.setMeterLost(false, at: device) }
    }

    /// What is wrong with the store or its home, as the state reports it.
    var alarms: [String] {
        var alarms: [String] = []
        if home.hasOutage { alarms.append(Self.gridOutage) }
        if store.limits.isDefective { alarms.append(SimulatedFault.hardwareFault.rawValue) }
        if home.isSheddingLoad { alarms.append(Self.loadShed) }
        if home.meterLink.isLost { alarms.append(SimulatedFault.meterLost.rawValue) }
        alarms += store.alarms.codes
        return alarms
    }

    /// The alarm of a home that is off the grid without having asked for it.
    static let gridOutage = SimulatedFault.gridOutage.rawValue
    /// The alarm of an island whose load is larger than what its stores give.
    static let loadShed = "load-shed"

    private mutating func breakDown(noting occurrences: inout [BehaviourOccurrence]) {
        guard !store.limits.isDefective else { return }
        let blockage = Blockage.hardwareFault
        store.limits.isDefective = true
        store.feelTemperature()
        store.transfer = nil
        occurrences.append(.actionEnded(.failed(blockage.ackCode, message: blockage.message)))
        occurrences.append(.event(blockage.event, detail: ["code": .string(blockage.code)]))
    }

    /// Heats the store as far as no more than this share of its power is left, and holds it there.
    private mutating func heat(to share: Double, noting occurrences: inout [BehaviourOccurrence]) {
        let celsius = TemperatureDerating.celsius(leaving: share)
        store.limits.heatShare = share
        store.battery.thermal.restore(celsius: max(StoreConstants.hot.value, celsius))
        store.feelTemperature()
        noteOccurrences(&occurrences)
    }
}
