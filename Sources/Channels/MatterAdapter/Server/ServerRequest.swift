internal import DeviceDomain
internal import DeviceMessages

/// A request to a Matter server.
enum ServerRequest: Hashable, Sendable {
    /// Answers with all nodes, then events follow.
    case startListening
    /// Invokes a command of a cluster. `timedMS` is the time of a timed interaction, in ms.
    case invoke(
        node: UInt64, endpoint: Int, cluster: Int, command: String, payload: JSONObject,
        timedMS: Int?)
    /// Writes an attribute.
    case write(node: UInt64, AttributePath, JSONValue)
    /// Reads an attribute from the device.
    case read(node: UInt64, AttributePath)

    /// The text without `message_id`, which ``numbered(_:_:)`` adds.
    var text: [UInt8] { Self.text(name, writeArguments) }

    /// The text of a command without `message_id`.
    static func text(
        _ command: String, _ writeArguments: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.writeObject { writer in
            writer.writeName("command")
            writer.write(command)
            writer.writeName("args")
            writer.writeObject(writeArguments)
        }
        return writer.bytes
    }

    /// The text of a request with the id by which it is answered.
    static func numbered(_ text: [UInt8], _ id: String) -> [UInt8] {
        Array("{\"message_id\":\"\(id)\",".utf8) + text.dropFirst()
    }

    private var name: String {
        switch self {
        case .startListening: "start_listening"
        case .invoke: "device_command"
        case .write: "write_attribute"
        case .read: "read_attribute"
        }
    }

    private func writeArguments(into writer: inout JSONWriter) {
        switch self {
        case .startListening: break
        case .invoke(let node, let endpoint, let cluster, let command, let payload, let timedMS):
            writer.writeName("node_id")
            writer.write(node)
            writer.writeName("endpoint_id")
            writer.write(endpoint)
            writer.writeName("cluster_id")
            writer.write(cluster)
            writer.writeName("command_name")
            writer.write(command)
            writer.writeName("payload")
            writer.write(payload)
            if let timedMS {
                writer.writeName("timed_request_timeout_ms")
                writer.write(timedMS)
            }
        case .write(let node, let path, let value):
            writer.writeName("node_id")
            writer.write(node)
            writer.writeName("attribute_path")
            writer.write(path.description)
            writer.writeName("value")
            writer.write(value)
        case .read(let node, let path):
            writer.writeName("node_id")
            writer.write(node)
            writer.writeName("attribute_path")
            writer.write(path.description)
        }
    }
}
