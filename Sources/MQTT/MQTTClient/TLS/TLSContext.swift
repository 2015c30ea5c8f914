internal import Basics
internal import COpenSSL

/// An OpenSSL context that connections to one server name share.
///
/// OpenSSL itself checks the broker's chain and name. Only subject alternative names count: not the
/// subject, no partial wildcards, none directly below a top-level domain, no text cut at a NUL.
final class TLSContext: Sendable {
    /// The name or address that the broker's certificate must be for.
    let serverName: String
    /// The files as they were before they were read.
    let stamp: TLSFileStamp
    /// Invariant: an `SSL_CTX`, which is reference-counted atomically and not changed after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// Why the present call refused a certificate; used by one loop only.
    private let refusal = Guarded<TLSRefusal?>(nil)

    /// Reads the files. Throws `tlsConfiguration` for unusable ones, `resourcesExhausted` without memory.
    init(_ identity: TLSIdentity) throws(MQTTError) {
        _ = Self.library
        ERR_clear_error()
        serverName = identity.serverName.droppingFinalDot
        stamp = TLSFileStamp(identity.configuration)
        guard let pointer = SSL_CTX_new(TLS_client_method()) else {
            throw MQTTError(.resourcesExhausted, "no memory for a TLS context: raise the limit")
        }
        self.pointer = pointer
        guard copenssl_restrict(pointer) else {
            throw .tls(
                "this OpenSSL does not offer TLS 1.2 (\(Self.openSSLReason)): install a newer one")
        }
        try expect(serverName)
        try offer(identity.configuration.applicationProtocols)
        try trust(identity.configuration.authorityFile)
        try present(identity.configuration)
        copenssl_set_owner(pointer, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, didVerify)
        SSL_CTX_set_info_callback(pointer, didProgress)
        ERR_clear_error()
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    /// OpenSSL cleans up when the process exits, while loops may still use it. This disables that, if it is
    /// the first call of OpenSSL.
    private static let library = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)

    /// Creates a context on a thread of its own, and calls back on that thread.
    static func make(
        _ identity: TLSIdentity,
        _ completion: @escaping @Sendable (Result<TLSContext, MQTTError>) -> Void
    ) {
        do throws(MQTTError) {
            try LoopThread.start(name: "mqtt-tls") {
                completion(Result { () throws(MQTTError) in try TLSContext(identity) })
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// The name to indicate to the server; addresses are not indicated (RFC 6066 section 3).
    var indicatedName: String? { HostResolver.isNumeric(serverName) ? nil : serverName }

    /// Stores why a certificate was refused, until the loop reads it.
    fileprivate func note(_ refusal: TLSRefusal) {
        self.refusal.withLock { $0 = $0 ?? refusal }
    }

    /// Returns and clears why the call that has just failed refused the broker's certificate, if it did.
    func takeRefusal() -> TLSRefusal? {
        refusal.withLock { $0.take() }
    }
}

// MARK: Configuration of the context

extension TLSContext {
    private func expect(_ name: String) throws(MQTTError) {
        try MQTTString.validate(name, as: "TLS server name")
        let parameters = SSL_CTX_get0_param(pointer)
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let code =
            HostResolver.isNumeric(name)
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, name)
            : X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count)
        guard code == 1 else { throw .tls("\"\(name)\" cannot be checked as a server name") }
    }

    private func offer(_ protocols: [String]) throws(MQTTError) {
        guard !protocols.isEmpty else { return }
        var list: [UInt8] = []
        for name in protocols {
            guard let length = UInt8(exactly: name.utf8.count), length > 0 else {
                throw .tls("application protocol \"\(name)\" must have 1 to 255 bytes")
            }
            list.append(length)
            list.append(contentsOf: name.utf8)
        }
        // Unlike the others this call returns 0 for success.
        guard SSL_CTX_set_alpn_protos(pointer, list, UInt32(list.count)) == 0 else {
            throw .tls("the application protocols cannot be offered: \(Self.openSSLReason)")
        }
    }

    private func trust(_ file: String?) throws(MQTTError) {
        guard let file else {
            guard SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                throw .tls("the system's CA store cannot be read: \(Self.openSSLReason)")
            }
            return
        }
        try TLSFile(file, "CA file").check()
        guard SSL_CTX_load_verify_file(pointer, file) == 1 else {
            throw .tls("CA file \(file) holds no usable PEM certificate: \(Self.openSSLReason)")
        }
    }

    private func present(_ configuration: MQTTTLSConfiguration) throws(MQTTError) {
        guard let certificate = configuration.certificateFile else {
            guard configuration.keyFile == nil else {
                throw .tls("there is a key file but no certificate file: give both")
            }
            return
        }
        try TLSFile(certificate, "certificate file").check()
        guard SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1 else {
            throw .tls(
                "certificate file \(certificate) holds no usable PEM certificate: "
                    + Self.openSSLReason)
        }
        try unlock(with: configuration.keyFile ?? certificate, for: certificate)
    }

    private func unlock(with key: String, for certificate: String) throws(MQTTError) {
        try TLSFile(key, "key file").check(isSecret: true)
        SSL_CTX_set_default_passwd_cb(pointer, noPassword)
        let subject = X509_NAME_dup(X509_get_subject_name(SSL_CTX_get0_certificate(pointer)))
        defer { X509_NAME_free(subject) }
        guard !useKey(key) else { return }
        let reason = Self.openSSLReason
        guard reason.contains("mismatch") else {
            throw .tls("key file \(key) holds no usable PEM key without a password: \(reason)")
        }
        guard usePair(key, of: subject) else {
            ERR_clear_error()
            throw .tls("key file \(key) is not the key of certificate file \(certificate)")
        }
    }

    private func useKey(_ file: String) -> Bool {
        SSL_CTX_use_PrivateKey_file(pointer, file, SSL_FILETYPE_PEM) == 1
            && SSL_CTX_check_private_key(pointer) == 1
    }

    /// Takes certificate and key from one file, if the certificate has this subject. The two files of an
    /// identity that is being replaced do not fit for a moment, or for good where the program that replaces
    /// them is killed in between.
    private func usePair(_ file: String, of subject: OpaquePointer?) -> Bool {
        guard SSL_CTX_use_certificate_chain_file(pointer, file) == 1 else { return false }
        let found = X509_get_subject_name(SSL_CTX_get0_certificate(pointer))
        return X509_NAME_cmp(subject, found) == 0 && useKey(file)
    }

    /// OpenSSL's text for its last failure on this thread.
    private static var openSSLReason: String {
        defer { ERR_clear_error() }
        guard let text = ERR_reason_error_string(ERR_peek_last_error()) else { return "no reason" }
        return String(cString: text)
    }
}

// MARK: Callbacks

/// Sets the name to indicate before the first byte is sent; the library would indicate the address that it
/// connects to.
private func didProgress(session: OpaquePointer?, place: Int32, _: Int32) {
    guard place == SSL_CB_HANDSHAKE_START, let session, let owner = copenssl_owner(session) else {
        return
    }
    let context = Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue()
    copenssl_set_server_name(session, context.indicatedName)
}

/// Keeps OpenSSL's verdict, and stores the reason of a refusal.
private func didVerify(isValid: Int32, verification: OpaquePointer?) -> Int32 {
    guard isValid == 0, let verification, let session = copenssl_session(verification),
        let owner = copenssl_owner(session)
    else { return isValid }
    let context = Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue()
    context.note(TLSRefusal(verification, expected: context.serverName))
    return isValid
}

/// Refuses keys with a password, because there may be no terminal to ask for it.
private func noPassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

extension TLSContext {
    /// Name, version and date of the OpenSSL that is loaded.
    static var libraryVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}

extension TLSRefusal {
    /// Copies the result of a verification.
    fileprivate init(_ verification: OpaquePointer, expected: String) {
        let code = X509_STORE_CTX_get_error(verification)
        self.init(
            code: code, reason: String(cString: X509_verify_cert_error_string(Int(code))),
            depth: X509_STORE_CTX_get_error_depth(verification), expectedName: expected,
            names: Self.names(X509_STORE_CTX_get_current_cert(verification)))
    }

    private static func names(_ certificate: OpaquePointer?) -> String {
        guard let certificate else { return "" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            copenssl_names(certificate, base, buffer.count)
            return String(cString: base)
        }
    }
}

extension String {
    /// A host name without the final dot of a complete name, which certificates do not contain.
    fileprivate var droppingFinalDot: String {
        count > 1 && hasSuffix(".") ? String(dropLast()) : self
    }
}
