internal import DeviceDomain
internal import DeviceMessages
internal import Glibc
internal import Keychain

/// How the connections of one name at an exported broker are ended: what to connect with, and what to
/// publish. The certificate is valid for a few minutes and only while it is lent.
public struct BrokerAdministration: Sendable {
    /// Where to connect.
    public let url: String
    /// Checks the broker.
    public let authorityFile: String
    /// Shows who asks.
    public let certificateFile: String
    /// The key of ``certificateFile``.
    public let keyFile: String
    /// Where the broker takes commands.
    public let topic: String
    /// The command.
    public let payload: [UInt8]
}

/// What became of the connections of a name.
public enum ConnectionEnding<Failure> {
    /// The broker has ended them.
    case ended
    /// The broker has no plugin for it.
    case noPlugin
    /// The broker could not be asked.
    case failed(Failure)
}

extension IdentityAuthority {
    /// Lends what it takes to end the connections of a name.
    /// - Parameter body: asks the broker, and returns why it could not; `nil` if it could.
    public func ending<Failure>(
        _ name: IdentityName, at folder: BrokerFolder,
        _ body: (BrokerAdministration) async -> Failure?
    ) async throws(IdentityError) -> ConnectionEnding<Failure> {
        guard let url = try folder.administrationURL else { return .noPlugin }
        let key = IdentityKey()
        let (authority, now) = (try await authority(), now)
        let certificate = try authority.controllers.issueAdministrator(
            Self.administrator(of: home), key.request, from: now)
        let base = "\(folder.path)/authority-\(getpid())"
        try IdentityFiles.write(key.pem, to: base + ".key")
        defer { for suffix in [".key", ".crt"] { unlink(base + suffix) } }
        try IdentityFiles.write(certificate, to: base + ".crt")
        let failure = await body(
            BrokerAdministration(
                url: url, authorityFile: folder[.authorities], certificateFile: base + ".crt",
                keyFile: base + ".key", topic: AccessControl.administrationTopic,
                payload: Self.command(ending: name)))
        return failure.map { .failed($0) } ?? .ended
    }

    /// mosquitto ends the connections of a user that is added, and of one that is removed. It shall know none.
    private static func command(ending name: IdentityName) -> [UInt8] {
        let commands = ["createClient", "deleteClient"].map { command -> JSONValue in
            ["command": .string(command), "username": .string(name.commonName)]
        }
        return JSONWriter.write(["commands": .array(commands)])
    }
}

extension BrokerFolder {
    /// Where the listener of controllers is, on this machine; `nil` where the broker has no plugin.
    /// - Throws: ``IdentityError`` `notFound` where nothing was exported.
    fileprivate var administrationURL: String? {
        get throws(IdentityError) {
            let lines = try read(.configuration).split(separator: "\n")
            let listeners = lines.filter { $0.hasPrefix("listener ") }.compactMap { line in
                let parts = line.split(separator: " ")
                return parts.count == 3
                    ? ListenerAddress("[\(parts[2])]:\(parts[1])")
                        ?? ListenerAddress("\(parts[2]):\(parts[1])") : nil
            }
            guard let address = listeners.first else {
                throw IdentityError(
                    .damaged,
                    "\(self[.configuration]) was changed and names no listener: run 'homeport identity "
                        + "export' again")
            }
            guard lines.contains(where: { $0.hasPrefix("plugin ") }) else { return nil }
            return address.url(of: .controller)
        }
    }

    func read(_ file: File) throws(IdentityError) -> String {
        do throws(KeychainError) {
            if let contents = try PrivateFile(path: self[file]).read() {
                return contents.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
        } catch {
            throw IdentityError(error)
        }
        throw IdentityError(
            .notFound,
            "\(path) has no exported broker: 'homeport identity export' writes one")
    }
}
