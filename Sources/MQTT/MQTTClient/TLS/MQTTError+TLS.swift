extension MQTTError {
    /// The TLS error behind a failed call; nil if TLS did not fail. `logged` is the library's last log line
    /// about it, `phase` completes "while …".
    init?(
        _ result: MosquittoResult, refusal: TLSRefusal?, logged: String?, while phase: String,
        file: String = #fileID, line: Int = #line
    ) {
        let code: Code
        let reason: String
        if let refusal {
            (code, reason) = (.tlsFailed, refusal.message)
        } else if let logged {
            (code, reason) = (.tlsFailed, Self.tlsReason(logged))
        } else if result.code == .tls {
            code = .connectionLost
            reason =
                "the broker closed the connection during the TLS handshake: "
                + "check that it speaks TLS on this port"
        } else {
            return nil
        }
        self.init(
            code, "\(reason), while \(phase)", libraryCode: result.code.rawValue,
            isRetriable: true, file: file, line: line)
    }

    /// From `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed`.
    private static func tlsReason(_ logged: String) -> String {
        let reason = logged.split(separator: ":").last.map(String.init) ?? logged
        return "TLS: \(reason)\(tlsRemedy(reason))"
    }

    private static func tlsRemedy(_ reason: String) -> String {
        func has(_ words: String...) -> Bool { words.contains { reason.contains($0) } }
        if has("alert protocol version", "unsupported protocol", "version too low") {
            return " (the broker does not offer TLS 1.2 or later)"
        }
        if has("wrong version number", "http request", "packet length too long") {
            return " (the broker does not speak TLS on this port)"
        }
        if has("alert") && has("certificate", "unknown ca", "handshake failure") {
            return " (the broker requires a certificate of this client, or another one)"
        }
        return " (look for the cause in the broker's log, and check the certificates on both sides)"
    }
}
