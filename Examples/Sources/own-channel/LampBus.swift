import Homeport

/// A bus of lamps, as the driver of some hardware would offer it. This one lives in memory, so that the
/// example needs no hardware.
actor LampBus {
    /// What the bus reports by itself.
    enum Report: Sendable {
        /// A lamp is on or off now.
        case lamp(Int, isOn: Bool)
        /// The plug of the bus was put in or pulled out.
        case plug(isIn: Bool)
        /// Something that is no report.
        case noise
    }

    /// Why the bus could not do something; nothing reached a lamp then.
    enum Failure: Error {
        case unplugged, noSuchLamp
    }

    private(set) var lamps: [Int: Bool]
    /// How often a lamp was switched.
    private(set) var switches = 0
    private var isPluggedIn = true
    private var listeners: [Int: @Sendable (Report) -> Void] = [:]
    private var lastListener = 0

    init(lamps: [Int: Bool]) { self.lamps = lamps }

    /// Begins to report: first the plug and every lamp as it is, then what changes.
    func listen(_ listener: @escaping @Sendable (Report) -> Void) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        listener(.plug(isIn: isPluggedIn))
        for (lamp, isOn) in lamps.sorted(by: { $0.key < $1.key }) where isPluggedIn {
            listener(.lamp(lamp, isOn: isOn))
        }
        return lastListener
    }

    func endListening(_ listener: Int) { listeners[listener] = nil }

    /// Switches a lamp.
    func set(_ lamp: Int, isOn: Bool) throws(Failure) {
        guard isPluggedIn else { throw .unplugged }
        guard lamps[lamp] != nil else { throw .noSuchLamp }
        switches += 1
        lamps[lamp] = isOn
        report(.lamp(lamp, isOn: isOn))
    }

    /// Puts the plug in or pulls it out.
    func plug(isIn: Bool) {
        isPluggedIn = isIn
        report(.plug(isIn: isIn))
        guard isIn else { return }
        for (lamp, isOn) in lamps { report(.lamp(lamp, isOn: isOn)) }
    }

    /// Reports what is no report.
    func crackle() { report(.noise) }

    private func report(_ report: Report) {
        for listener in listeners.values { listener(report) }
    }
}
