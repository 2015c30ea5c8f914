import Glibc
import MQTTClient

/// How many messages of which kind go over the wire.
struct Load {
    let qos: MQTTQoS
    let count: Int
    let message: MQTTMessage

    /// From `PORT QOS BYTES COUNT`.
    init(_ numbers: [Int]) throws {
        qos = MQTTQoS(rawValue: UInt8(clamping: numbers[1])) ?? .atLeastOnce
        count = numbers[3]
        message = MQTTMessage(
            topic: try MQTTTopic("bench/data"), payload: Array(repeating: 0, count: numbers[2]),
            qos: qos)
    }

    /// The last message tells by its acknowledgement that the broker has read all of them.
    var last: MQTTMessage {
        var last = message
        last.qos = max(qos, .atLeastOnce)
        return last
    }
}

extension MQTTConfiguration {
    /// One of many clients on this machine, spread over source addresses.
    static func bench(
        port: Int, number: Int, keepAlive: Duration = .seconds(60)
    ) throws -> MQTTConfiguration {
        try MQTTConfiguration(
            broker: MQTTBrokerAddress(host: "127.0.0.1", port: UInt16(clamping: port)),
            clientID: .assignedByBroker, keepAlive: keepAlive, reconnect: .never
        ).renumbered(number)
    }

    /// The same for another client.
    func renumbered(_ number: Int) throws -> MQTTConfiguration {
        var configuration = self
        configuration.clientID = try MQTTClientID("bench-\(getpid())-\(number)")
        configuration.sourceAddress = "127.0.0.\(2 + number % 8)"
        return configuration
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

/// Something went wrong that makes a measurement worthless.
struct BenchError: Error, CustomStringConvertible {
    let description: String
}
