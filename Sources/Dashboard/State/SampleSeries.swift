internal import DeviceDomain

/// The values of one signal over the last day, thinned so that its size never grows.
struct SampleSeries: Sendable {
    /// A part of the time: the last value of each slot is kept.
    private struct Ring: Sendable {
        let slotMilliseconds: Int
        let slots: Int
        private var values: [Float]
        private var newest: Int?

        init(slotMilliseconds: Int, slots: Int) {
            self.slotMilliseconds = slotMilliseconds
            self.slots = slots
            values = []
        }

        mutating func add(_ value: Double, at moment: Timestamp) {
            let slot = moment.milliseconds / slotMilliseconds
            if values.isEmpty { values = Array(repeating: .nan, count: slots) }
            if let newest {
                // The clock of the device was set back: what it said of later times is void.
                guard slot >= newest else {
                    self = Ring(again: self, value, at: moment)
                    return
                }
                if slot - newest >= slots {
                    values = Array(repeating: .nan, count: slots)
                } else if slot > newest {
                    for skipped in newest + 1...slot { values[skipped % slots] = .nan }
                }
            }
            values[slot % slots] = Float(value)
            newest = slot
        }

        private init(again former: Ring, _ value: Double, at moment: Timestamp) {
            self.init(slotMilliseconds: former.slotMilliseconds, slots: former.slots)
            add(value, at: moment)
        }

        var points: [LineChart.Point] {
            guard let newest else { return [] }
            return (max(0, newest - slots + 1)...newest).compactMap { slot in
                let value = values[slot % slots]
                return value.isNaN
                    ? nil
                    : LineChart.Point(
                        at: Timestamp(milliseconds: slot * slotMilliseconds), value: Double(value))
            }
        }
    }

    // An hour by 10 s and a day by 5 min: what a chart of some 300 columns can show.
    private var hour = Ring(slotMilliseconds: 10_000, slots: 360)
    private var day = Ring(slotMilliseconds: 300_000, slots: 288)

    /// Adds a sample.
    mutating func add(_ value: Double, at moment: Timestamp) {
        hour.add(value, at: moment)
        day.add(value, at: moment)
    }

    /// The last hour, oldest first.
    var lastHour: [LineChart.Point] { hour.points }
    /// The last day, oldest first.
    var lastDay: [LineChart.Point] { day.points }
}
