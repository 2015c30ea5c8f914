import DeviceDomain
import DeviceSimulation

/// What the devices of one shard must remember beyond a restart (PROTOCOL section 3, rule 6).
///
/// Records are appended to a file before the messages that depend on them are sent. When the file
/// has grown far beyond its compacted size, a compacted copy replaces it.
package struct Journal: Sendable {
    /// The size in bytes below which the file is not compacted.
    package static let usualRewriteThreshold = 1 << 20
    /// The file is compacted when it exceeds its last compacted size by this factor.
    private static let growth = 4

    private let directory: JournalDirectory
    private let rewriteThreshold: Int
    private var file: JournalFile
    private var fold: JournalFold
    private var rewriteSize: Int

    /// Opens the journal of a directory, cutting off a torn tail.
    ///
    /// - Parameter rewriteThreshold: bytes below which the file is left to grow.
    /// - Throws: ``FleetError`` if it cannot be read, or is damaged before its end.
    package init(
        in directory: JournalDirectory, rewriteThreshold: Int = Self.usualRewriteThreshold
    ) throws(FleetError) {
        let path = "\(directory.path)/\(JournalFile.name)"
        let bytes: [UInt8]
        do throws(SystemFailure) {
            file = try JournalFile(path: path)
            bytes = try file.contents()
        } catch { throw Self.unusable(path, error) }
        let reading = try JournalReading(bytes, of: path)
        fold = reading.fold
        self.directory = directory
        self.rewriteThreshold = rewriteThreshold
        rewriteSize = rewriteThreshold
        try cutTail(to: reading.wholeLength)
    }

    /// The file's length in bytes.
    package var size: Int { file.size }

    /// The sum of all lines.
    var remembered: JournalFold { fold }

    /// How often a device has been started.
    func boot(of key: DeviceKey) -> BootCount? { fold[key].boot }

    /// What a device remembers.
    func state(of key: DeviceKey) -> DeviceJournalState { fold[key].state }

    /// Makes lines durable against the end of this process, all in one write.
    /// - Throws: ``FleetError`` if they cannot be written; then no message that depends on them
    ///   may be sent.
    mutating func append(_ lines: [JournalLine]) throws(FleetError) {
        guard !lines.isEmpty else { return }
        do throws(SystemFailure) {
            try file.append(Self.frames(lines))
        } catch { throw Self.unusable(file.path, error) }
        for line in lines { fold.apply(line) }
        if file.size > rewriteSize { rewriteIfPossible() }
    }

    /// A failed rewrite leaves the complete old file in place; if the disk is full, the next append
    /// reports it.
    private mutating func rewriteIfPossible() {
        do throws(FleetError) {
            try rewrite()
        } catch {
            rewriteSize = file.size * Self.growth
        }
    }

    /// Replaces the file by its compacted form.
    mutating func rewrite() throws(FleetError) {
        let draftPath = "\(directory.path)/\(JournalFile.draftName)"
        do throws(SystemFailure) {
            var draft = try JournalFile(path: draftPath, truncating: true)
            try draft.append(JournalReading.header + Self.frames(fold.lines))
            file = try draft.placed(at: file.path)
        } catch { throw Self.unusable(draftPath, error) }
        rewriteSize = max(rewriteThreshold, file.size * Self.growth)
    }

    private mutating func cutTail(to length: Int) throws(FleetError) {
        do throws(SystemFailure) {
            if length < file.size { try file.truncate(to: length) }
            if file.size == 0 { try file.append(JournalReading.header) }
        } catch { throw Self.unusable(file.path, error) }
    }

    private static func frames(_ lines: [JournalLine]) -> [UInt8] {
        lines.reduce(into: []) { JournalFrame.append($1.bytes, to: &$0) }
    }

    private static func unusable(_ path: String, _ failure: SystemFailure) -> FleetError {
        FleetError(
            .journalUnusable,
            "journal \(path) cannot be used: \(failure); devices must not acknowledge what they "
                + "could forget: free disk space, fix its permissions, or name another directory with --journal"
        )
    }
}
