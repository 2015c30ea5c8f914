import Glibc
import SystemPackage

/// An entry of the meeting point, held by its lock.
struct HeldEntry: ~Copyable {
    /// The file's name in its folder.
    let name: String
    /// The open file that carries the lock.
    let descriptor: UniqueDescriptor
}

extension MeetingPointFolder {
    /// No entry is longer than this, in bytes.
    private static let entryLimit = 4_096

    /// Runs the body while no other process adds or removes entries. Others hold the lock only for
    /// microseconds.
    func locked<R: ~Copyable>(
        _ body: (borrowing MeetingPointFolder) throws(LocalServicesError) -> R
    ) throws(LocalServicesError) -> R {
        do throws(Errno) {
            try descriptor.lock(LOCK_EX)
        } catch { throw Self.refused("lock", path, error) }
        defer { flock(descriptor.number, LOCK_UN) }
        return try body(self)
    }

    /// Writes an entry for this process and holds it.
    ///
    /// The file is complete and locked before it gets its final name, so that readers never see half
    /// of it.
    func write(_ announcement: some Announcement) throws(LocalServicesError) -> HeldEntry {
        let name = "\(announcement.processID).json"
        let draft = "\(announcement.processID).new"
        do throws(Errno) {
            let file = try make(draft, announcement.json)
            guard renameat(descriptor.number, draft, descriptor.number, name) == 0 else {
                throw .last
            }
            return HeldEntry(name: name, descriptor: file)
        } catch { throw Self.refused("write", "\(path)/\(name)", error) }
    }

    /// A new file for this user only, locked, in place of one of that name.
    func make(_ name: String, _ bytes: [UInt8]) throws(Errno) -> UniqueDescriptor {
        unlinkat(descriptor.number, name, 0)
        let file = try UniqueDescriptor(
            name, in: descriptor.number, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        try file.lock(LOCK_EX | LOCK_NB)
        try file.write(bytes)
        return file
    }

    /// Removes an entry of this process.
    func remove(_ entry: borrowing HeldEntry) {
        unlinkat(descriptor.number, entry.name, 0)
    }

    /// Removes every entry and draft whose owner has ended, and the socket that it left.
    func removeStaleEntries() throws(LocalServicesError) {
        for name in try names() where name.hasSuffix(".json") || name.hasSuffix(".new") {
            guard let file = open(name), Self.isStale(file) else { continue }
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
    ) throws(LocalServicesError) -> [Entry] {
        var found: [Entry] = []
        var isStale = false
        for name in try names() where name.hasSuffix(".json") {
            guard let file = open(name) else { continue }
            guard !Self.isStale(file) else {
                isStale = true
                continue
            }
            guard let bytes = Self.content(of: file), let announcement = try? Entry(json: bytes),
                name == "\(announcement.processID).json"
            else { continue }
            found.append(announcement)
        }
        // Where another process has the lock, that one removes them.
        if isStale, flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 {
            defer { flock(descriptor.number, LOCK_UN) }
            try removeStaleEntries()
        }
        return found
    }

    private func open(_ name: String) -> UniqueDescriptor? {
        try? UniqueDescriptor(name, in: descriptor.number, O_RDONLY | O_NONBLOCK)
    }

    /// Whether no process holds the exclusive lock.
    private static func isStale(_ file: borrowing UniqueDescriptor) -> Bool {
        flock(file.number, LOCK_SH | LOCK_NB) == 0
    }

    /// The bytes of an entry; `nil` if another user owns it, it is no regular file, or it is too long.
    private static func content(of file: borrowing UniqueDescriptor) -> [UInt8]? {
        guard let status = try? file.status(), status.st_uid == geteuid(),
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: entryLimit + 1)
        let count = pread(file.number, &bytes, bytes.count, 0)
        return count >= 0 && count <= entryLimit ? Array(bytes[..<count]) : nil
    }

    /// The names in the folder.
    func names() throws(LocalServicesError) -> [String] {
        let copy = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let listing = fdopendir(copy) else {
            throw Self.refused("read", path, .last)
        }
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
