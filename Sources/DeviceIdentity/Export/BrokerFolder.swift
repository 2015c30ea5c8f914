internal import DeviceDomain
internal import Glibc
internal import Keychain

/// A folder with all that a home's broker reads.
public struct BrokerFolder: Sendable {
    /// The files of the folder.
    enum File: Hashable, Sendable {
        /// What clients check the broker with, and both kinds of clients are checked with.
        case authorities
        /// What one kind of clients is checked with.
        case authority(IdentityKind)
        case revocationList, accessControl, serverCertificate, serverKey, configuration, plugin

        var name: String {
            switch self {
            case .authorities: "ca.crt"
            case .authority(let kind): "\(kind.rawValue)s.crt"
            case .revocationList: "crl.pem"
            case .accessControl: "acl"
            case .serverCertificate: "server.crt"
            case .serverKey: "server.key"
            case .configuration: "mosquitto.conf"
            case .plugin: "plugin.json"
            }
        }
    }

    /// Its absolute path.
    public let path: String

    /// A folder, made where it is missing.
    /// - Throws: ``IdentityError`` `system` for a path that `mosquitto.conf` cannot name; `keychain` where
    ///   somebody else could replace its files.
    public init(_ path: String) throws(IdentityError) {
        guard !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw IdentityError(.system, "the path of the folder contains a control character")
        }
        do {
            self.path = try PrivateFolder(path, making: true).path
        } catch {
            throw IdentityError(error)
        }
    }

    subscript(file: File) -> String { "\(path)/\(file.name)" }

    func write(_ text: String, to file: File) throws(IdentityError) {
        try IdentityFiles.write(text, to: self[file])
    }
}

/// A listener of an exported broker.
public struct BrokerListener: Hashable, Sendable {
    /// Whose certificates it accepts.
    public let kind: IdentityKind
    /// Where they connect.
    public let url: String
}

extension IdentityAuthority {
    /// Writes all that a mosquitto needs to serve this home and nobody else.
    /// - Parameter names: further names and addresses that the broker's certificate is for.
    /// - Returns: its listeners.
    public func export(
        to folder: BrokerFolder, listeningOn address: ListenerAddress,
        alsoNamed names: [String] = []
    ) async throws(IdentityError) -> [BrokerListener] {
        let authority = try await authority()
        let key = DeviceKey()
        let now = now
        let certificate = try authority.controllers.issueServer(
            for: address.names + names, key.request, from: now)
        let configuration = BrokerConfiguration(
            folder: folder, address: address, plugin: BrokerConfiguration.installedPlugin,
            user: BrokerConfiguration.currentUser)
        let texts: [(String, BrokerFolder.File)] = [
            (authority.certificates, .authorities),
            (authority.devices.certificate, .authority(.device)),
            (authority.controllers.certificate, .authority(.controller)),
            (certificate, .serverCertificate), (key.pem, .serverKey),
            (Self.pluginState, .plugin), (configuration.text, .configuration),
        ]
        try await blocking { () throws(IdentityError) in
            for (text, file) in texts { try folder.write(text, to: file) }
        }
        try await update(folder)
        return IdentityKind.allCases.map { BrokerListener(kind: $0, url: address.url(of: $0)) }
    }

    /// Writes the revocation list and the access control of an exported broker again.
    public func update(_ folder: BrokerFolder) async throws(IdentityError) {
        let authority = try await authority()
        let home = home
        // Under the lock of the register, so that no process writes an older list over a newer one.
        try await change { register, now throws(IdentityError) in
            let list = register.nextLists(at: now)
            let lists = try IdentityKind.allCases.map { kind throws(IdentityError) in
                try list(kind).pem(signedBy: authority[kind])
            }
            let access = AccessControl(
                home: home, controllers: register.acceptedControllers(at: now),
                barred: register.barredNames(.device, at: now),
                administrator: Self.administrator(of: home))
            try folder.write(lists.joined(), to: .revocationList)
            try folder.write(access.text, to: .accessControl)
        }
    }

    /// The plugin decides nothing by itself: the access control does.
    private static let pluginState = """
        {"defaultACLAccess":{"publishClientSend":false,"publishClientReceive":false,"subscribe":false,\
        "unsubscribe":true}}

        """

    /// The common name of the certificate that ends connections. No controller can have it.
    static func administrator(of home: HomeID) -> String { "authority of \(home)" }
}
