private import Glibc

/// A wall clock for a program that is wrong or is set while it runs, by the library libfaketime. Its
/// monotonic clock stays as it is.
package final class WrongClock: Sendable {
    /// Where the library lies; `nil` where it is not installed, or where a sanitizer is built in, which must
    /// be loaded before it.
    private static let library: String? = {
        guard !Sanitizer.isBuiltIn else { return nil }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/usr/lib/*/faketime/libfaketimeMT.so.1", 0, nil, &found) == 0 else {
            return nil
        }
        return found.gl_pathv?[0].map { String(cString: $0) }
    }()

    /// Whether there can be one.
    package static var isPossible: Bool { library != nil }

    private let folder: TemporaryFolder

    /// A clock that is so many seconds ahead.
    package init(secondsAhead offset: Int) throws(TestSupportError) {
        folder = try TemporaryFolder()
        try set(secondsAhead: offset)
    }

    /// Sets the clock.
    package func set(secondsAhead offset: Int) throws(TestSupportError) {
        try folder.file("offset", offset < 0 ? "\(offset)" : "+\(offset)")
    }

    /// What the program's environment must have.
    package var environment: [String: String] {
        [
            "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": "\(folder.path)/offset",
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }
}
