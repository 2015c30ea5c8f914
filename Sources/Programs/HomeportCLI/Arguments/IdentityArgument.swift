import Homeport
import YAMLText

/// A name on the command line of the verbs about certificates.
struct IdentityArgument {
    private let text: String
    private let isController: Bool

    /// - Parameter isController: whether it is said to be a controller.
    init(_ text: String, isController: Bool) {
        self.text = text
        self.isController = isController
    }

    /// The identity that a new certificate is for: a device of the home unless it is said to be a
    /// controller.
    func newName(in home: HomeID) throws(CommandLineError) -> IdentityName {
        if isController { return .controller(try identifier(text)) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .device(try identifier(text), home: home) }
        guard parts[0] == home.text else {
            throw CommandLineError(
                .wrongInput, "\(text) is not in the home \(home): name its home with --home")
        }
        return .device(try identifier(String(parts[1])), home: home)
    }

    /// The identity that has a certificate: a device where the name does not say what it is and both exist.
    func knownName(in authority: IdentityAuthority) async throws(CommandLineError) -> IdentityName {
        let named = try newName(in: authority.home)
        guard !isController, case .device(let device, _) = named, !text.contains("/"),
            let controller = ControllerID(rawValue: device.text)
        else { return named }
        let known = try await CommandLineError.ofIdentities { () throws(IdentityError) in
            Set(try await authority.records().map(\.name))
        }
        return !known.contains(named) && known.contains(.controller(controller))
            ? .controller(controller) : named
    }

    private func identifier<Role>(_ text: String) throws(CommandLineError) -> Identifier<Role> {
        do {
            return try Identifier(text)
        } catch {
            throw .usage("\(error)")
        }
    }

    /// Reads a certificate request from a file.
    static func request(_ path: String) throws(CommandLineError) -> CertificateRequest {
        let text: String
        do {
            text = try TextFile(path: path, for: "certificate request").text()
        } catch {
            throw CommandLineError(.wrongInput, "\(error)")
        }
        do {
            return try CertificateRequest(pem: text)
        } catch {
            throw CommandLineError(.wrongInput, "\(path): \(error.message)")
        }
    }
}

extension CommonOptions {
    /// The authority of the home that the options name.
    func identityAuthority() throws(CommandLineError) -> IdentityAuthority {
        let home = try inContext().resolvedHome(try configurationFile())
        do {
            return IdentityAuthority(
                home: home, keychain: try StandardKeychain.open(),
                folder: try StandardKeychain.stateFolder() + "/homeport/identity",
                clock: { MachineClock.wallTime })
        } catch {
            throw CommandLineError(error)
        }
    }
}

extension CommandLineError {
    /// Gives an error of the authority this type.
    static func ofIdentities<Value>(
        _ body: () async throws(IdentityError) -> Value
    ) async throws(CommandLineError) -> Value {
        do {
            return try await body()
        } catch {
            throw CommandLineError(error)
        }
    }

    /// The same for a folder, which is made without waiting.
    static func ofFolder<Value>(
        _ body: () throws(IdentityError) -> Value
    ) throws(CommandLineError) -> Value {
        do {
            return try body()
        } catch {
            throw CommandLineError(error)
        }
    }

    private init(_ error: IdentityError) {
        if let keychain = error.underlying {
            self.init(keychain)
            return
        }
        let status: VerbStatus =
            switch error.code {
            case .invalidRequest, .notFound, .alreadyIssued, .tokenRefused, .unwritable,
                .authorityEnded:
                .wrongInput
            case .damaged: .damagedKeychain
            default: .internalError
            }
        self.init(status, error.message)
    }
}
