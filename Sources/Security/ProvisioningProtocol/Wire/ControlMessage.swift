/// A message of the endpoint `prov-ctrl`.
package enum ControlMessage: Hashable, Sendable {
    /// Has the device forget the network that it could not join, so that it takes another.
    case reset
    /// The answer to ``reset``.
    case resetResponse(ProvisioningStatus)
    /// Has a device that joined a network take another.
    case reprovision
    /// The answer to ``reprovision``.
    case reprovisionResponse(ProvisioningStatus)
}

private enum Kind: Int {
    case reset = 1
    case resetResponse = 2
    case reprovision = 3
    case reprovisionResponse = 4

    /// The field of the message's own content.
    var field: UInt64 { UInt64(10 + rawValue) }
}

extension ControlMessage: WireMessage {
    package init(_ bytes: [UInt8]) throws(ProvisioningProtocolError) {
        let message = try ProtobufMessage(bytes[...])
        switch try message.choice(1, Kind.self) {
        case .reset: self = .reset
        case .resetResponse: self = .resetResponse(try message.choice(2))
        case .reprovision: self = .reprovision
        case .reprovisionResponse: self = .reprovisionResponse(try message.choice(2))
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .reset: write(.reset)
        case .resetResponse(let status): write(.resetResponse, status)
        case .reprovision: write(.reprovision)
        case .reprovisionResponse(let status): write(.reprovisionResponse, status)
        }
    }

    private func write(_ kind: Kind, _ status: ProvisioningStatus = .success) -> [UInt8] {
        ProtobufWriter.message { writer in
            writer.put(1, kind)
            writer.put(2, status)
            writer.put(kind.field) { _ in }
        }
    }
}
