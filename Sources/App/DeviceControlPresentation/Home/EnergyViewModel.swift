public import DeviceDomain
internal import HomeModel
public import Observation
public import SharedPresentation

/// The power of the home, now and over the day.
@MainActor @Observable
public final class EnergyViewModel {
    /// What is shown.
    public struct Content: Hashable, Sendable {
        /// Where the power comes from and goes to now.
        public let flow: EnergyFlow
        /// The same over the last day, in W.
        public let day: EnergyDay
        /// The devices that store energy.
        public let stores: [DeviceSummary]
        /// When the flow was heard last (wire clock), where a store cannot be reached now; `nil` while all
        /// are online.
        public let heardLast: Timestamp?
    }

    @ObservationIgnored private let memory: HomeMemory

    init(_ memory: HomeMemory) { self.memory = memory }

    /// What the screen shows; empty where nothing measures the power of the home.
    public var state: ScreenState<Content> {
        let stores = memory.allDevices.filter {
            $0.known.profile?.capabilities.contains(.energyStorage) == true
                && $0.known.telemetry != nil
        }
        guard !stores.isEmpty else {
            if let failure = memory.storageFailure { return .failed(failure) }
            return memory.isRecalled ? .empty : .loading
        }
        return .content(
            Content(
                flow: EnergyFlow(stores), day: EnergyDay(stores),
                stores: stores.map(\.summary),
                heardLast: stores.compactMap(\.summary.heardLast).min()))
    }
}

/// The power of a home over the last day in W, oldest first: by 5 min, or by 10 s while not more than
/// an hour is known.
public struct EnergyDay: Hashable, Sendable {
    /// From the sun.
    public let solar: [SamplePoint]
    /// From the grid; negative into it.
    public let grid: [SamplePoint]
    /// What the home uses.
    public let load: [SamplePoint]
    /// Into all batteries; negative out of them.
    public let battery: [SamplePoint]
    /// When the latest sample was taken, by the clock of its device; `nil` for none yet.
    public let end: Timestamp?

    @MainActor
    init(_ stores: [DeviceMemory]) {
        let meter = stores.first
        end = stores.compactMap(\.sampledAt).max()
        solar = meter?.samples[.pvPowerW]?.upToADay ?? []
        grid = meter?.samples[.gridPowerW]?.upToADay ?? []
        load = meter?.samples[.loadPowerW]?.upToADay ?? []
        var sums: [Timestamp: Double] = [:]
        for point in stores.flatMap({ $0.samples[.batteryPowerW]?.upToADay ?? [] }) {
            sums[point.at, default: 0] += point.value
        }
        battery = sums.map { SamplePoint(at: $0.key, value: $0.value) }.sorted { $0.at < $1.at }
    }
}
