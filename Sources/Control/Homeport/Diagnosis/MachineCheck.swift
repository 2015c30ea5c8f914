internal import DeviceControl
internal import MQTTClient
internal import Persistence

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What this machine gives the program. Changes nothing.
struct MachineCheck: Sendable {
    /// Descriptors for several channels, the ledger and what the system needs.
    private static let fewestFiles = 128

    /// How many files the process may open.
    let openFiles: Int

    /// The limits of this process.
    init() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        openFiles = Int(clamping: limit.rlim_cur)
    }

    init(openFiles: Int) { self.openFiles = openFiles }

    /// What was found.
    var findings: [Finding] { [versions, files] }

    private var versions: Finding {
        do throws(LedgerError) {
            let database = try LedgerDatabase.libraryVersion()
            return .ok(
                .versions,
                "libmosquitto \(MQTTLibraryVersions.mosquitto), \(MQTTLibraryVersions.openSSL), "
                    + "SQLite \(database)")
        } catch {
            return .problem(.versions, "SQLite does not work: \(error)", remedy: "reinstall SQLite")
        }
    }

    private var files: Finding {
        guard openFiles < Self.fewestFiles else {
            return .ok(.limits, "this process may open \(openFiles) files")
        }
        return .warning(
            .limits, "this process may open \(openFiles) files only",
            remedy: "raise the limit with ulimit -n 1024")
    }
}
