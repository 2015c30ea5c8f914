internal import Connectivity
public import DeviceDomain
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

    private func move(to place: FloorPoint) {
        guard trail.last != place else { return }
        trail.append(place)
        if trail.count > Self.longestTrail { trail.removeFirst(trail.count - Self.longestTrail) }
    }
}
