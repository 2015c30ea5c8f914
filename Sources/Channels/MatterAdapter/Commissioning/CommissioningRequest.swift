internal import DeviceMessages

/// A request about new devices to a Matter server.
package enum CommissioningRequest: Hashable, Sendable {
    /// Stores the Wi-Fi network that new devices are given.
    case setWiFi(ssid: String, password: String)
    /// Stores the Thread network that new devices are given: its dataset in hexadecimal digits.
    case setThread(dataset: String)
    /// Brings the device with a setup code into the server's fabric. Answers with the node, once it is described.
    case commission(code: String, networkOnly: Bool)
    /// Answers with the devices of the network that can be commissioned.
    case discover
    /// Takes a node out of the fabric; the device forgets it.
    case remove(node: UInt64)

    /// The text without `message_id`.
    var text: [UInt8] { ServerRequest.text(name, writeArguments) }

    private var name: String {
        switch self {
        case .setWiFi: "set_wifi_credentials"
        case .setThread: "set_thread_dataset"
        case .commission: "commission_with_code"
        case .discover: "discover"
        case .remove: "remove_node"
        }
    }

    private func writeArguments(into writer: inout JSONWriter) {
        switch self {
        case .setWiFi(let ssid, let password):
            writer.writeName("ssid")
            writer.write(ssid)
            writer.writeName("credentials")
            writer.write(password)
        case .setThread(let dataset):
            writer.writeName("dataset")
            writer.write(dataset)
        case .commission(let code, let networkOnly):
            writer.writeName("code")
            writer.write(code)
            writer.writeName("network_only")
            writer.write(networkOnly)
        case .discover: break
        case .remove(let node):
            writer.writeName("node_id")
            writer.write(node)
        }
    }
}
