import Basics
import DeviceSimulation
import DeviceTopics
import Keychain
import MQTTClient

/// What a device has made, as one hash: two runs whose hashes are equal said the same, byte for byte.
///
/// For each description, state, sample and event, in the order in which the device made them: the topic, a zero
/// byte, the length of the payload as four bytes (big endian), the payload.
struct DeviceTranscript {
    private let hash = SHA256Stream()
    private let wire: DeviceWire
    /// The topic of its samples, of which there are more than of all else.
    private let sampleTopic: [UInt8]
    /// What is hashed at once; its memory is used again.
    private var entry: [UInt8] = []
    /// How many samples it made.
    private(set) var samples = 0

    /// The transcript of a device that has made nothing.
    init(of wire: DeviceWire) {
        self.wire = wire
        sampleTopic = Array(DeviceTopic.telemetry(wire.home, wire.device).text.utf8)
    }

    /// Adds what the device has made.
    mutating func add(_ publication: DevicePublication) {
        switch publication {
        case .telemetry(let sample):
            samples += 1
            add(sample.payload, on: sampleTopic)
        case .description, .presence, .state, .event, .ack, .altered:
            let message = wire.message(of: publication)
            add(message.payload, on: Array(message.topic.rawValue.utf8))
        }
    }

    private mutating func add(_ payload: [UInt8], on topic: [UInt8]) {
        entry.removeAll(keepingCapacity: true)
        entry += topic
        entry.append(0)
        withUnsafeBytes(of: UInt32(payload.count).bigEndian) { entry += $0 }
        entry += payload
        hash.add(entry)
    }

    /// The hash in 64 hexadecimal digits.
    var digits: String { hash.digest.hexadecimal }
}
