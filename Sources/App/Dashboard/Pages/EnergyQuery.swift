internal import DeviceControlPresentation
internal import SharedPresentation

/// Which time the page of energy is about, as its address says: `range=week&back=2`.
struct EnergyQuery: Hashable, Sendable {
    /// More hours than a year has; nothing is kept for longer.
    private static let mostSteps = 10_000

    let range: EnergyRange
    /// How many times of this length before the newest one.
    let stepsBack: Int

    init(_ range: EnergyRange, _ stepsBack: Int = 0) {
        self.range = range
        self.stepsBack = stepsBack
    }

    /// The last day where an address names no time.
    init(_ query: FormValues) {
        let steps = query["back"].flatMap { Int($0) } ?? 0
        self.init(
            query["range"].flatMap(EnergyRange.init) ?? .day, min(max(steps, 0), Self.mostSteps))
    }

    var text: String { "range=\(range.rawValue)" + (stepsBack > 0 ? "&back=\(stepsBack)" : "") }

    /// The path of the values of the charts.
    static let file = "\(Route.energy.path).csv"

    /// The address of the values of the charts.
    var fileAddress: String { "\(Self.file)?\(text)" }

    /// The address of the charts of the page.
    var address: String { "\(Route.energy.path)?\(text)#over-time" }
}
