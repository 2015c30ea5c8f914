internal import Keychain

/// What is wrong with the user's keychain. Changes nothing.
struct KeychainCheck: Sendable {
    /// What was found.
    static func finding() async -> Finding {
        do throws(KeychainError) {
            let keychain = try StandardKeychain.open()
            guard let count = try await keychain.check() else {
                return .ok(.keychain, "there is no keychain, and none is needed")
            }
            let place = keychain.place.file ?? "the secret service of the session"
            return .ok(.keychain, "the secrets of \(place) can be read: \(count)")
        } catch {
            return .problem(.keychain, error.message, remedy: remedy(for: error))
        }
    }

    private static func remedy(for error: KeychainError) -> String {
        switch error.code {
        case .damaged: "restore the file from a copy, or move it away and store the secrets again"
        case .unsafe: "close the file and its folders to others, and change the secrets"
        case .wrongKey: "restore the key file, or correct HOMEPORT_KEYCHAIN_KEY"
        case .invalidKeySource: "correct HOMEPORT_KEYCHAIN and HOMEPORT_KEYCHAIN_KEY"
        case .unavailable: "log in to a desktop session, or unset HOMEPORT_KEYCHAIN"
        default: "check the permissions of the file and its folder"
        }
    }
}
