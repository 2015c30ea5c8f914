import ArgumentParser
import Glibc
import Homeport

/// Where the Wi-Fi password comes from.
enum WiFiPassword: Hashable, Sendable, ExpressibleByArgument {
    private static let prefix = "keychain:"

    /// The first line of stdin; an empty one is for an open network.
    case firstLine
    /// The keychain.
    case keychain(SecretName)
    /// Something else, which may be the password itself and is therefore not kept: what the parser refuses, it prints.
    case other

    /// `-` or `keychain:NAME`; never the password itself, which other users could read in the list of processes.
    init?(argument: String) {
        if argument == "-" {
            self = .firstLine
        } else if argument.hasPrefix(Self.prefix),
            case .success(let name) = Result(catching: {
                try SecretName(String(argument.dropFirst(Self.prefix.count)))
            })
        {
            self = .keychain(name)
        } else {
            self = .other
        }
    }

    /// Refuses what names no place.
    static func check(_ choice: WiFiPassword?, of option: String) throws {
        guard choice != .other else { throw ValidationError("\(option): \(remedy)") }
    }

    private static let remedy =
        "give keychain:NAME, or - for the first line of stdin, and not the secret itself, which other "
        + "users can read in the list of processes"

    /// Reads the password.
    /// - Parameter choice: `nil` asks for it on the terminal, without echo.
    static func read(
        _ choice: WiFiPassword?, from keychain: any KeychainService
    ) async throws(CommandLineError) -> Secret {
        try usable(await contents(of: choice, in: keychain))
    }

    /// - Throws: ``CommandLineError`` with ``VerbStatus/wrongInput`` for a password that no network can have.
    private static func usable(_ password: Secret) throws(CommandLineError) -> Secret {
        guard let error = ProvisioningError(unusable: password) else { return password }
        throw CommandLineError(.wrongInput, error.message)
    }

    private static func contents(
        of choice: WiFiPassword?, in keychain: any KeychainService
    ) async throws(CommandLineError) -> Secret {
        do throws(KeychainError) {
            switch choice {
            case .firstLine: return try SecretInput.readLine()
            case .keychain(let name):
                if let secret = try await keychain.get(name) { return secret }
                throw KeychainError(
                    .notFound,
                    "the keychain has no secret \(name); 'homeport keychain set \(name)' stores one"
                )
            case .other: throw KeychainError(.invalidSecret, Self.remedy)
            case nil: break
            }
            guard isatty(STDIN_FILENO) == 1 else {
                throw KeychainError(
                    .invalidSecret,
                    "stdin is no terminal to ask for the Wi-Fi password: pass --password - or "
                        + "--password keychain:NAME")
            }
            return try SecretInput.readLine(prompt: "Wi-Fi password: ")
        } catch {
            throw CommandLineError(error)
        }
    }

    /// The first line of stdin.
    static func firstLine() throws(CommandLineError) -> Secret {
        do throws(KeychainError) {
            return try SecretInput.readLine()
        } catch {
            throw CommandLineError(error)
        }
    }

    /// Another secret that is named in the same way, such as the dataset of a Thread network.
    func secret(in keychain: any KeychainService) async throws(CommandLineError) -> Secret {
        try await Self.contents(of: self, in: keychain)
    }

    /// Asks a person at a terminal for another password.
    /// - Returns: `nil` for an empty line, and where stdin is no terminal.
    static func askAgain() throws(CommandLineError) -> Secret? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let password: Secret
        do throws(KeychainError) {
            password = try SecretInput.readLine(
                prompt: "Another Wi-Fi password (none to give up): ")
        } catch {
            throw CommandLineError(error)
        }
        return password.count > 0 ? try usable(password) : nil
    }
}
