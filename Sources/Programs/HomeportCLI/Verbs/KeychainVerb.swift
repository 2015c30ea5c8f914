import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport keychain`.
struct KeychainVerb: HomeVerb {
    /// What it does.
    enum Action: String, ExpressibleByArgument, CaseIterable {
        case list, set, remove, rotate, doctor
    }

    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Stores secrets by name, encrypted; never prints one.",
        discussion: """
            Examples: homeport keychain set broker < broker.credentials
                      homeport devices --credentials-file keychain:broker
                      homeport keychain list

            'set' reads the secret from stdin to its end, without one newline there, or from the \
            terminal without echo. 'rotate' makes a new master key. 'doctor' tells where keychain and \
            key are, and what is wrong with them.

            The keychain is $XDG_STATE_HOME/homeport/keychain. Its master key is in a file beside \
            it, made at the first 'set', or where HOMEPORT_KEYCHAIN_KEY says: file:PATH, \
            passphrase:PATH (the first line of a file) or systemd:NAME (a credential of the \
            service, 32 bytes). HOMEPORT_KEYCHAIN=secret-service uses the secret service of the \
            desktop session by libsecret instead.

            \(VerbStatus.help(
                [
                    .done, .usage, .wrongInput, .internalError, .damagedKeychain, .unsafeKeychain,
                    .wrongKey,
                ], but: [.wrongInput: "there is no secret of that name"]))
            """)

    @Argument(
        help: ArgumentHelp("What to do.", valueName: "list|set|remove|rotate|doctor"))
    var action: Action

    @Argument(help: ArgumentHelp("The name of the secret, for set and remove.", valueName: "name"))
    var secret: String?

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(visibility: .hidden) var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func validate() throws {
        let takesName = action == .set || action == .remove
        if takesName, secret == nil {
            throw ValidationError("name the secret: 'homeport keychain \(action.rawValue) NAME'")
        }
        if !takesName, let secret {
            throw ValidationError("\(action.rawValue) takes no name: leave out '\(secret)'")
        }
        if action != .list, list.isGiven {
            throw ValidationError("-o, --sort and --columns are for 'keychain list'")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let console = call.console
        let style = try list.style(common, of: KeychainRenderer.columns)
        do throws(KeychainError) {
            let keychain = try StandardKeychain.open()
            switch action {
            case .list: try await listNames(keychain, style, console)
            case .set: try await set(keychain)
            case .remove: try await remove(keychain)
            case .rotate: try await keychain.rotate()
            case .doctor: try await examine(keychain, console)
            }
        } catch {
            throw CommandLineError(error)
        }
        return .done
    }

    private var renderer: KeychainRenderer { KeychainRenderer(format: common.format) }

    private func listNames(
        _ keychain: any UserKeychain, _ style: ListStyle, _ console: Console
    ) async throws(KeychainError) {
        let all = try await keychain.keys()
        let names = all.filter { $0.service == SecretName.userService }
        let others = all.count - names.count
        let own =
            others == 0
            ? "" : " of yours, and \(others) of homeport's own, such as the keys of 'identity'"
        console.write(
            KeychainRenderer.listing(of: names), style,
            ifEmpty: "the keychain has no secrets\(own); 'homeport keychain set NAME' stores one")
    }

    private func set(_ keychain: any UserKeychain) async throws(KeychainError) {
        let name = try SecretName(secret ?? "")
        try await keychain.set(try SecretInput.read(), for: name)
    }

    private func remove(_ keychain: any UserKeychain) async throws(KeychainError) {
        let name = try SecretName(secret ?? "")
        guard try await keychain.remove(name) else {
            throw KeychainError(
                .notFound,
                "the keychain has no secret \(name); 'homeport keychain list' lists the names")
        }
    }

    /// The description is a result also where something is wrong.
    private func examine(
        _ keychain: any UserKeychain, _ console: Console
    ) async throws(KeychainError) {
        do {
            let count = try await keychain.check()
            let names = count == nil ? [] : try await keychain.keys()
            let own = names.filter { $0.service != SecretName.userService }.count
            console.write(renderer.lines(for: keychain.place, holding: count, ofItsOwn: own, nil))
        } catch {
            console.write(renderer.lines(for: keychain.place, holding: nil, ofItsOwn: 0, error))
            throw error
        }
    }
}

extension CommandLineError {
    /// A keychain could not do what it was asked.
    init(_ error: KeychainError) {
        let status: VerbStatus =
            switch error.code {
            case .invalidName, .invalidSecret, .invalidKeySource: .usage
            case .notFound: .wrongInput
            case .damaged: .damagedKeychain
            case .unsafe: .unsafeKeychain
            case .wrongKey: .wrongKey
            default: .internalError
            }
        self.init(status, error.message)
    }
}
