public import DeviceDomain
internal import Glibc
public import Keychain

/// Issues, renews and takes back the certificates of a home's devices and controllers.
///
/// Its keys are in the keychain, what it has issued in a register in a file. Any number of processes may
/// use it at once.
public struct IdentityAuthority: Sendable {
    /// How long a certificate is valid unless it is said: a year.
    public static let usualValidity = Duration.seconds(365 * 86_400)
    /// The service of the keychain's secrets that belong to it.
    static let service = "homeport-identity"

    /// Whose devices it knows.
    public let home: HomeID
    let keychain: any KeychainService
    let register: RegisterFile
    private let clock: @Sendable () -> Timestamp

    /// An authority; nothing is read or made.
    /// - Parameters:
    ///   - folder: where the registers of homes are; made, for the user alone, where it is missing.
    ///   - clock: tells the time of day.
    public init(
        home: HomeID, keychain: any KeychainService, folder: String,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.home = home
        self.keychain = keychain
        register = RegisterFile(path: "\(folder)/\(home)")
        self.clock = clock
    }

    /// The time of day.
    public var now: Timestamp { clock() }

    // MARK: Certificates

    /// Every certificate that it has issued, by name, oldest first.
    public func records() async throws(IdentityError) -> [IdentityRecord] {
        try await blocking { [register] () throws(IdentityError) in
            let records = try register.read().records.enumerated()
            return records.sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element)
        }
    }

    /// Issues a certificate for a key that stays with its owner, staged.
    /// - Throws: ``IdentityError`` `alreadyIssued`, `authorityEnded`.
    public func issue(
        to name: IdentityName, _ request: CertificateRequest,
        validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> IssuedCertificate {
        try await issue([CertificateOrder(name, request)], isNew: true, validFor: validity) {
            _, issued, _ in issued[0]
        }
    }

    /// Issues certificates, staged, and goes on with them before any other process can change the register.
    /// - Parameters:
    ///   - isNew: whether a name that has a valid certificate is refused; else one that has none.
    ///   - finish: gets the register, the certificates and the time.
    /// - Throws: ``IdentityError`` `alreadyIssued`, `notFound` or `authorityEnded`; then nothing is issued.
    func issue<Value: Sendable>(
        _ orders: [CertificateOrder], isNew: Bool, validFor validity: Duration,
        then finish:
            @escaping @Sendable (inout IdentityRegister, [IssuedCertificate], Timestamp)
            throws(IdentityError) -> Value
    ) async throws(IdentityError) -> Value {
        let authority = try await authority()
        let names = Set(orders.map(\.name))
        return try await admitting(names) { register, now throws(IdentityError) in
            for name in names {
                let active = register.active(name, at: now)
                if isNew, let active { throw .alreadyIssued(active) }
                if !isNew, active == nil { throw register.nothingToReplace(name, at: now) }
            }
            let issued = try orders.map { order throws(IdentityError) in
                try register.stage(order, authority, validity, at: now)
            }
            return try finish(&register, issued, now)
        }
    }

    /// Changes the register. A name whose certificates were all taken back until then is barred at the broker
    /// that was exported last, and no longer is.
    private func admitting<Value: Sendable>(
        _ names: Set<IdentityName>,
        _ body:
            @escaping @Sendable (inout IdentityRegister, Timestamp) throws(IdentityError) ->
            Value
    ) async throws(IdentityError) -> Value {
        let (value, wereBarred) = try await change { register, now throws(IdentityError) in
            let barred = names.intersection(register.barredNames(.device, at: now))
            return (try body(&register, now), !barred.isEmpty)
        }
        if wereBarred, let folder = try await exportedFolder() { try await update(folder) }
        return value
    }

    /// Takes staged certificates into use, after their owners have them.
    /// - Throws: ``IdentityError`` `notFound` for one that is not staged or active.
    @discardableResult
    public func activate(_ serials: [SerialNumber]) async throws(IdentityError) -> [IdentityRecord]
    {
        try await change { register, now throws(IdentityError) in
            try serials.map { serial throws(IdentityError) in
                try register.activate(serial, at: now)
            }
        }
    }

    /// Takes back every certificate of a name that is still accepted.
    /// - Returns: the certificates; none where all were revoked or expired before.
    /// - Throws: ``IdentityError`` `notFound` if there never was one.
    @discardableResult
    public func revoke(_ name: IdentityName) async throws(IdentityError) -> [IdentityRecord] {
        try await change { register, now throws(IdentityError) in
            guard register.records.contains(where: { $0.name == name }) else {
                throw .notFound(name)
            }
            return register.revoke(at: now) { $0.name == name }
        }
    }

    /// Takes back one certificate, such as the one before a rotation.
    /// - Returns: it, if it was still accepted; whose it is.
    /// - Throws: ``IdentityError`` `notFound` if there never was one.
    public func revoke(
        _ serial: SerialNumber
    ) async throws(IdentityError) -> (name: IdentityName, revoked: [IdentityRecord]) {
        try await change { register, now throws(IdentityError) in
            guard let record = register.records.first(where: { $0.serial == serial }) else {
                throw .notFound(serial)
            }
            return (record.name, register.revoke(at: now) { $0.serial == serial })
        }
    }

    // MARK: Claims

    /// Makes a token that one boxed device can claim its certificate with, once.
    public func makeToken(
        for name: IdentityName, validFor lifetime: Duration = SingleUseToken.usualLifetime
    ) async throws(IdentityError) -> SingleUseToken {
        let token = SingleUseToken.random()
        return try await change { register, now throws(IdentityError) in
            register.add(
                ClaimRecord(
                    hash: token.hash, name: name, expiresAt: now.advanced(by: lifetime)), at: now)
            return token
        }
    }

    /// Issues a certificate to a device that has shown its token; it is staged until ``activate(_:)``. The
    /// token is used up, also where that fails afterwards.
    /// - Throws: ``IdentityError`` `tokenRefused`.
    public func claim(
        _ name: IdentityName, with token: SingleUseToken, _ request: CertificateRequest,
        validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> IssuedCertificate {
        let authority = try await authority()
        return try await admitting([name]) { register, now throws(IdentityError) in
            try register.use(token, for: name, at: now)
            return try register.stage(
                CertificateOrder(name, request), authority, validity, at: now)
        }
    }

    /// Takes back every certificate of a name that its owner has not confirmed, and writes that into the
    /// revocation list of the broker that was exported last. Nothing happens to one that is in use.
    /// - Returns: the certificates.
    @discardableResult
    public func discardStaged(
        of name: IdentityName
    ) async throws(IdentityError) -> [IdentityRecord] {
        try await discard { record, _ in record.name == name && record.standing == .staged }
    }

    /// Takes back every certificate that nobody has confirmed within its hour, as ``discardStaged(of:)`` does.
    /// Whoever may write to the register calls it first; where there is nothing to do it only reads.
    /// - Returns: the certificates.
    @discardableResult
    public func discardLapsed() async throws(IdentityError) -> [IdentityRecord] {
        try await discard { $0.hasLapsed(at: $1) }
    }

    /// The list is written before the register says so: a crash in between is made good by the next call.
    private func discard(
        _ isMeant: @escaping @Sendable (IdentityRecord, Timestamp) -> Bool
    ) async throws(IdentityError) -> [IdentityRecord] {
        let now = now
        guard try await records().contains(where: { isMeant($0, now) }) else { return [] }
        let authority = try await authority()
        return try await change { [home] register, now throws(IdentityError) in
            let discarded = register.revoke(at: now) { isMeant($0, now) }
            if !discarded.isEmpty, let folder = try register.exportedFolder {
                try folder.writeAccess(of: home, &register, authority, at: now)
            }
            return discarded
        }
    }

    /// The certificates with which a client checks brokers and a broker its clients, in PEM.
    public func certificates() async throws(IdentityError) -> String {
        try await authority().certificates
    }

    // MARK: Inside

    func change<Value: Sendable>(
        _ body:
            @escaping @Sendable (inout IdentityRegister, Timestamp) throws(IdentityError) ->
            Value
    ) async throws(IdentityError) -> Value {
        try await blocking { [register, clock] () throws(IdentityError) in
            try register.change { register throws(IdentityError) in try body(&register, clock()) }
        }
    }

    /// The authority of the home, made by the first process that asks.
    func authority() async throws(IdentityError) -> HomeAuthority {
        if let known = try await stored { return try HomeAuthority(known) }
        let made = try HomeAuthority(for: home, at: now).secret
        do {
            _ = try await keychain.compareAndSet(secretName, from: nil, to: made)
        } catch {
            throw IdentityError(error)
        }
        // Another process may have been first.
        return try await authority()
    }

    private var secretName: SecretName {
        get throws(KeychainError) { try SecretName(home.text, service: Self.service) }
    }

    private var stored: Secret? {
        get async throws(IdentityError) {
            do {
                return try await keychain.get(secretName)
            } catch {
                throw IdentityError(error)
            }
        }
    }
}

extension IdentityRegister {
    /// Issues a certificate and adds it, staged.
    fileprivate mutating func stage(
        _ order: CertificateOrder, _ authority: HomeAuthority, _ validity: Duration,
        at now: Timestamp
    ) throws(IdentityError) -> IssuedCertificate {
        let issued = try authority[order.name.kind].issue(order, from: now, validFor: validity)
        stage(issued.record)
        return issued
    }

    /// Why a certificate of a name cannot be replaced, which has none in use.
    fileprivate func nothingToReplace(_ name: IdentityName, at now: Timestamp) -> IdentityError {
        guard let last = records.last(where: { $0.name == name }) else { return .notFound(name) }
        return IdentityError(
            .notFound,
            "the last certificate of \(name) is \(last.state(at: now)), so that there is none to "
                + "replace: 'homeport identity issue' makes a new one")
    }
}
