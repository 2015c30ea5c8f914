import Glibc

/// The directory of a journal, held by one fleet at a time.
///
/// The lock is `flock`'s: the kernel drops it with the process, however that ends. It is the first process of a fleet
/// that has it. The others join the directory, and hold the files that they write.
package struct JournalDirectory: Sendable {
    /// Where it is.
    package let path: String
    private let isPrivate: Bool
    private let lock: OwnedDescriptor?

    private static let lockName = "lock"
    /// The name of a private directory's lock before it is locked: a file `lock` that can be locked
    /// has no living owner.
    private static let lockDraftName = "lock.new"
    private static let privatePrefix = "homeport-sim-"

    /// Opens the directory, making it and its parents for this user alone (0700) where missing.
    /// - Throws: ``FleetError`` if it cannot be made, or another process holds it.
    package init(path: String) throws(FleetError) {
        try Self.make(path)
        try self.init(existing: path, isPrivate: false)
        try takeOverFormerFile()
    }

    /// The directory that the first process of this fleet holds.
    package init(joining path: String) {
        self.path = path
        isPrivate = false
        lock = nil
    }

    /// A new temporary directory that ``release()`` deletes. Directories that killed processes left
    /// behind are deleted first.
    package static func temporary() throws(FleetError) -> JournalDirectory {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        removeAbandoned(in: parent)
        var template = Array("\(parent)/\(privatePrefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw unusable("make a private directory in \(parent)", SystemFailure.last)
        }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return try JournalDirectory(existing: path, isPrivate: true)
    }

    private init(existing path: String, isPrivate: Bool) throws(FleetError) {
        let lockPath = "\(path)/\(Self.lockName)"
        let name = isPrivate ? "\(path)/\(Self.lockDraftName)" : lockPath
        let lock: OwnedDescriptor
        do throws(SystemFailure) {
            lock = try OwnedDescriptor(opening: name, O_RDWR | O_CREAT)
        } catch {
            throw Self.unusable("open \(name)", error)
        }
        self.path = path
        self.isPrivate = isPrivate
        self.lock = lock
        try take(lock)
        guard isPrivate, rename(name, lockPath) != 0 else { return }
        throw Self.unusable("name \(lockPath)", SystemFailure.last)
    }

    /// Releases the directory after the last write: deletes a private one with its content, unlocks
    /// one that the user named.
    package func release() {
        if isPrivate { Self.remove(path) }
        if let lock { flock(lock.number, LOCK_UN) }
    }

    /// Removes a private directory with all that is in it. Links are not followed.
    private static func remove(_ path: String) {
        for name in names(in: path) where unlink("\(path)/\(name)") != 0 {
            remove("\(path)/\(name)")
        }
        rmdir(path)
    }

    /// Removes this user's private directories whose owners are dead: their locks can be taken.
    private static func removeAbandoned(in parent: String) {
        for name in names(in: parent) where name.hasPrefix(privatePrefix) {
            removeIfAbandoned("\(parent)/\(name)")
        }
    }

    /// What a directory holds; nothing if it cannot be read.
    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func removeIfAbandoned(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & S_IFMT == S_IFDIR,
            let lock = try? OwnedDescriptor(opening: "\(path)/\(lockName)", O_RDWR | O_NOFOLLOW),
            flock(lock.number, LOCK_EX | LOCK_NB) == 0
        else { return }
        remove(path)
    }

    private func take(_ lock: OwnedDescriptor) throws(FleetError) {
        if flock(lock.number, LOCK_EX | LOCK_NB) == 0 { return Self.sign(lock) }
        let failure = SystemFailure.last
        guard failure.number == EWOULDBLOCK else { throw Self.unusable("lock \(path)", failure) }
        throw FleetError(
            .journalInUse,
            "journal \(path) is in use by another homeport-sim\(Self.holder(of: lock)); "
                + "stop that one, or give this one a directory of its own with --journal")
    }

    /// Notes our process id in the lock, for the message of whoever finds it taken.
    private static func sign(_ lock: OwnedDescriptor) {
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(lock.number, 0) == 0 else { return }
        _ = pwrite(lock.number, text, text.count, 0)
    }

    private static func holder(of lock: OwnedDescriptor) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(lock.number, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return Int32(text.prefix { $0.isNumber }).map { " (process \($0))" } ?? ""
    }

    private static func make(_ path: String) throws(FleetError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let failure = SystemFailure.last
        guard failure.number == ENOENT, let slash = path.lastIndex(of: "/"),
            slash != path.startIndex
        else { throw unusable("make the directory \(path)", failure) }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw unusable("make the directory \(path)", SystemFailure.last)
        }
    }

    private static func unusable(_ deed: String, _ failure: SystemFailure) -> FleetError {
        FleetError(
            .journalUnusable,
            "journal: cannot \(deed): \(failure); name a writable directory with --journal")
    }
}
