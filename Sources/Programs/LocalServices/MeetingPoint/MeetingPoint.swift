internal import Basics
import Glibc

/// The folder where programs of one user announce themselves to each other: a fleet its private
/// broker, a controller that goes on running its socket.
///
/// Each entry is a file `PID.json` on which its writer holds an exclusive `flock` for as long as it
/// lives. The kernel releases the lock however the process ends, so an entry that can be locked is
/// stale. Readers only try a shared lock, so two readers never take each other for an owner.
package struct MeetingPoint: Sendable {
    /// What a controller finds.
    package enum Finding: Sendable, Equatable {
        /// No private broker runs.
        case none
        /// Exactly one does.
        case one(BrokerAnnouncement)
        /// Several do, by process number: the user has to choose.
        case several([BrokerAnnouncement])
    }

    /// The program's folder, `${XDG_RUNTIME_DIR}/homeport` or `homeport-UID` in the temporary one.
    package let root: String
    /// What a long-lived program and a diagnosis say about the folder; `nil` for nothing.
    package let warning: String?
    /// The folder with the entries of brokers.
    package var brokers: String { folder(of: BrokerAnnouncement.self) }

    /// The user's meeting point, by the environment. All programs of a user come to the same folder.
    ///
    /// Without a usable `XDG_RUNTIME_DIR` it is in the temporary folder; where another user has taken that name
    /// first, in the user's own folder for state.
    /// - Parameter environment: the value of a variable.
    package init(environment: (String) -> String? = ProcessEnvironment.value(of:)) {
        let runtime = ProcessEnvironment.folder("XDG_RUNTIME_DIR", environment)
        if let runtime, Self.isOwnFolder(runtime) {
            self.init(root: runtime + "/homeport")
            return
        }
        let usual =
            (ProcessEnvironment.folder("TMPDIR", environment) ?? "/tmp") + "/homeport-\(geteuid())"
        let isTaken = Self.exists(usual) && !Self.isOwnFolder(usual)
        let state = ProcessEnvironment.stateFolder(environment)
        let root = isTaken ? state.map { $0 + "/homeport/run" } ?? usual : usual
        var reasons: [String] = []
        if let runtime {
            reasons.append("XDG_RUNTIME_DIR is \(runtime), which is no folder of yours")
        }
        if isTaken { reasons.append("another user has made \(usual)") }
        self.init(
            root: root,
            warning: reasons.isEmpty
                ? nil : reasons.joined(separator: ", and ") + "; \(root) is used instead")
    }

    /// A meeting point elsewhere.
    package init(root: String, warning: String? = nil) {
        self.root = root
        self.warning = warning
    }

    /// The folder with the entries of one kind.
    func folder<Entry: Announcement>(of type: Entry.Type) -> String {
        "\(root)/\(Entry.folder)"
    }

    /// Where a program that is announced answers others, if it does.
    package func socket<Entry: Announcement>(of announcement: Entry) -> String {
        "\(folder(of: Entry.self))/\(announcement.processID).sock"
    }

    /// Announces something while the body runs; removes stale entries first.
    ///
    /// - Throws: ``LocalServicesError`` where the folder is not safe to use or not writable, else what
    ///   the body throws; untyped for that reason.
    package func withAnnouncement<Entry: Announcement, R>(
        _ announcement: Entry, _ body: () async throws -> R
    ) async throws -> R {
        let folder = try MeetingPointFolder.opening(root, creating: true)
            .child(Entry.folder, creating: true)
        let entry = try folder.locked { folder throws(LocalServicesError) in
            try folder.removeStaleEntries()
            if let options = announcement.clientOptions {
                try folder.writeClientOptions(options, of: announcement.processID)
            }
            return try folder.write(announcement)
        }
        defer {
            folder.remove(entry)
            folder.removeClientOptions(of: "\(announcement.processID)")
        }
        return try await body()
    }

    /// The brokers whose owners are alive, by process number.
    ///
    /// - Throws: ``LocalServicesError`` where the folder belongs to somebody else or is open to others.
    package func live() throws(LocalServicesError) -> Finding {
        let found = try announcements(of: BrokerAnnouncement.self)
        switch found.count {
        case 0: return .none
        case 1: return .one(found[0])
        default: return .several(found.sorted { $0.processID < $1.processID })
        }
    }

    /// The living broker of exactly this URL, nil where there is none. `localhost` is 127.0.0.1, where
    /// private brokers listen.
    ///
    /// Also nil where the folder is not safe to use: whoever names a broker does not depend on it,
    /// and a broker that asks for a password will say so.
    package func broker(at url: String) -> BrokerAnnouncement? {
        let name = "mqtt://localhost:"
        let numeric = url.hasPrefix(name) ? "mqtt://127.0.0.1:" + url.dropFirst(name.count) : url
        do throws(LocalServicesError) {
            return try announcements(of: BrokerAnnouncement.self).first { $0.url == numeric }
        } catch {
            return nil
        }
    }

    /// The file of an announcement.
    package func path(of announcement: BrokerAnnouncement) -> String {
        "\(brokers)/\(announcement.processID).json"
    }

    /// The folder that mosquitto's clients connect with as their `XDG_CONFIG_HOME`.
    package func clientFolder(of announcement: BrokerAnnouncement) -> String {
        "\(brokers)/\(MeetingPointFolder.clientFolder(of: "\(announcement.processID)"))"
    }

    /// What is announced by programs that are alive.
    /// - Throws: ``LocalServicesError`` where the folder belongs to somebody else or is open to others.
    package func announcements<Entry: Announcement>(
        of type: Entry.Type
    ) throws(LocalServicesError) -> [Entry] {
        guard access(folder(of: type), F_OK) == 0 || errno != ENOENT else { return [] }
        return try MeetingPointFolder.opening(root, creating: false)
            .child(Entry.folder, creating: false).liveAnnouncements(of: type)
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether a path is a folder of this user, and no link to one.
    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid()
    }
}
