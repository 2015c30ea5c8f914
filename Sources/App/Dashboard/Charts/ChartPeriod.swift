internal import DeviceDomain
internal import SharedPresentation

/// How far back charts reach.
enum ChartPeriod: Hashable, Sendable {
    case hour, day

    /// The shortest period that is drawn, in milliseconds.
    private static let shortest = 5 * 60_000

    /// What is drawn: the whole period, or as much of it as the samples fill. Charts that stand together
    /// have one period.
    func range(to end: Timestamp, of series: [[SamplePoint]]) -> ClosedRange<Timestamp> {
        let longest = self == .hour ? 3_600_000 : 86_400_000
        let first = series.compactMap { $0.first?.at.milliseconds }.min() ?? end.milliseconds
        let length = min(max(end.milliseconds - first, Self.shortest), longest)
        return Timestamp(milliseconds: end.milliseconds - length)...end
    }
}

extension SignalUnit {
    /// The smallest range of values that a chart shows, so that noise is not drawn as large as the signal.
    var smallestSpan: Double {
        switch self {
        case .watts: 100
        case .lux, .degrees, .minutes, .seconds, .percent: 10
        case .volts, .hectopascals: 5
        case .degreesCelsius, .amperes, .squareMetres: 2
        case .metres: 1
        case .kilowattHours: 0.1
        }
    }
}
