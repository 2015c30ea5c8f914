import Connectivity
import DeviceDomain
import DeviceMessages
import HomeModel

/// What the tests of a home's picture say of one robot.
struct ModelHouse {
    let home: HomeID
    let device: DeviceID
    let channel: ChannelID
    let boot: BootID
    let profile: DeviceProfile
    let noon = Timestamp(milliseconds: 1_764_000_000_000)

    init() throws {
        home = try HomeID("home-1")
        device = try DeviceID("d-1")
        channel = try ChannelID("mqtt")
        boot = try BootID("b1")
        profile = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: device, home: home
        ).profile
    }

    var online: Presence { Presence(.online, boot: boot, at: noon) }

    func state(_ revision: Int) -> StateReport {
        StateReport(["activity": "docked"], revision: revision, boot: boot)
    }

    /// What a device retains.
    var everything: [DeviceObservation.Content] {
        [.description(profile), .presence(online), .state(state(4))]
    }

    func said(_ content: DeviceObservation.Content) -> DeviceObservation {
        DeviceObservation(channel: channel, home: home, device: device, content: content)
    }
}

extension UniqueID {
    /// An id that follows from a seed.
    init(at moment: Timestamp, seed: UInt64) {
        var generator = Counting(next: seed)
        self.init(at: moment, using: &generator)
    }
}

private struct Counting: RandomNumberGenerator {
    var number: UInt64

    init(next: UInt64) { number = next }

    mutating func next() -> UInt64 {
        number &+= 1
        return number &* 0x9E37_79B9_7F4A_7C15
    }
}
