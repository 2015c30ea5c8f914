public import DeviceDomain

/// The value of a signal at a moment.
public struct SamplePoint: Hashable, Sendable {
    /// When it was measured (world clock).
    public let at: Timestamp
    /// The value, in the unit of its signal.
    public let value: Double

    public init(at: Timestamp, value: Double) {
        self.at = at
        self.value = value
    }
}

/// A place on a floor, in metres to the east and to the north of the plan's origin.
public struct FloorPoint: Hashable, Sendable {
    /// Metres to the east.
    public let x: Double
    /// Metres to the north.
    public let y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The values of one signal over the last day, thinned so that its size never grows.
public struct SampleSeries: Hashable, Sendable {
    // An hour by 10 s and a day by 5 min: what a chart of some 300 columns can show.
    private var hour = SampleRing(slotMilliseconds: 10_000, slots: 360)
    private var day = SampleRing(slotMilliseconds: 300_000, slots: 288)

    public init() {}

    /// What was kept before, and what was heard since.
    /// - Parameters:
    ///   - lastHour: samples, oldest first; of those that were heard as well, the heard ones count.
    ///   - lastDay: the same for the day.
    ///   - heard: what was heard since; `nil` for nothing.
    init(lastHour: [SamplePoint], lastDay: [SamplePoint], then heard: SampleSeries?) {
        hour.add(lastHour, then: heard?.lastHour ?? [])
        day.add(lastDay, then: heard?.lastDay ?? [])
    }

    /// Adds a sample.
    public mutating func add(_ value: Double, at moment: Timestamp) {
        hour.add(value, at: moment)
        day.add(value, at: moment)
    }

    /// The last hour by 10 s, oldest first.
    public var lastHour: [SamplePoint] { hour.points }
    /// The last day by 5 min, oldest first.
    public var lastDay: [SamplePoint] { day.points }
    /// The last day by 5 min, oldest first; by 10 s while not more than an hour is known.
    public var upToADay: [SamplePoint] {
        let (fine, coarse) = (lastHour, lastDay)
        guard let start = coarse.first?.at, let end = fine.last?.at else { return coarse }
        return end.milliseconds - start.milliseconds < hour.length ? fine : coarse
    }
}

/// The last value of each slot of a period that ends with the newest sample.
struct SampleRing: Hashable, Sendable {
    let slotMilliseconds: Int
    let slots: Int
    private var values: [Double?] = []
    private var newest: Int?

    init(slotMilliseconds: Int, slots: Int) {
        self.slotMilliseconds = slotMilliseconds
        self.slots = slots
    }

    mutating func add(_ value: Double, at moment: Timestamp) {
        let slot = moment.milliseconds / slotMilliseconds
        // After a clock that was set back, or a gap of the whole period, nothing of the former holds.
        if let newest, slot < newest || slot - newest >= slots { clear() }
        if values.isEmpty { values = Array(repeating: nil, count: slots) }
        if let newest {
            for skipped in (newest + 1)..<max(newest + 1, slot) {
                values[skipped % slots] = nil
            }
        }
        values[slot % slots] = value
        newest = slot
    }

    /// Adds earlier points, then those of another ring of the same kind.
    mutating func add(_ earlier: [SamplePoint], then heard: [SamplePoint]) {
        let end = heard.first?.at ?? Timestamp(milliseconds: .max)
        for point in earlier.prefix(while: { $0.at < end }) + heard {
            add(point.value, at: point.at)
        }
    }

    private mutating func clear() {
        values = []
        newest = nil
    }

    /// How long the period is, in milliseconds.
    var length: Int { slotMilliseconds * slots }

    var points: [SamplePoint] {
        guard let newest else { return [] }
        return (max(0, newest - slots + 1)...newest).compactMap { slot in
            values[slot % slots].map {
                SamplePoint(at: Timestamp(milliseconds: slot * slotMilliseconds), value: $0)
            }
        }
    }
}
