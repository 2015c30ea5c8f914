internal import Basics
internal import CWebSocket
internal import Connectivity
internal import DeviceMessages

/// A WebSocket to a Matter server.
///
/// Messages are read on the socket's own thread, so that a list of some megabytes stops no other channel.
final class ServerSocket: Sendable {
    /// What happens to a socket.
    enum Event: Sendable {
        /// It is connected.
        case opened
        /// A message came.
        case message(ServerMessage)
        /// It could not be connected, or is connected no more, for this reason.
        case closed(String)
        /// The TLS handshake failed, for this reason.
        case refused(String)
    }

    /// Receives events on the socket's thread.
    typealias Receiver = @Sendable (Event) -> Void

    /// How long the server may be silent before it is sent a ping, in s; after twice as long it is given up.
    private static let silenceS: UInt16 = 15

    private let handle = Guarded<SocketHandle?>(nil)

    /// Starts to connect.
    /// - Throws: `unreachable` where libwebsockets or memory is missing; it says what to install.
    init(
        to server: MatterServerAddress, authorityFile: String?, _ receiver: @escaping Receiver
    ) throws(CommunicationError) {
        let box = Unmanaged.passRetained(ReceiverBox(receiver))
        var message = [CChar](repeating: 0, count: 300)
        let opened = server.host.withCString { host in
            server.path.withCString { path in
                server.authority.withCString { authority in
                    withOptionalCString(authorityFile) { file in
                        var target = cwebsocket_target(
                            host: host, port: Int32(server.port), path: path,
                            authority: authority, uses_tls: server.usesTLS,
                            is_address: server.isNumeric, ca_file: file,
                            largest_message: ServerMessage.limits.bytes,
                            silence_s: Self.silenceS)
                        return cwebsocket_open(
                            &target, received, box.toOpaque(), &message, message.count)
                    }
                }
            }
        }
        guard let opened else {
            box.release()
            let reason = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw CommunicationError(
                .unreachable, "\(server): \(String(decoding: reason, as: UTF8.self))",
                certainty: .neverLeft)
        }
        let socket = SocketHandle(pointer: opened)
        handle.withLock { $0 = socket }
    }

    deinit { close() }

    /// Hands a message over for sending.
    /// - Returns: whether it was taken; it was certainly not sent otherwise.
    func send(_ text: [UInt8]) -> Bool {
        handle.withLock { handle in
            guard let handle else { return false }
            return text.withUnsafeBytes {
                cwebsocket_send(handle.pointer, $0.baseAddress, $0.count)
            }
        }
    }

    /// Closes the connection. It does not wait; an event that is on its way may still come.
    func close() {
        handle.withLock { handle in
            if let handle { cwebsocket_close(handle.pointer) }
            handle = nil
        }
    }
}

/// Invariant: the pointer is used under the lock of its ``ServerSocket`` alone, and not after it was closed.
private struct SocketHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// What C keeps of a receiver until the socket's thread has ended.
private final class ReceiverBox: Sendable {
    let receive: ServerSocket.Receiver

    init(_ receive: @escaping ServerSocket.Receiver) { self.receive = receive }
}

/// The callback of C: copies the bytes and hands over an event.
private func received(
    _ context: UnsafeMutableRawPointer?, _ event: cwebsocket_event, _ bytes: UnsafeRawPointer?,
    _ count: Int
) {
    guard let context else { return }
    let box = Unmanaged<ReceiverBox>.fromOpaque(context)
    let text = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    switch event {
    case CWEBSOCKET_OPEN: box.takeUnretainedValue().receive(.opened)
    case CWEBSOCKET_TEXT: box.takeUnretainedValue().receive(.message(ServerMessage(text)))
    case CWEBSOCKET_CLOSED:
        box.takeUnretainedValue().receive(.closed(String(decoding: text, as: UTF8.self)))
    case CWEBSOCKET_TLS_REFUSED:
        box.takeUnretainedValue().receive(.refused(String(decoding: text, as: UTF8.self)))
    default: box.release()
    }
}

private func withOptionalCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}
