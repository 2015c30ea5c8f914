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
        /// Where the broker writes its process id while it runs.
        case processID

        /// Those that `homeport identity export` writes.
        static let all: [File] = [
            .authorities, .authority(.device), .authority(.controller), .revocationList,
            .accessControl, .serverCertificate, .serverKey, .configuration, .plugin,
        ]

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
            case .processID: "mosquitto.pid"
            }
        }
    }

    /// The largest payload of the wire protocol (PROTOCOL section 2), in bytes.
    public static let usualMessageSizeLimit = 65_536

    /// Its absolute path.
    public let path: String

    /// A folder, made where it is missing.
    /// - Throws: ``IdentityError`` `unwritable` for a path that cannot be made, or that `mosquitto.conf` cannot
    ///   name; `keychain` where somebody else could replace its files.
    public init(_ path: String) throws(IdentityError) {
        guard !path.isEmpty,
            !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw IdentityError(
                .unwritable,
                "the path of the folder is empty or contains a control character; \(Self.remedy)")
        }
        do {
            self.path = try PrivateFolder(path, making: true).path
        } catch {
            guard error.code == .system else { throw IdentityError(error) }
            throw IdentityError(.unwritable, "\(error.message); \(Self.remedy)")
        }
    }

    /// A folder that is there, with the export of a home.
    /// - Throws: ``IdentityError`` `notFound` where it holds none; `keychain` where somebody else could replace its
    ///   files.
    fileprivate init(
        _ path: String, of home: HomeID, _ authority: HomeAuthority
    ) throws(IdentityError) {
        do {
            self.path = try PrivateFolder(path, making: false).path
        } catch {
            throw error.code == .unsafe ? IdentityError(error) : .noExport(in: path, of: home)
        }
        let own = authority.devices.certificate
        // One byte more, so that a longer file differs.
        let found = String(beginningOf: self[.authority(.device)], bytes: own.utf8.count + 1)
        guard found == own else { throw .noExport(in: path, of: home) }
    }

    private static let remedy = "nothing was exported: name a folder that you can write to"

    /// Checks that the files of an export can be written.
    fileprivate func prepare() throws(IdentityError) {
        for file in File.all { try IdentityFiles.checkThatItCanBeWritten(self[file], Self.remedy) }
    }

    subscript(file: File) -> String { "\(path)/\(file.name)" }

    func write(_ text: String, to file: File) throws(IdentityError) {
        try IdentityFiles.write(text, to: self[file])
    }
}

/// What is known of the broker that was exported last.
public struct ExportedBroker: Hashable, Sendable {
    /// The absolute path of its folder.
    public let folder: String
    /// Where devices connect.
    public let devices: String
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
    /// - Parameters:
    ///   - names: further names and addresses that the broker's certificate is for.
    ///   - messageSizeLimit: the largest payload that the broker takes, in bytes.
    /// - Returns: its listeners.
    /// - Throws: ``IdentityError`` `unwritable`, `authorityEnded`; then nothing is issued.
    public func export(
        to folder: BrokerFolder, listeningOn address: ListenerAddress,
        alsoNamed names: [String] = [], messageSizeLimit: Int = BrokerFolder.usualMessageSizeLimit
    ) async throws(IdentityError) -> [BrokerListener] {
        try await blocking { () throws(IdentityError) in try folder.prepare() }
        let authority = try await authority()
        let key = IdentityKey()
        let request = key.request
        let server = try await change { register, now throws(IdentityError) in
            let issued = try authority.controllers.issueServer(
                for: address.names + names, request, from: now)
            register.stage(issued.record)
            return issued
        }
        let configuration = BrokerConfiguration(
            folder: folder, address: address, messageSizeLimit: messageSizeLimit,
            plugin: BrokerConfiguration.installedPlugin, user: BrokerConfiguration.currentUser)
        let texts: [(String, BrokerFolder.File)] = [
            (authority.certificates, .authorities),
            (authority.devices.certificate, .authority(.device)),
            (authority.controllers.certificate, .authority(.controller)),
            (server.certificate, .serverCertificate), (key.pem, .serverKey),
            (Self.pluginState, .plugin), (configuration.text, .configuration),
        ]
        try await blocking { () throws(IdentityError) in
            for (text, file) in texts { try folder.write(text, to: file) }
        }
        let exported = ExportedBroker(
            folder: folder.path, devices: address.url(of: .device, named: names))
        try await change { register, now throws(IdentityError) in
            try register.activate(server.record.serial, at: now)
            register.exported = exported
        }
        try await update(folder)
        return IdentityKind.clients.map {
            BrokerListener(kind: $0, url: address.url(of: $0, named: names))
        }
    }

    /// The broker that was exported last; `nil` if there is none.
    public func exported() async throws(IdentityError) -> ExportedBroker? {
        try await blocking { [register] () throws(IdentityError) in try register.read().exported }
    }

    /// The folder of the broker that was exported last; `nil` if there is none, or it is gone.
    public func exportedFolder() async throws(IdentityError) -> BrokerFolder? {
        try await blocking { [register] () throws(IdentityError) in
            try register.read().exportedFolder
        }
    }

    /// The folder of an export of this home, or of a copy; it is not made where it is missing.
    /// - Throws: ``IdentityError`` `notFound` where it holds none.
    public func exportedFolder(at path: String) async throws(IdentityError) -> BrokerFolder {
        let authority = try await authority()
        return try await blocking { [home] () throws(IdentityError) in
            try BrokerFolder(path, of: home, authority)
        }
    }

    /// Writes the revocation list and the access control of an exported broker again. A broker that is known to
    /// run from the folder reads them.
    public func update(_ folder: BrokerFolder) async throws(IdentityError) {
        let authority = try await authority()
        let home = home
        // Under the lock of the register, so that no process writes an older list over a newer one.
        try await change { register, now throws(IdentityError) in
            try folder.writeAccess(of: home, &register, authority, at: now)
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

extension IdentityRegister {
    /// The folder of the broker that was exported last; `nil` if there is none, or it is gone.
    var exportedFolder: BrokerFolder? {
        get throws(IdentityError) {
            guard let exported,
                access("\(exported.folder)/\(BrokerFolder.File.revocationList.name)", F_OK) == 0
            else { return nil }
            return try BrokerFolder(exported.folder)
        }
    }
}

extension BrokerFolder {
    /// Writes the next revocation list and the access control, and has the broker read them where it is known to
    /// run.
    func writeAccess(
        of home: HomeID, _ register: inout IdentityRegister, _ authority: HomeAuthority,
        at now: Timestamp
    ) throws(IdentityError) {
        let list = register.nextLists(at: now)
        let lists = try IdentityKind.clients.map { kind throws(IdentityError) in
            try list(kind).pem(signedBy: authority[kind])
        }
        let access = AccessControl(
            home: home, controllers: register.acceptedControllers(at: now),
            barred: register.barredNames(.device, at: now),
            administrator: IdentityAuthority.administrator(of: home))
        try write(lists.joined(), to: .revocationList)
        try write(access.text, to: .accessControl)
        try runningBroker?.reload()
    }
}
