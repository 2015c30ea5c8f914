private import CMosquittoShims
private import Glibc

extension MQTTError {
    /// Translates the library's codes. `phase` completes "while …".
    init(
        _ result: MosquittoResult, while phase: String, file: String = #fileID, line: Int = #line
    ) {
        let (code, reason) = Self.classify(result)
        let advice =
            result.code.reasonCode?.advice
            ?? (result.endedWithinAPacket ? Self.brokenPacketAdvice : Self.advice(for: code))
        self.init(
            code, "\(reason) while \(phase); \(advice)", reasonCode: result.code.reasonCode,
            libraryCode: result.code.rawValue,
            systemError: result.code == .systemError ? result.systemError : nil,
            isRetriable: Self.isRetriable(code), file: file, line: line)
    }

    private static func classify(_ result: MosquittoResult) -> (Code, String) {
        if let reason = result.code.reasonCode {
            return reason == .sessionTakenOver
                ? (.sessionTakenOver, "another connection took over the client id")
                : (.serverDisconnected, "the broker disconnected: \(reason)")
        }
        return switch result.code {
        case .outOfMemory: (.resourcesExhausted, "out of memory")
        case .notConnected: (.notConnected, "there is no connection")
        case .connectionRefused: (.connectionRefused, "the broker refused the connection")
        case .connectionLost, .success: (.connectionLost, "the broker closed the connection")
        case .systemError where result.endedWithinAPacket:
            (.connectionLost, "the connection ended within a packet")
        case .systemError: systemFailure(result.systemError)
        case .lookup: (.nameResolutionFailed, "the address could not be used")
        case .keepAlive: (.keepAliveTimeout, "the broker answered no keep-alive ping")
        case .payloadSize, .oversizePacket:
            (.packetTooLarge, "the packet is larger than the broker accepts")
        case .qosNotSupported: (.unsupported, "the broker does not support this QoS")
        case .retainNotSupported: (.unsupported, "the broker does not support retained messages")
        case .invalid: (.invalidArgument, "the library refused an argument")
        case .malformedUTF8: (.protocolViolation, "the peer sent a string that MQTT forbids")
        default: (.protocolViolation, "the peer broke the protocol")
        }
    }

    private static func systemFailure(_ number: Int32) -> (Code, String) {
        switch number {
        case ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT, EADDRNOTAVAIL, EAFNOSUPPORT,
            EINVAL:
            (.unreachable, "no TCP connection (\(text(of: number)))")
        case EMFILE, ENFILE, ENOMEM, ENOBUFS:
            (.resourcesExhausted, "no socket (\(text(of: number)))")
        default: (.connectionLost, "the connection broke (\(text(of: number)))")
        }
    }

    /// A server of another protocol, such as HTTP, is read as the beginning of a packet, too.
    private static let brokenPacketAdvice =
        "where this comes each time, what answers there is no MQTT broker: check host and port"

    /// What to do about a failure that the library reported.
    private static func advice(for code: Code) -> String {
        switch code {
        case .resourcesExhausted: "raise the limits of memory and descriptors"
        case .notConnected: "wait for the connection and try again"
        case .connectionRefused: "look for the cause in the broker's log"
        case .connectionLost: "if it happens again, look for the cause in the broker's log"
        case .unreachable: "check that a broker listens there and that the network lets it through"
        case .nameResolutionFailed: "check the address"
        case .keepAliveTimeout: "check the network, or allow a longer keep-alive interval"
        case .packetTooLarge: "send smaller messages"
        case .unsupported: "see the connection's limits for what the broker offers"
        case .invalidArgument: "check the configuration"
        default: "check that it is an MQTT broker, and report the bug to its developers"
        }
    }

    /// The operating system's text for an `errno`.
    static func text(of number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "errno \(number)" }
            cmosquitto_error_text(number, base, buffer.count)
            return String(cString: base)
        }
    }

    private static func isRetriable(_ code: Code) -> Bool {
        switch code {
        case .invalidArgument, .sessionTakenOver, .packetTooLarge, .unsupported, .closed: false
        default: true
        }
    }
}

extension MosquittoResult {
    /// Whether the peer closed the connection in the middle of a packet: the library reports a system error
    /// then, and the system has none.
    fileprivate var endedWithinAPacket: Bool { code == .systemError && systemError == 0 }
}
