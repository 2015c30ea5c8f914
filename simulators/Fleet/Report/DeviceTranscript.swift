import Basics
import DeviceSimulation
import Keychain
import MQTTClient

/// What a device has made, as one hash: two runs whose hashes are equal said the same, byte for byte.
///
/// For each description, state, sample and event, in the order in which the device made them: the topic, a zero
/// byte, the length of the payload as four bytes (big endian), the payload.
struct DeviceTranscript {
    private let hash = SHA256Stream()
    /// How many samples it made.
    private(set) var samples = 0

    /// Adds what a device has made.
    mutating func add(_ publication: DevicePublication, of wire: DeviceWire) {
        if case .telemetry = publication { samples += 1 }
        let message = wire.message(of: publication)
        let length = withUnsafeBytes(of: UInt32(message.payload.count).bigEndian, Array.init)
        hash.add(Array(message.topic.rawValue.utf8) + [0] + length)
        hash.add(message.payload)
    }

    /// The hash in 64 hexadecimal digits.
    var digits: String { hash.digest.hexadecimal }
}
