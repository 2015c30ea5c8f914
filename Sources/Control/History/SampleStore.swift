public import DeviceDomain

/// Keeps what happened in homes: samples of telemetry, presence and events of their devices.
///
/// A sample is known by its device, its stamp, boot and number (``SampleKey``), so that several writers may hear the
/// same home and nothing is kept twice. Samples may come in any order. What is too old goes; a store in a
/// file makes means of it first (``HistoryTier``).
public protocol SampleStore: Sendable {
    /// Keeps a batch, whole or not at all.
    func add(_ batch: HistoryBatch) async throws(HistoryError)
    /// Does one small step of upkeep: makes means, and removes what is too old.
    /// - Parameter now: what the wall clock shows.
    /// - Returns: whether there is more to do.
    func maintain(at now: Timestamp) async throws(HistoryError) -> Bool
    /// What is kept of a device from a moment on and before another, oldest first: samples where they are kept, and
    /// in a file the means of five minutes before that, and those of hours before these.
    func samples(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedSample]
    /// The means of a device in periods of equal length, which begin at multiples of it since the epoch; a period
    /// that begins or ends outside what is asked for is whole. Where only longer means are kept, a period has
    /// those that begin in it. Periods without a sample are left out.
    /// - Parameter length: of a period, in milliseconds; at least 1.
    func means(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>, length: Int
    ) async throws(HistoryError) -> [RecordedSample]
    /// The facts about a device from a moment on and before another, oldest first.
    func facts(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedFact]
    /// When the first and the last sample of a device were taken; `nil` where none is kept.
    func span(
        of device: DeviceID, in home: HomeID
    ) async throws(HistoryError) -> ClosedRange<Timestamp>?
}

/// How finely samples are kept, and for how long.
public enum HistoryTier: Int, Hashable, Sendable, CaseIterable {
    /// Each sample, for a day.
    case samples = 0
    /// Means of five minutes, for a month.
    case fiveMinutes = 1
    /// Means of an hour, for a year.
    case hours = 2

    /// The length of the period of a mean in milliseconds; 1 for samples.
    package var resolution: Int {
        switch self {
        case .samples: 1
        case .fiveMinutes: 300_000
        case .hours: 3_600_000
        }
    }

    /// Over how many milliseconds the samples or means are stored together.
    package var blockLength: Int {
        switch self {
        case .samples: 3_600_000
        case .fiveMinutes: 86_400_000
        case .hours: 16 * 86_400_000
        }
    }

    /// How long a block is kept, in milliseconds: the whole of a day, of 31 days, of 366 days.
    package var age: Int {
        switch self {
        case .samples: 86_400_000
        case .fiveMinutes: 31 * 86_400_000
        case .hours: 366 * 86_400_000
        }
    }

    /// The most blocks of a device, whatever its clock shows.
    package var mostBlocks: Int { age / blockLength + 3 }
}

/// What is kept could not be written or read; nothing is half done.
public struct HistoryError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file cannot be made, written or read.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The file was damaged; a writer has moved it aside.
        public static let damaged = Code(rawValue: "damaged")
        /// The file was written by a newer version.
        public static let newerSchema = Code(rawValue: "newer-schema")
        /// There is no room left.
        public static let full = Code(rawValue: "full")
        /// The database cannot be reached.
        public static let unreachable = Code(rawValue: "unreachable")
        /// Another process held the file for too long.
        public static let busy = Code(rawValue: "busy")
        /// Something else.
        public static let failed = Code(rawValue: "failed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The message of the lower layer, if it had one.
    public let underlying: String?

    public init(_ code: Code, _ message: String, underlying: String? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    public var description: String { underlying.map { "\(message) (\($0))" } ?? message }
}
