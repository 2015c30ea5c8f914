internal import Connectivity
public import DeviceDomain
internal import History
internal import HomeModel

extension DeviceMemory {
    /// Names the channel over which it is reached.
    public var channel: ChannelID { known.channel }

    /// The revision of its state; `nil` if it has none.
    public var revision: Int? { known.state?.revision }

    /// Adds the latest sample to the series and the trail.
    func addSample() {
        guard let sample = known.telemetry, let moment = sample.at ?? known.heardAt else { return }
        for (name, value) in sample.values {
            if let number = value.number {
                samples[name, default: SampleSeries()].add(number, at: moment)
            }
        }
        sampledAt = moment
        guard let x = sample.values["x"]?.number, let y = sample.values["y"]?.number else { return }
        move(to: FloorPoint(x: x, y: y))
    }

    /// Puts what was kept before in front of what was heard since the app runs.
    package func begin(with earlier: EarlierSamples) {
        guard let newest = earlier.lastHour.last?.at else { return }
        let start = samples.values.compactMap { $0.lastHour.first?.at }.min()
        let before = earlier.lastHour.prefix { sample in start.map { sample.at < $0 } ?? true }
        let names = Set((earlier.lastHour + earlier.lastDay).flatMap(\.values.keys))
        for name in names {
            let hour = earlier.lastHour.compactMap { $0.point(of: name) }
            let day = earlier.lastDay.compactMap { $0.point(of: name) }
            guard !hour.isEmpty || !day.isEmpty else { continue }
            samples[name] = SampleSeries(lastHour: hour, lastDay: day, then: samples[name])
        }
        sampledAt = sampledAt ?? newest
        let heard = trail
        trail = []
        for sample in before {
            guard let x = sample.values["x"]?.number, let y = sample.values["y"]?.number else {
                continue
            }
            move(to: FloorPoint(x: x, y: y))
        }
        for place in heard { move(to: place) }
    }

    private func move(to place: FloorPoint) {
        guard trail.last != place else { return }
        trail.append(place)
        if trail.count > Self.longestTrail { trail.removeFirst(trail.count - Self.longestTrail) }
    }
}

extension RecordedSample {
    fileprivate func point(of name: String) -> SamplePoint? {
        values[name]?.number.map { SamplePoint(at: at, value: $0) }
    }
}
