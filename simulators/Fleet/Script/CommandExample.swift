import DeviceDomain

/// A command that stands out among others: the largest one, of equal ones the first.
package struct CommandExample: Hashable, Sendable, Comparable {
    /// Why it stands out.
    package enum Kind: String, Sendable {
        /// It has no final ack.
        case open
        /// An ack of it came again.
        case repeated
        /// Its effect was started; ``CommandExample/size`` says how often.
        case executed
        /// It took long; ``CommandExample/size`` says how many ms.
        case slow
    }

    /// The device that it was sent to.
    package let device: DeviceKey
    /// When it was meant to be sent, or when the ack came again (world time from the epoch).
    package let at: Duration
    /// How much it stands out; 0 where all are equal.
    package let size: Int

    package static func < (left: Self, right: Self) -> Bool {
        if left.size != right.size { return left.size < right.size }
        return (right.at, right.device) < (left.at, left.device)
    }
}

// As one process tells it to another.
extension CommandExample {
    var members: JSONObject {
        [
            "home": .string(device.home.text), "device": .string(device.device.text),
            "atMs": .integer(at.wholeMilliseconds), "size": .integer(size),
        ]
    }

    init?(_ members: JSONObject) {
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:)),
            let time = members["atMs"]?.integer, let size = members["size"]?.integer
        else { return nil }
        self.init(
            device: DeviceKey(home: home, device: device), at: .milliseconds(time), size: size)
    }
}
