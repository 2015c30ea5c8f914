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
        drive.move(by: sample.values)
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
        var former = DriveTrail()
        for sample in before { former.move(by: sample.values) }
        drive.begin(with: former)
    }
}

extension DriveTrail {
    /// Goes on to where a sample says that the robot is, if it does.
    fileprivate mutating func move(by values: JSONObject) {
        guard let x = values[.x]?.number, let y = values[.y]?.number else { return }
        move(to: FloorPoint(x: x, y: y), area: values[.cleanedAreaM2]?.number)
    }
}

extension RecordedSample {
    fileprivate func point(of name: String) -> SamplePoint? {
        values[name]?.number.map { SamplePoint(at: at, value: $0) }
    }
}
