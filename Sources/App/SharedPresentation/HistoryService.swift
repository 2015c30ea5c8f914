public import DeviceDomain
public import History

/// What was kept of the devices of a home, as view models need it. A home that keeps nothing has nothing.
public protocol HistoryService: Sendable {
    /// What was kept of a device before the app ran: charts and trails begin with it.
    func earlierSamples(of device: DeviceID) async throws(Failure) -> EarlierSamples
    /// When the first sample of a device that is kept was taken; `nil` where none is.
    func firstSample(of device: DeviceID) async throws(Failure) -> Timestamp?
    /// The means of a device in periods of equal length from a moment on and before another, oldest first.
    /// - Parameter length: of a period, at least 1 ms.
    func means(
        of device: DeviceID, from start: Timestamp, to end: Timestamp, every length: Duration
    ) async throws(Failure) -> [RecordedSample]
    /// The facts about a device from a moment on and before another, oldest first.
    func facts(
        of device: DeviceID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> [RecordedFact]
}

extension HistoryService {
    public func earlierSamples(of device: DeviceID) async throws(Failure) -> EarlierSamples {
        EarlierSamples()
    }

    public func firstSample(of device: DeviceID) async throws(Failure) -> Timestamp? { nil }

    public func means(
        of device: DeviceID, from start: Timestamp, to end: Timestamp, every length: Duration
    ) async throws(Failure) -> [RecordedSample] { [] }

    public func facts(
        of device: DeviceID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> [RecordedFact] { [] }
}

/// What was kept of a device, up to its newest sample; oldest first.
public struct EarlierSamples: Hashable, Sendable {
    /// The samples of the last hour.
    public var lastHour: [RecordedSample]
    /// The means of five minutes of the last day.
    public var lastDay: [RecordedSample]

    public init(lastHour: [RecordedSample] = [], lastDay: [RecordedSample] = []) {
        self.lastHour = lastHour
        self.lastDay = lastDay
    }
}
