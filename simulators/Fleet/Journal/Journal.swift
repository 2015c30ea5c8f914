import DeviceDomain
import DeviceSimulation

/// What the devices of one shard must remember beyond a restart (PROTOCOL section 3, rule 6).
///
/// Records go to an append-only file before what they allow leaves the process. When the file has
/// grown well beyond what it says in the end, that is written anew and takes its place.
package struct Journal: Sendable {
    /// Bytes below which a rewrite is not worth its while.
    package static let usualRewriteThreshold = 1 << 20
    /// How many times its rewritten size the file may reach.
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
    /// - Throws: ``FleetError`` if the file takes none of them; then none of what they allow may
    ///   leave.
    mutating func append(_ lines: [JournalLine]) throws(FleetError) {
        guard !lines.isEmpty else { return }
        do throws(SystemFailure) {
            try file.append(Self.frames(lines))
        } catch { throw Self.unusable(file.path, error) }
        for line in lines { fold.apply(line) }
        if file.size > rewriteSize { rewriteIfPossible() }
    }

    /// A rewrite that fails leaves the file as it was, which still says everything; a disk that is
    /// really full shows at the next append.
    private mutating func rewriteIfPossible() {
        do throws(FleetError) {
            try rewrite()
        } catch {
            rewriteSize = file.size * Self.growth
        }
    }

    /// Replaces the file by the shortest one that says the same.
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
                + "could forget: make room or access, or name another directory with --journal")
    }
}
