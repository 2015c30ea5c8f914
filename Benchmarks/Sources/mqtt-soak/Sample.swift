import Glibc

/// What the process holds at one moment, and what it has done until then.
struct Sample: CustomStringConvertible {
    let round: Int
    let descriptors: Int
    let threads: Int
    let residentKiB: Int
    let counts: Tally.Counts

    init(round: Int, tally: Tally) throws {
        self.round = round
        descriptors = try Self.entries("/proc/self/fd")
        threads = try Self.entries("/proc/self/task")
        residentKiB = try Self.resident()
        counts = tally.now
    }

    var description: String {
        "round \(round): \(descriptors) descriptors, \(threads) threads, \(residentKiB) KiB, "
            + "\(counts.connected) connected, \(counts.reconnects) connects, "
            + "\(counts.published) published, \(counts.received) received, "
            + "\(counts.shortLived) short-lived clients, \(counts.failed) failures, \(counts.dropped) dropped"
    }

    /// Without the one that the listing itself opens.
    private static func entries(_ path: String) throws -> Int {
        guard let folder = opendir(path) else {
            throw SoakError(description: "\(path) cannot be listed: errno \(errno)")
        }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    /// Resident pages, the second number of statm.
    private static func resident() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else {
            throw SoakError(description: "/proc/self/statm cannot be read: errno \(errno)")
        }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        fgets(&line, Int32(line.count), file)
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw SoakError(description: "/proc/self/statm reads \(text)")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_024
    }
}
