/// A message of the endpoint `prov-session`, by which both sides agree on a key.
package enum SessionMessage: Hashable, Sendable {
    /// The client asks for a session without protection.
    case security0Command
    /// The device's answer.
    case security0Response(ProvisioningStatus)
    /// A message of Security 1.
    case security1(Security1Message)
    /// A message of Security 2.
    case security2(Security2Message)
}

/// A message of Security 1: X25519 with a proof of possession.
package enum Security1Message: Hashable, Sendable {
    /// The client's public key, 32 bytes.
    case command0(clientKey: [UInt8])
    /// The device's public key and the start of the counter, 32 and 16 bytes.
    case response0(ProvisioningStatus, deviceKey: [UInt8], random: [UInt8])
    /// The device's public key, encrypted by the client.
    case command1(proof: [UInt8])
    /// The client's public key, encrypted by the device.
    case response1(ProvisioningStatus, proof: [UInt8])
}

/// A message of Security 2: SRP-6a.
package enum Security2Message: Hashable, Sendable {
    /// The user and the client's public key.
    case command0(username: String, clientKey: [UInt8])
    /// The device's public key and the password's salt.
    case response0(ProvisioningStatus, deviceKey: [UInt8], salt: [UInt8])
    /// The client's proof that it knows the session key.
    case command1(proof: [UInt8])
    /// The device's proof, and the nonce of the session, 12 bytes.
    case response1(ProvisioningStatus, proof: [UInt8], nonce: [UInt8])
}

/// The place of a message in its handshake.
private enum Turn: Int {
    case command0 = 0
    case response0 = 1
    case command1 = 2
    case response1 = 3

    /// The field of the message's own content.
    var field: UInt64 { UInt64(20 + rawValue) }
}

/// The place of a message in a session without protection.
private enum PlainTurn: Int {
    case command = 0
    case response = 1
}

extension SessionMessage: WireMessage {
    package init(_ bytes: [UInt8]) throws(ProvisioningProtocolError) {
        let session = try ProtobufMessage(bytes[...])
        let security = try session.choice(2, ProvisioningSecurity.self)
        let field = UInt64(10 + security.rawValue)
        guard session.has(field) else {
            throw .malformed("Security \(security.rawValue) without its content")
        }
        let content = try session.message(field)
        switch security {
        case .unprotected:
            switch try content.choice(1, PlainTurn.self) {
            case .command: self = .security0Command
            case .response: self = .security0Response(try content.message(21).choice(1))
            }
        case .proofOfPossession: self = .security1(try Security1Message(content))
        case .password: self = .security2(try Security2Message(content))
        }
    }

    package var bytes: [UInt8] {
        ProtobufWriter.message { writer in
            switch self {
            case .security0Command:
                writer.put(10) { $0.put(20) { _ in } }
            case .security0Response(let status):
                writer.put(10) { writer in
                    writer.put(1, PlainTurn.response)
                    writer.put(21) { $0.put(1, status) }
                }
            case .security1(let message):
                writer.put(2, ProvisioningSecurity.proofOfPossession)
                writer.put(11) { message.write(to: &$0) }
            case .security2(let message):
                writer.put(2, ProvisioningSecurity.password)
                writer.put(12) { message.write(to: &$0) }
            }
        }
    }
}

extension Security1Message {
    fileprivate init(_ content: ProtobufMessage) throws(ProvisioningProtocolError) {
        let turn = try content.choice(1, Turn.self)
        let message = try content.message(turn.field)
        switch turn {
        case .command0: self = .command0(clientKey: try message.bytes(1))
        case .response0:
            self = .response0(
                try message.choice(1), deviceKey: try message.bytes(2),
                random: try message.bytes(3))
        case .command1: self = .command1(proof: try message.bytes(2))
        case .response1: self = .response1(try message.choice(1), proof: try message.bytes(3))
        }
    }

    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .command0(let clientKey):
            writer.put(.command0) { $0.put(1, clientKey) }
        case .response0(let status, let deviceKey, let random):
            writer.put(.response0) { writer in
                writer.put(1, status)
                writer.put(2, deviceKey)
                writer.put(3, random)
            }
        case .command1(let proof):
            writer.put(.command1) { $0.put(2, proof) }
        case .response1(let status, let proof):
            writer.put(.response1) { writer in
                writer.put(1, status)
                writer.put(3, proof)
            }
        }
    }
}

extension Security2Message {
    fileprivate init(_ content: ProtobufMessage) throws(ProvisioningProtocolError) {
        let turn = try content.choice(1, Turn.self)
        let message = try content.message(turn.field)
        switch turn {
        case .command0:
            self = .command0(username: try message.text(1), clientKey: try message.bytes(2))
        case .response0:
            self = .response0(
                try message.choice(1), deviceKey: try message.bytes(2), salt: try message.bytes(3))
        case .command1: self = .command1(proof: try message.bytes(1))
        case .response1:
            self = .response1(
                try message.choice(1), proof: try message.bytes(2), nonce: try message.bytes(3))
        }
    }

    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .command0(let username, let clientKey):
            writer.put(.command0) { writer in
                writer.put(1, username.utf8)
                writer.put(2, clientKey)
            }
        case .response0(let status, let deviceKey, let salt):
            writer.put(.response0) { writer in
                writer.put(1, status)
                writer.put(2, deviceKey)
                writer.put(3, salt)
            }
        case .command1(let proof):
            writer.put(.command1) { $0.put(1, proof) }
        case .response1(let status, let proof, let nonce):
            writer.put(.response1) { writer in
                writer.put(1, status)
                writer.put(2, proof)
                writer.put(3, nonce)
            }
        }
    }
}

extension ProtobufWriter {
    /// Writes where a message is in its handshake, and its content.
    fileprivate mutating func put(_ turn: Turn, _ body: (inout ProtobufWriter) -> Void) {
        put(1, turn)
        put(turn.field, message: body)
    }
}
