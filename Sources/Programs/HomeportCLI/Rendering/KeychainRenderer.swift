import Homeport
import TerminalOutput

/// Names of secrets, and where they are, as `keychain` prints them. It never sees a secret.
struct KeychainRenderer: Sendable {
    let format: OutputFormat

    /// The columns of the list of names.
    static let columns: [TextTable.Column] = [.init("NAME")]

    /// These names.
    static func listing(of names: [SecretName]) -> Listing {
        Listing(
            columns,
            names.map { name in
                Listing.Row(name.account) {
                    [.init(name.account)]
                } object: {
                    var line = JSONLine()
                    line.add("name", name.account)
                    return line
                }
            })
    }

    /// The lines for the keychain itself.
    /// - Parameters:
    ///   - count: how many secrets it has; `nil` where there is none, or it cannot be read.
    ///   - own: how many of them are Homeport's, which `list` does not name.
    ///   - error: why it cannot be read.
    func lines(
        for place: KeychainPlace, holding count: Int?, ofItsOwn own: Int, _ error: KeychainError?
    ) -> [String] {
        switch format {
        case .human:
            [
                "backend  \(place.backend)",
                place.file.map { "file     \($0.printable)" },
                place.key.map { "key      \($0.text.printable)" },
                "secrets  \(Self.summary(count, own) ?? (error == nil ? "none yet" : "not readable"))",
            ].compactMap(\.self)
        case .json: [line(for: place, count, error).text]
        }
    }

    private static func summary(_ count: Int?, _ own: Int) -> String? {
        count.map { own == 0 ? "\($0)" : "\($0), of which \(own) homeport's own" }
    }

    private func line(
        for place: KeychainPlace, _ count: Int?, _ error: KeychainError?
    ) -> JSONLine {
        var line = JSONLine()
        line.add("backend", place.backend)
        line.add("file", place.file)
        line.add("key", place.key?.keyFile)
        line.add("source", place.key?.word)
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

    fileprivate var text: String {
        switch self {
        case .keyFile(let path): "in the file \(path)"
        case .passphrase(let path): "from the passphrase in \(path)"
        case .systemd(let name): "the credential \(name) of the service"
        }
    }
}
