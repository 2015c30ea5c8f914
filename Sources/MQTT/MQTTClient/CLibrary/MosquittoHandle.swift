internal import CMosquitto
internal import CMosquittoShims
private import Glibc

/// One client of the C library, for one connection attempt: created in `init`, destroyed in `deinit`.
///
/// Confined to the thread of one event loop, where it is created, used and destroyed; nothing here is
/// `Sendable`. No function of it may be called from inside a callback.
final class MosquittoHandle {
    private let client: OpaquePointer
    private let buffers: SharedLibraryBuffers
    private let isVersion5: Bool
    private let tls: TLSSession?
    /// Data that was read ahead when reading stopped.
    private var leftover: [UInt8] = []
    /// Data that the library has written and the socket has not accepted yet.
    private var unsent: [UInt8] = []
    /// The events that the library reported in the turn that left this data.
    private var heldEvents: [MosquittoEvent] = []

    /// A PINGREQ (MQTT 5, section 3.12).
    private static let pingRequest: [UInt8] = [0xC0, 0x00]

    /// Throws `resourcesExhausted` without memory, `invalidArgument` for values that the library refuses.
    init(
        configuration: MQTTConfiguration, clientID: MQTTClientID, cleanStart: Bool,
        tls: TLSContext?, buffers: SharedLibraryBuffers
    ) throws(MQTTError) {
        _ = Self.library
        cmosquitto_creation_begin()
        // NULL lets the broker assign an id; with an empty string the library would close descriptor 0.
        let client = clientID.rawValue.withCString { name in
            mosquitto_new(
                clientID == .assignedByBroker ? nil : name, cleanStart, buffers.inbox.userData)
        }
        cmosquitto_creation_end()
        guard let client else {
            throw MQTTError(.resourcesExhausted, "no memory for another MQTT client")
        }
        self.client = client
        self.buffers = buffers
        self.isVersion5 = configuration.version == .v5
        self.tls = tls.map(TLSSession.init)
        buffers.inbox.attach(to: client)
        try apply(configuration)
        if let tls { try apply(tls) }
    }

    deinit {
        mosquitto_destroy(client)
    }

    /// Initializes the library once per process, and never undoes it: the library counts without locking.
    private static let library: Int32 = mosquitto_lib_init()

    /// The descriptor of the TCP connection, if there is one.
    var socket: Int32? {
        let descriptor = mosquitto_socket(client)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Whether the peer has accepted the TCP connection.
    var isEstablished: Bool {
        guard let socket else { return false }
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &size) == 0
            }
        }
    }

    /// Whether queued packets can be written.
    var wantsToWrite: Bool {
        guard let tls else { return hasUnsent || mosquitto_want_write(client) }
        return tls.isEstablished && (mosquitto_want_write(client) || tls.isPingUnfinished)
    }

    /// Starts to connect to a numeric address; never blocks.
    func connect(
        to address: String, port: UInt16, configuration: MQTTConfiguration
    ) -> MosquittoResult {
        let port = Int32(port)
        let keepAlive = Int32(clamping: configuration.keepAlive.wholeSeconds)
        if isVersion5 {
            // Without a host this call fails, but it first stores the properties of CONNECT.
            let properties = MosquittoPropertyList(connect: configuration)
            mosquitto_connect_bind_v5(client, nil, port, keepAlive, nil, properties.head)
        }
        cmosquitto_socketpair_suppress(true)
        defer { cmosquitto_socketpair_suppress(false) }
        forgetErrors()
        defer { tls?.begin(socket == nil ? nil : mosquitto_ssl_get(client)) }
        var error: Int32 = 0
        // Passing a String directly as a C string would allocate an array.
        let code = address.withCString { address in
            guard let source = configuration.sourceAddress else {
                return cmosquitto_connect(client, address, port, keepAlive, nil, &error)
            }
            return source.withCString {
                cmosquitto_connect(client, address, port, keepAlive, $0, &error)
            }
        }
        // The library lets child processes inherit the socket, which would keep the connection open.
        if let socket { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        var result = MosquittoResult(
            code: MosquittoCode(rawValue: max(code, 0)), systemError: error)
        // With TLS the library reports even a refused connection as still in progress.
        if tls != nil, result.isSuccess, result.isUnreachable { result.code = .systemError }
        return result
    }

    /// As ``connect(to:port:configuration:)``; returns the socket, which may not be connected yet. Throws why
    /// there is none.
    func openSocket(
        to address: String, port: UInt16, configuration: MQTTConfiguration
    ) throws(MQTTError) -> Int32 {
        let result = connect(to: address, port: port, configuration: configuration)
        guard result.isSuccess, let socket else {
            buffers.inbox.events.removeAll()
            throw failure(result, while: "connecting to \(address)")
        }
        return socket
    }

    /// Starts a turn of reading; ``endReading()`` ends it.
    func beginReading() {
        guard let socket else { return }
        // OpenSSL has its own buffer.
        buffers.intake.begin(socket, isAhead: tls == nil, leftover: leftover)
        leftover = []
    }

    /// Keeps data that was read ahead and not consumed.
    func endReading() {
        leftover = buffers.intake.end()
    }

    /// Whether this turn has read data that the library has not consumed.
    var hasReadAhead: Bool { !buffers.intake.isEmpty }

    /// Reads about one packet, from the socket if necessary. `isDrained` says that there are no more in this
    /// turn.
    func read(fromSocket isAsking: Bool) -> (result: MosquittoResult, isDrained: Bool) {
        forgetErrors()
        if !isAsking { buffers.intake.stopAsking() }
        var error: Int32 = 0
        let code =
            buffers.isBatching
            ? buffers.intake.feed { cmosquitto_read(client, &error) }
            : cmosquitto_read(client, &error)
        if socket == nil { tls?.end() }
        tls?.advance()
        let hasStopped = buffers.intake.isDrained || (error == EAGAIN && !hasReadAhead)
        let isDrained = hasStopped && tls?.hasBufferedInput != true
        return (MosquittoResult(code: MosquittoCode(rawValue: code), systemError: error), isDrained)
    }

    /// Whether there is data that the library regards as written but the socket has not accepted.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// Sends data that an earlier ``write()`` could not send, and reports the result.
    func sendUnsent() -> MosquittoResult {
        guard let socket else { return MosquittoResult(code: .notConnected) }
        let error: Int32?
        (unsent, error) = buffers.outlet.send(unsent, to: socket)
        if unsent.isEmpty {
            for event in heldEvents { buffers.inbox.events.append(event) }
            heldEvents = []
        }
        return MosquittoResult(systemError: error)
    }

    /// Writes as many queued packets as the socket accepts. Requires that nothing is unsent. The library calls
    /// `write` for each packet; the data is sent together. Not for DISCONNECT, after which the library closes
    /// the socket.
    func write() -> MosquittoResult {
        guard let socket else { return MosquittoResult(code: .notConnected) }
        guard tls == nil, buffers.isBatching else { return writeCorked(socket) }
        let result = buffers.outlet.collect(for: socket) { writeQueued() }
        // After a failure the library has closed the descriptor: how much was sent is unknown.
        guard self.socket != nil else {
            buffers.inbox.events.removeAll()
            return result
        }
        let error: Int32?
        (unsent, error) = buffers.outlet.send()
        // Unsent data is not written, although the library reports so.
        if hasUnsent { buffers.inbox.drain { heldEvents.append($0) } }
        return error == nil ? result : MosquittoResult(systemError: error)
    }

    /// The socket gathers the data. So it is without batching, and with TLS: OpenSSL also writes during reads, and
    /// nothing may overtake its records.
    private func writeCorked(_ socket: Int32) -> MosquittoResult {
        cmosquitto_cork(socket, true)
        let result = writeQueued()
        if let socket = self.socket { cmosquitto_cork(socket, false) }
        return result
    }

    /// Sends the TCP acknowledgement at once. The kernel would delay it by 40 ms, and a broker without
    /// TCP_NODELAY waits for it before it sends its next small packet.
    func acknowledgeSegments() {
        if let socket { cmosquitto_quick_ack(socket) }
    }

    /// Writes queued packets one by one. Requires that nothing is unsent.
    func writeQueued() -> MosquittoResult {
        forgetErrors()
        guard tls?.finishPing() ?? true else { return MosquittoResult(code: .success) }
        // If the peer is gone, the next read reports it, after the peer's last data.
        if !buffers.isBatching, let socket, cmosquitto_is_reset(socket) {
            return MosquittoResult(code: .success)
        }
        if buffers.isBatching { cmosquitto_lost_peers_block(true) }
        defer { if buffers.isBatching { cmosquitto_lost_peers_block(false) } }
        var error: Int32 = 0
        let code = cmosquitto_write(client, &error)
        if socket == nil { tls?.end() }
        return MosquittoResult(code: MosquittoCode(rawValue: code), systemError: error)
    }

    /// Sends PINGREQ at once. The library's own pings are not used: their interval is whole seconds, their
    /// time is not under our control, and they fail while reading is paused. Returns false if packets are
    /// queued, among which the ping would land; they keep the connection alive as well.
    func ping() -> Bool {
        guard let socket, !wantsToWrite else { return false }
        if let tls {
            tls.ping()
        } else {
            // If it fails, the next read reports why.
            unsent = buffers.outlet.send(Self.pingRequest, to: socket).unsent
        }
        return true
    }

    /// Queues a message and returns the packet identifier of its later reports.
    func publish(
        _ message: MQTTMessage, alias: TopicAliases.Alias?
    ) -> (result: MosquittoResult, packet: UInt16) {
        var packet: Int32 = 0
        let code: Int32
        if isVersion5, alias != nil || !message.properties.isEmpty {
            let properties = MosquittoPropertyList(message.properties, topicAlias: alias?.number)
            code = publish(message, isNamed: alias?.isKnown != true, properties.head, &packet)
        } else {
            code = publish(message, isNamed: true, nil, &packet)
        }
        return (
            MosquittoResult(code: MosquittoCode(rawValue: code)),
            UInt16(truncatingIfNeeded: packet)
        )
    }

    /// Skips packet identifiers, before connecting: the broker's session may have unfinished QoS 2 exchanges
    /// with them, and would treat a new message as part of one.
    func skipPackets(through last: UInt16) {
        // Without a connection this only uses up an identifier.
        for _ in 0..<last { mosquitto_publish_v5(client, nil, "-", 0, nil, 0, false, nil) }
    }

    private func publish(
        _ message: MQTTMessage, isNamed: Bool, _ properties: OpaquePointer?,
        _ packet: inout Int32
    ) -> Int32 {
        message.payload.withUnsafeBytes { payload in
            message.topic.rawValue.withCString { topic in
                mosquitto_publish_v5(
                    client, &packet, isNamed ? topic : nil, Int32(clamping: payload.count),
                    payload.baseAddress, Int32(message.qos.rawValue), message.retain, properties)
            }
        }
    }

    /// Queues one SUBSCRIBE or UNSUBSCRIBE.
    func send(
        _ request: RequestPacket, userProperties: [MQTTProperties.UserProperty]
    ) -> (result: MosquittoResult, packet: UInt16) {
        let properties =
            isVersion5
            ? MosquittoPropertyList(
                identifier: request.options?.identifier, userProperties: userProperties)
            : MosquittoPropertyList()
        var packet: Int32 = 0
        let list = properties.head
        let code = withCStrings(request.filters) { strings, count in
            guard let options = request.options else {
                return mosquitto_unsubscribe_multiple(client, &packet, count, strings, list)
            }
            return mosquitto_subscribe_multiple(
                client, &packet, count, strings, Int32(options.qos.rawValue),
                isVersion5 ? options.optionBits : 0, list)
        }
        return (
            MosquittoResult(code: MosquittoCode(rawValue: code)),
            UInt16(truncatingIfNeeded: packet)
        )
    }

    /// Queues DISCONNECT; the library closes the socket once it is written.
    func disconnect(
        _ properties: MQTTDisconnectProperties, hasSession: Bool
    ) -> MosquittoResult {
        let list =
            isVersion5
            ? MosquittoPropertyList(disconnect: properties, hasSession: hasSession)
            : MosquittoPropertyList()
        let reason: Int32 = isVersion5 && properties.publishesWill ? 0x04 : 0
        return MosquittoResult(
            code: MosquittoCode(rawValue: mosquitto_disconnect_v5(client, reason, list.head)))
    }

    // MARK: TLS

    /// Whether the TLS handshake is incomplete; the library continues it when it reads.
    var isHandshaking: Bool { tls.map { !$0.isEstablished } ?? false }

    /// Whether to watch the socket for writability. The library would answer yes during the whole TLS
    /// handshake, and the loop would spin.
    var awaitsWritability: Bool {
        guard let tls else { return wantsToWrite }
        return tls.isBlockedOnWriting && (wantsToWrite || !tls.isEstablished)
    }

    /// Whether a read is waiting for the socket to become writable.
    var readsWhenWritable: Bool { tls?.isBlockedOnWriting ?? false }

    /// Whether there is input for which no socket event comes.
    var hasLeftover: Bool { tls?.hasBufferedInput ?? !leftover.isEmpty }

    /// The library's log lines are not needed any more.
    func endLogging() {
        if tls != nil { buffers.inbox.stopLogging(from: client) }
    }

    /// Why a call failed. `phase` completes "while …".
    func failure(_ result: MosquittoResult, while phase: String) -> MQTTError {
        let logged = buffers.inbox.logged
        buffers.inbox.logged = nil
        return tls.flatMap {
            MQTTError(result, refusal: $0.context.takeRefusal(), logged: logged, while: phase)
        } ?? MQTTError(result, while: phase)
    }

    /// Why a handshake failed. The library continues one even if the socket is broken.
    func handshakeFailure(_ result: MosquittoResult, while phase: String) -> MQTTError {
        guard result.isUnreachable else {
            return failure(MosquittoResult(code: .tls), while: phase)
        }
        return MQTTError(
            MosquittoResult(code: .systemError, systemError: result.systemError), while: phase)
    }

    private func forgetErrors() {
        guard let tls else { return }
        tls.clearErrors()
        buffers.inbox.logged = nil
    }

    private func apply(_ context: TLSContext) throws(MQTTError) {
        // In this order: otherwise the library's defaults make it refuse to connect.
        try check(mosquitto_int_option(client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0))
        try check(
            mosquitto_void_option(
                client, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(context.pointer)))
        buffers.inbox.startLogging(from: client)
    }

    // MARK: Options

    private func apply(_ configuration: MQTTConfiguration) throws(MQTTError) {
        mosquitto_threaded_set(client, true)
        let version = isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version))
        try check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
        // MQTTPublishWindow limits the window; the library's own limit must never be smaller.
        try check(mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, 65_535))
        try check(
            mosquitto_int_option(
                client, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(max(configuration.receiveMaximum, 1))))
        if let credentials = configuration.credentials {
            try check(
                mosquitto_username_pw_set(client, credentials.username, credentials.password))
        }
        if let will = configuration.will { try apply(will) }
    }

    private func apply(_ will: MQTTWill) throws(MQTTError) {
        let properties = isVersion5 ? MosquittoPropertyList(will: will) : MosquittoPropertyList()
        var list = properties.release()
        let code = will.message.payload.withUnsafeBytes { payload in
            mosquitto_will_set_v5(
                client, will.message.topic.rawValue, Int32(clamping: payload.count),
                payload.baseAddress, Int32(will.message.qos.rawValue), will.message.retain, list)
        }
        // The library owns the list only if it accepted the will.
        if code != 0, list != nil { mosquitto_property_free_all(&list) }
        try check(code)
    }

    private func check(_ code: Int32) throws(MQTTError) {
        guard code != 0 else { return }
        throw MQTTError(
            MosquittoResult(code: MosquittoCode(rawValue: code)), while: "preparing a connection")
    }
}

/// Calls `body` with the filters as C strings.
private func withCStrings(
    _ filters: [MQTTTopicFilter],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?, Int32) -> Int32
) -> Int32 {
    let strings = filters.map { strdup($0.rawValue) }
    defer { for string in strings { free(string) } }
    return strings.withUnsafeBufferPointer { body($0.baseAddress, Int32(clamping: $0.count)) }
}

extension MosquittoHandle {
    /// The version of libmosquitto that is loaded.
    static var libraryVersion: String {
        var (major, minor, revision): (Int32, Int32, Int32) = (0, 0, 0)
        _ = mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }
}
