/// A message of the endpoint `prov-scan`: the Wi-Fi networks that the device finds.
package enum WiFiScanMessage: Hashable, Sendable {
    /// Has the device look for networks.
    case start(WiFiScanOptions)
    /// The answer to ``start(_:)``; after a blocking scan it is finished.
    case startResponse(ProvisioningStatus)
    /// Asks whether the scan is finished.
    case getStatus
    /// Whether it is, and how many networks it found.
    case status(ProvisioningStatus, isFinished: Bool, count: Int)
    /// Asks for networks, at most ``WiFiScanMessage/entriesPerRead``.
    case getResults(start: Int, count: Int)
    /// The networks that were asked for.
    case results(ProvisioningStatus, [WiFiNetwork])

    /// The most networks that a device gives in one answer.
    package static let entriesPerRead = 4
}

/// How a device looks for networks.
package struct WiFiScanOptions: Hashable, Sendable {
    /// Whether the answer waits until the scan is finished.
    package let isBlocking: Bool
    /// Whether the device only listens.
    package let isPassive: Bool
    /// How many channels it scans before it serves its access point again; 0 for all.
    package let groupChannels: Int
    /// How long it stays on one channel, in ms.
    package let periodMs: Int

    package init(
        isBlocking: Bool = true, isPassive: Bool = false, groupChannels: Int = 0,
        periodMs: Int = 120
    ) {
        self.isBlocking = isBlocking
        self.isPassive = isPassive
        self.groupChannels = groupChannels
        self.periodMs = periodMs
    }
}

/// A network that a device found.
package struct WiFiNetwork: Hashable, Sendable {
    /// Its name.
    package let ssid: [UInt8]
    /// Its channel.
    package let channel: Int
    /// How strong it is, in dBm.
    package let signalDBm: Int
    /// The address of its access point, 6 bytes.
    package let bssid: [UInt8]
    /// How it is protected.
    package let protection: WiFiProtection

    package init(
        ssid: [UInt8], channel: Int, signalDBm: Int, bssid: [UInt8], protection: WiFiProtection
    ) {
        self.ssid = ssid
        self.channel = channel
        self.signalDBm = signalDBm
        self.bssid = bssid
        self.protection = protection
    }
}

private enum Kind: Int {
    case start = 0
    case startResponse = 1
    case getStatus = 2
    case status = 3
    case getResults = 4
    case results = 5

    /// The field of the message's own content.
    var field: UInt64 { UInt64(10 + rawValue) }
}

extension WiFiScanMessage: WireMessage {
    package init(_ bytes: [UInt8]) throws(ProvisioningProtocolError) {
        let message = try ProtobufMessage(bytes[...])
        let kind = try message.choice(1, Kind.self)
        let content = try message.message(kind.field)
        switch kind {
        case .start:
            self = .start(
                WiFiScanOptions(
                    isBlocking: try content.flag(1), isPassive: try content.flag(2),
                    groupChannels: try content.count(3), periodMs: try content.count(4)))
        case .startResponse: self = .startResponse(try message.choice(2))
        case .getStatus: self = .getStatus
        case .status:
            self = .status(
                try message.choice(2), isFinished: try content.flag(1),
                count: try content.count(2))
        case .getResults:
            self = .getResults(start: try content.count(1), count: try content.count(2))
        case .results:
            self = .results(try message.choice(2), try Self.networks(content))
        }
    }

    private static func networks(
        _ content: ProtobufMessage
    ) throws(ProvisioningProtocolError) -> [WiFiNetwork] {
        var networks: [WiFiNetwork] = []
        for entry in try content.messages(1) { networks.append(try WiFiNetwork(entry)) }
        return networks
    }

    package var bytes: [UInt8] {
        ProtobufWriter.message { writer in
            switch self {
            case .start(let options):
                writer.put(.start) { options.write(to: &$0) }
            case .startResponse(let status): writer.put(.startResponse, status) { _ in }
            case .getStatus: writer.put(.getStatus) { _ in }
            case .status(let status, let isFinished, let count):
                writer.put(.status, status) { writer in
                    writer.put(1, isFinished)
                    writer.put(2, count)
                }
            case .getResults(let start, let count):
                writer.put(.getResults) { writer in
                    writer.put(1, start)
                    writer.put(2, count)
                }
            case .results(let status, let networks):
                writer.put(.results, status) { writer in
                    for network in networks {
                        writer.put(1, message: { network.write(to: &$0) })
                    }
                }
            }
        }
    }
}

extension WiFiScanOptions {
    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.put(1, isBlocking)
        writer.put(2, isPassive)
        writer.put(3, groupChannels)
        writer.put(4, periodMs)
    }
}

extension WiFiNetwork {
    fileprivate init(_ entry: ProtobufMessage) throws(ProvisioningProtocolError) {
        ssid = try entry.bytes(1)
        channel = try entry.count(2)
        let signal = Int64(bitPattern: try entry.number(3))
        guard let signal = Int32(exactly: signal) else {
            throw .malformed("a signal strength of \(signal) dBm")
        }
        signalDBm = Int(signal)
        bssid = try entry.bytes(4)
        protection = try entry.choice(5)
    }

    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.put(1, ssid)
        writer.put(2, channel)
        writer.put(3, signalDBm)
        writer.put(4, bssid)
        writer.put(5, protection)
    }
}

extension ProtobufWriter {
    fileprivate mutating func put(
        _ kind: Kind, _ status: ProvisioningStatus = .success,
        _ body: (inout ProtobufWriter) -> Void
    ) {
        put(1, kind)
        put(2, status)
        put(kind.field, message: body)
    }
}
