import Basics
import Glibc

/// What `homeport` reads from its environment.
enum Environment {
    /// The value of a variable; `nil` where it is unset or empty.
    static func value(of name: String) -> String? { ProcessEnvironment.value(of: name) }

    /// Whether there is something at a path.
    static func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
