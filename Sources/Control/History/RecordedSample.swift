public import DeviceDomain

/// A sample of telemetry as it is kept, or a mean of several.
public struct RecordedSample: Hashable, Sendable {
    /// When it was taken by the device's clock, or received where the device does not say (world clock). For a
    /// mean the beginning of its period.
    public var at: Timestamp
    /// The signals. A mean has numbers only.
    public var values: JSONObject
    /// The boot of the device; `nil` on channels without boot ids, and for a mean.
    public var boot: BootID?
    /// The number of the sample in that boot; `nil` where the channel counts none, and for a mean.
    public var n: Int?
    /// Whether it is a mean.
    public var isMean: Bool

    public init(
        at: Timestamp, values: JSONObject, boot: BootID? = nil, n: Int? = nil, isMean: Bool = false
    ) {
        self.at = at
        self.values = values
        self.boot = boot
        self.n = n
        self.isMean = isMean
    }
}

/// What tells a sample of a device from every other one of it. Two writers that hear the same sample agree on it.
package struct SampleKey: Hashable, Comparable, Sendable {
    package let at: Int
    /// Empty without a boot.
    package let boot: String
    /// 0 without a number.
    package let n: Int

    package init(_ sample: RecordedSample) {
        at = sample.at.milliseconds
        boot = sample.boot?.text ?? ""
        n = sample.n ?? 0
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.at, left.boot, left.n) < (right.at, right.boot, right.n)
    }
}

extension [RecordedSample] {
    /// In the order of their keys. One function: each closure would be one more copy of the algorithm.
    package var inOrder: [RecordedSample] { sorted { SampleKey($0) < SampleKey($1) } }
}

/// A fact about a device that is kept.
public struct RecordedFact: Hashable, Sendable {
    /// What kind of fact it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The device could be reached from then on, or no longer: ``RecordedFact/name`` is `online` or `offline`.
        case presence
        /// An event of the device, of that name.
        case event
    }

    /// When it was, by the clock of who reported it, else when it was received.
    public var at: Timestamp
    /// What kind of fact it is.
    public var kind: Kind
    /// What happened.
    public var name: String
    /// The event's own id; empty where it has none.
    public var id: String
    /// More about an event.
    public var detail: JSONObject

    public init(
        at: Timestamp, kind: Kind, name: String, id: String = "", detail: JSONObject = [:]
    ) {
        self.at = at
        self.kind = kind
        self.name = name
        self.id = id
        self.detail = detail
    }
}

/// A device of a home, as a history knows it.
public struct RecordedDevice: Hashable, Comparable, Sendable {
    /// Its home.
    public let home: HomeID
    /// The device.
    public let device: DeviceID

    public init(_ device: DeviceID, in home: HomeID) {
        self.home = home
        self.device = device
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.home, left.device) < (right.home, right.device)
    }
}

/// What happened in homes since the last batch.
public struct HistoryBatch: Sendable {
    /// The samples of each device, in the order in which they were heard.
    public var samples: [RecordedDevice: [RecordedSample]] = [:]
    /// The facts about each device, in the order in which they were heard.
    public var facts: [RecordedDevice: [RecordedFact]] = [:]

    public init() {}
}
