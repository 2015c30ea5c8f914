#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The environment of the process.
package enum ProcessEnvironment {
    /// The value of a variable; `nil` where it is unset or empty.
    package static func value(of name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    /// The user's folder for state: `$XDG_STATE_HOME` if it is absolute, as the XDG base directory
    /// specification asks, else `~/.local/state`; `nil` where the user has no home folder.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    package static func stateFolder(
        _ environment: (String) -> String? = value(of:)
    ) -> String? {
        folder("XDG_STATE_HOME", environment)
            ?? folder("HOME", environment).map { $0 + "/.local/state" }
    }

    /// The user's folder for configuration: `$XDG_CONFIG_HOME`, else `~/.config`, by the same rules.
    package static func configurationFolder(
        _ environment: (String) -> String? = value(of:)
    ) -> String? {
        folder("XDG_CONFIG_HOME", environment)
            ?? folder("HOME", environment).map { $0 + "/.config" }
    }

    /// The absolute path that a variable has as its value, without a slash at its end; `nil` for a relative one.
    package static func folder(
        _ name: String, _ environment: (String) -> String? = value(of:)
    ) -> String? {
        guard let path = environment(name), path.hasPrefix("/") else { return nil }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
