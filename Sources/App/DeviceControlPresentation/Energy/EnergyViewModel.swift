internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import History
internal import HomeModel
public import Observation
public import SharedPresentation

/// The power of the home now, and its energy over a time.
@MainActor @Observable
public final class EnergyViewModel {
    /// What is shown of this moment.
    public struct Content: Hashable, Sendable {
        /// Where the power comes from and goes to now.
        public let flow: EnergyFlow
        /// The devices that store energy.
        public let stores: [DeviceSummary]
        /// When the flow was heard last (wire clock), where a store cannot be reached now; `nil` while all
        /// are online.
        public let heardLast: Timestamp?
    }

    @ObservationIgnored private let services: DeviceControlServices

    init(_ services: DeviceControlServices) { self.services = services }

    private var memory: HomeMemory { services.memory }

    private var stores: [DeviceMemory] {
        memory.allDevices.filter {
            $0.known.profile?.capabilities.contains(.energyStorage) == true
                && $0.known.telemetry != nil
        }
    }

    /// What the screen shows; empty where nothing measures the power of the home.
    public var state: ScreenState<Content> {
        let stores = stores
        guard !stores.isEmpty else {
            if let failure = memory.storageFailure { return .failed(failure) }
            return memory.isRecalled ? .empty : .loading
        }
        return .content(
            Content(
                flow: EnergyFlow(stores), stores: stores.map(\.summary),
                heardLast: stores.compactMap(\.summary.heardLast).min()))
    }

    /// The energy of the home over a time, from what was kept; where nothing was, from what was heard since the app
    /// runs.
    /// - Parameter stepsBack: how many times of this length before the newest one; 0 or more.
    /// - Returns: `nil` where nothing measures it, or nothing was measured yet.
    public func report(
        over range: EnergyRange, _ stepsBack: Int = 0
    ) async throws(Failure) -> EnergyReport? {
        let stores = stores
        guard let newest = stores.compactMap(\.sampledAt).max() else { return nil }
        let period = EnergyPeriod(range, stepsBack, before: newest, in: services.calendar)
        var readings = EnergyReport.Readings()
        for store in stores {
            let kept = try await memory.service.firstSample(of: store.id)
            readings.first = [readings.first, kept].compactMap(\.self).min()
            readings.stores.append(try await samples(of: store, kept, over: period))
        }
        readings.meter = readings.stores.first ?? []
        return EnergyReport(readings, over: period, in: services.calendar, at: services.tariff)
    }

    /// What a store has measured over a time, and the means before and after it, with which counters are compared.
    /// - Parameter kept: when its first sample that is kept was taken.
    private func samples(
        of store: DeviceMemory, _ kept: Timestamp?, over period: EnergyPeriod
    ) async throws(Failure) -> [EnergyReport.Sample] {
        let (span, length) = (period.span, Duration.milliseconds(period.reading))
        let first = span.lowerBound.advanced(by: .zero - length)
        guard let kept else { return store.heard(since: first) + store.newest(in: span) }
        var samples = try await means(
            of: store, from: first, to: span.upperBound.advanced(by: length),
            length: period.reading)
        for end in period.ends(from: kept) {
            let finer = try await means(
                of: store, from: end.span.lowerBound, to: end.span.upperBound, length: end.reading)
            samples = samples.filter { !end.span.contains($0.at) } + finer
        }
        samples.sort { $0.at < $1.at }
        let end = samples.last.map { $0.at.advanced(by: .milliseconds($0.length)) }
        // What was heard and is not written yet.
        return samples + store.heard(since: end ?? span.lowerBound) + store.newest(in: span)
    }

    private func means(
        of store: DeviceMemory, from start: Timestamp, to end: Timestamp, length: Int
    ) async throws(Failure) -> [EnergyReport.Sample] {
        let means = try await memory.service.means(
            of: store.id, from: start, to: end, every: .milliseconds(length))
        return means.map { EnergyReport.Sample(at: $0.at, values: $0.values, length: length) }
    }
}

extension DeviceMemory {
    /// What was heard since the app runs, up to a day.
    fileprivate func heard(since start: Timestamp) -> [EnergyReport.Sample] {
        var values: [Timestamp: JSONObject] = [:]
        let signals: [Signal] = [
            .pvPowerW, .gridPowerW, .loadPowerW, .batteryPowerW, .chargedKWh, .dischargedKWh,
        ]
        for signal in signals {
            for point in samples[signal.rawValue]?.upToADay ?? [] where point.at >= start {
                values[point.at, default: [:]][signal] = .number(point.value)
            }
        }
        return values.map { EnergyReport.Sample(at: $0, values: $1, length: 0) }
            .sorted { $0.at < $1.at }
    }

    /// The newest sample, where it is of a time.
    fileprivate func newest(in span: ClosedRange<Timestamp>) -> [EnergyReport.Sample] {
        guard let at = sampledAt, span.contains(at), let telemetry = known.telemetry else {
            return []
        }
        return [EnergyReport.Sample(at: at, values: telemetry.values, length: 0)]
    }
}
