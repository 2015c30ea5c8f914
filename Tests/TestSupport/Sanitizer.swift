internal import Glibc

/// The sanitizer that the tests are built with, if any; `make tsan` and `make asan` set its options.
package enum Sanitizer {
    /// Whether there is one; each has terabytes of address space for its notes.
    package static let isBuiltIn = !options.isEmpty
    /// Whether it is AddressSanitizer, which keeps for a while what is freed.
    package static let keepsMemory = options["ASAN_OPTIONS"] != nil

    /// The variables that a child process needs as well.
    static let options: [String: String] = ["ASAN_OPTIONS", "TSAN_OPTIONS"].reduce(into: [:]) {
        options, name in
        options[name] = getenv(name).map { String(cString: $0) }
    }
}
