internal import DeviceDomain

/// What a home's authority knows of the certificates that it has issued. A value without clock and file.
struct IdentityRegister: Hashable, Sendable {
    /// The certificates, oldest first.
    private(set) var records: [IdentityRecord] = []
    /// Claim tokens that still count, or have been used and not yet expired.
    private(set) var claims: [ClaimRecord] = []
    /// The number of the last revocation list.
    private(set) var listNumber = 0
    /// From when the last revocation list is valid.
    private(set) var listTime = Timestamp(milliseconds: 0)
    /// The broker that was exported last.
    var exported: ExportedBroker?

    /// Clocks of brokers that are behind by no more than this accept a new revocation list.
    private static let allowance = Duration.seconds(86_400)

    init() {}

    init(
        records: [IdentityRecord], claims: [ClaimRecord], listNumber: Int, listTime: Timestamp,
        exported: ExportedBroker?
    ) {
        self.records = records
        self.claims = claims
        self.listNumber = listNumber
        self.listTime = listTime
        self.exported = exported
    }

    // MARK: Certificates

    /// The certificate of a name that is in use.
    func active(_ name: IdentityName, at now: Timestamp) -> IdentityRecord? {
        records.first { $0.name == name && $0.state(at: now) == .active }
    }

    /// The certificate that the broker of the last export presents: the newest that no other has replaced.
    var server: IdentityRecord? {
        let servers = records.filter { $0.name.kind == .server }
        return servers.last { $0.standing == .active }
            ?? servers.last {
                switch $0.standing {
                case .revoked: true
                case .staged, .active, .superseded: false
                }
            }
    }

    /// Adds a certificate, staged.
    mutating func stage(_ record: IdentityRecord) { records.append(record) }

    /// Takes a staged certificate into use, also one whose hour is over as long as no list names it. What its
    /// name had until now is superseded, and for a broker what any broker had.
    /// - Returns: the certificate.
    /// - Throws: ``IdentityError`` `notFound` for one that is not staged or active.
    @discardableResult
    mutating func activate(
        _ serial: SerialNumber, at now: Timestamp
    ) throws(IdentityError) -> IdentityRecord {
        guard let index = records.firstIndex(where: { $0.serial == serial }) else {
            throw .notFound(serial)
        }
        switch records[index].standing {
        case .active where now <= records[index].notAfter: return records[index]
        case .staged where now <= records[index].notAfter: break
        case .active, .staged, .superseded, .revoked:
            throw IdentityError(
                .notFound,
                "the certificate \(serial) is \(records[index].state(at: now)): issue a new one")
        }
        let name = records[index].name
        for other in records.indices
        where records[other].name == name
            || name.kind == .server && records[other].name.kind == .server
        {
            switch records[other].standing {
            case .active: records[other].standing = .superseded
            case .staged, .superseded, .revoked: break
            }
        }
        records[index].standing = .active
        return records[index]
    }

    /// Takes back certificates that are still accepted, or whose hour is over.
    /// - Returns: the certificates.
    mutating func revoke(
        at now: Timestamp, where isMeant: (IdentityRecord) -> Bool
    ) -> [IdentityRecord] {
        var revoked: [IdentityRecord] = []
        for index in records.indices
        where isMeant(records[index])
            && (records[index].isAccepted(at: now) || records[index].hasLapsed(at: now))
        {
            records[index].standing = .revoked(at: now)
            revoked.append(records[index])
        }
        return revoked
    }

    /// The names of a kind whose certificates are all revoked or expired, at least one of them revoked.
    func barredNames(_ kind: IdentityKind, at now: Timestamp) -> [IdentityName] {
        let named = Dictionary(grouping: records.filter { $0.name.kind == kind }, by: \.name)
        return named.filter { _, records in
            records.contains { $0.state(at: now) == .revoked }
                && !records.contains { $0.isAccepted(at: now) }
        }.keys.sorted()
    }

    /// The controllers with a certificate that is accepted.
    func acceptedControllers(at now: Timestamp) -> [ControllerID] {
        Set(
            records.compactMap { record in
                guard case .controller(let controller) = record.name, record.isAccepted(at: now)
                else { return nil }
                return controller
            }
        ).sorted()
    }

    // MARK: Revocation lists

    /// A list of the revoked certificates of a kind that have not expired. Each one is later than those
    /// before, by a second at least: OpenSSL compares their times.
    mutating func nextLists(at now: Timestamp) -> (IdentityKind) -> RevocationList {
        _ = revoke(at: now) { $0.hasLapsed(at: now) }
        listNumber += 1
        listTime = max(
            now.advanced(by: .zero - Self.allowance), listTime.advanced(by: .seconds(1)))
        return { [self] kind in
            RevocationList(
                number: listNumber, thisUpdate: listTime,
                entries: records.compactMap { record in
                    guard record.name.kind.issuer == kind, record.notAfter >= now,
                        case .revoked(let since) = record.standing
                    else { return nil }
                    return (record.serial, since)
                })
        }
    }

    // MARK: Claims

    /// Adds a token, and forgets those that no longer count.
    mutating func add(_ claim: ClaimRecord, at now: Timestamp) {
        claims.removeAll { $0.expiresAt <= now }
        claims.append(claim)
    }

    /// Uses a token.
    /// - Throws: ``IdentityError`` `tokenRefused` unless it is unused, unexpired and the device's.
    mutating func use(
        _ token: SingleUseToken, for name: IdentityName, at now: Timestamp
    ) throws(IdentityError) {
        guard let index = claims.firstIndex(where: { $0.hash == token.hash }) else {
            throw IdentityError(
                .tokenRefused, "the claim token of \(name) is unknown: begin the claim again")
        }
        let claim = claims[index]
        guard !claim.isUsed else {
            throw IdentityError(
                .tokenRefused,
                "the claim token of \(claim.name) was used before: if you did not do that, somebody "
                    + "else has read it; reset the device and begin the claim again")
        }
        guard claim.expiresAt > now else {
            throw IdentityError(
                .tokenRefused, "the claim token of \(claim.name) has expired: begin the claim again"
            )
        }
        guard claim.name == name else {
            throw IdentityError(
                .tokenRefused, "the claim token is for \(claim.name), not for \(name)")
        }
        claims[index].isUsed = true
    }
}
