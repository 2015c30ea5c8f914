import Homeport

/// Names of secrets, and where they are, as `keychain` prints them. It never sees a secret.
struct KeychainRenderer: Sendable {
    let format: OutputFormat

    /// The lines for names.
    func lines(for names: [SecretName]) -> [String] {
        switch format {
        case .human: names.map { $0.account.printable }
        case .json:
            names.map { name in
                var line = JSONLine()
                line.add("name", name.account)
                return line.text
            }
        }
    }

    /// The lines for the keychain itself.
    /// - Parameters:
    ///   - count: how many secrets it has; `nil` where there is none, or it cannot be read.
    ///   - error: why it cannot be read.
    func lines(
        for keychain: EncryptedFileKeychain, holding count: Int?, _ error: KeychainError?
    ) -> [String] {
        switch format {
        case .human:
            [
                "backend  encrypted file", "file     \(keychain.path.printable)",
                "key      \(keychain.keySource.words.printable)",
                "secrets  \(count.map(String.init) ?? (error == nil ? "none yet" : "not readable"))",
            ]
        case .json: [line(for: keychain, count, error).text]
        }
    }

    private func line(
        for keychain: EncryptedFileKeychain, _ count: Int?, _ error: KeychainError?
    ) -> JSONLine {
        var line = JSONLine()
        line.add("backend", "encrypted-file")
        line.add("file", keychain.path)
        line.add("key", keychain.keySource.keyFile)
        line.add("source", keychain.keySource.word)
        line.add("secrets", error == nil ? count ?? 0 : nil)
        line.add("problem", error?.code.rawValue)
        return line
    }
}

extension MasterKeySource {
    /// The key file, where there is one.
    fileprivate var keyFile: String? { if case .keyFile(let path) = self { path } else { nil } }

    fileprivate var word: String {
        switch self {
        case .keyFile: "file"
        case .passphrase: "passphrase"
        case .systemd: "systemd"
        }
    }

    fileprivate var words: String {
        switch self {
        case .keyFile(let path): "in the file \(path)"
        case .passphrase(let path): "from the passphrase in \(path)"
        case .systemd(let name): "the credential \(name) of the service"
        }
    }
}
