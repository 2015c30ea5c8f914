import Glibc

/// An entry of the meeting point, held by its lock.
struct HeldEntry: ~Copyable {
    /// The file's name in its folder.
    let name: String
    /// The open file that carries the lock.
    let descriptor: Descriptor
}

extension PrivateFolder {
    /// No entry is longer than this, in bytes.
    private static let entryLimit = 4_096

    /// Runs the body while no other process adds or removes entries. Others hold the lock only for
    /// microseconds.
    func locked<R: ~Copyable>(
        _ body: (borrowing PrivateFolder) throws(LocalBrokerError) -> R
    ) throws(LocalBrokerError) -> R {
        guard flock(descriptor.number, LOCK_EX) == 0 else { throw Self.refused("lock", path) }
        defer { flock(descriptor.number, LOCK_UN) }
        return try body(self)
    }

    /// Writes an entry for this process and holds it.
    ///
    /// The file is complete and locked before it gets its final name, so that readers never see half
    /// of it.
    func write(_ announcement: some Announcement) throws(LocalBrokerError) -> HeldEntry {
        let name = "\(announcement.processID).json"
        let draft = "\(announcement.processID).new"
        unlinkat(descriptor.number, draft, 0)
        let file = Descriptor(
            openat(
                descriptor.number, draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        )
        let bytes = announcement.json
        guard file.isOpen, flock(file.number, LOCK_EX | LOCK_NB) == 0,
            Glibc.write(file.number, bytes, bytes.count) == bytes.count,
            renameat(descriptor.number, draft, descriptor.number, name) == 0
        else { throw Self.refused("write", "\(path)/\(name)") }
        return HeldEntry(name: name, descriptor: file)
    }

    /// Removes an entry of this process.
    func remove(_ entry: borrowing HeldEntry) {
        unlinkat(descriptor.number, entry.name, 0)
    }

    /// Runs the body as ``locked(_:)`` does, unless another process has the lock.
    private func lockedIfFree(
        _ body: (borrowing PrivateFolder) throws(LocalBrokerError) -> Void
    ) throws(LocalBrokerError) {
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(descriptor.number, LOCK_UN) }
        try body(self)
    }

    /// Removes every entry and draft whose owner has ended, and the socket that it left.
    func removeStaleEntries() throws(LocalBrokerError) {
        for name in try names() where name.hasSuffix(".json") || name.hasSuffix(".new") {
            let file = open(name)
            guard file.isOpen, Self.isStale(file) else { continue }
            unlinkat(descriptor.number, name, 0)
            let process = name.prefix { $0 != "." }
            unlinkat(descriptor.number, "\(process).sock", 0)
            removeClientOptions(of: process)
        }
    }

    /// The entries whose owners are alive; other files in the folder are ignored. What owners have left that ended
    /// without a word is removed, with the password in it.
    func liveAnnouncements<Entry: Announcement>(
        of type: Entry.Type
    ) throws(LocalBrokerError) -> [Entry] {
        var found: [Entry] = []
        var isStale = false
        for name in try names() where name.hasSuffix(".json") {
            let file = open(name)
            guard file.isOpen else { continue }
            guard !Self.isStale(file) else {
                isStale = true
                continue
            }
            guard let bytes = Self.content(of: file),
                let announcement = Entry(json: bytes),
                name == "\(announcement.processID).json"
            else { continue }
            found.append(announcement)
        }
        if isStale {
            try lockedIfFree { folder throws(LocalBrokerError) in try folder.removeStaleEntries() }
        }
        return found
    }

    private func open(_ name: String) -> Descriptor {
        Descriptor(
            openat(descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    }

    /// Whether no process holds the exclusive lock.
    private static func isStale(_ file: borrowing Descriptor) -> Bool {
        flock(file.number, LOCK_SH | LOCK_NB) == 0
    }

    /// The bytes of an entry; `nil` if another user owns it, it is no regular file, or it is too long.
    private static func content(of file: borrowing Descriptor) -> [UInt8]? {
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: entryLimit + 1)
        let count = pread(file.number, &bytes, bytes.count, 0)
        return count >= 0 && count <= entryLimit ? Array(bytes[..<count]) : nil
    }

    /// The names in the folder.
    func names() throws(LocalBrokerError) -> [String] {
        let copy = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let listing = fdopendir(copy) else { throw Self.refused("read", path) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                        String(cString: $0)
                    }
                })
        }
        return names
    }
}
