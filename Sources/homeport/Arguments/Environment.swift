import Glibc

/// The environment variables that `homeport` reads.
enum Environment {
    /// The value of a variable; `nil` where it is unset or empty.
    static func value(of name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }
}
