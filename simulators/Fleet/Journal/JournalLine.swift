package import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// Names a device across homes.
package struct DeviceKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Its home.
    package let home: HomeID
    /// The device within it.
    package let device: DeviceID

    package init(home: HomeID, device: DeviceID) {
        self.home = home
        self.device = device
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.home, left.device) < (right.home, right.device)
    }

    package var description: String { "\(home)/\(device)" }
}

/// One line of the journal.
struct JournalLine: Hashable, Sendable {
    /// What it says about the device.
    enum Content: Hashable, Sendable {
        /// The device was started.
        case boot(BootCount)
        /// Something that must outlive a restart.
        case record(JournalRecord)
    }

    let key: DeviceKey
    let content: Content
    /// What the world clock showed when it was written; only one line of those that were written together has it.
    var world: Timestamp?

    init(key: DeviceKey, content: Content, world: Timestamp? = nil) {
        self.key = key
        self.content = content
        self.world = world
    }
}

extension JournalLine {
    /// The line of the journal, without its frame.
    var bytes: [UInt8] {
        var json = JSONWriter(reserving: JournalFrame.usualLength)
        json.writeObject { json in
            switch content {
            case .boot(let boot):
                json.writeName("boot")
                json.write(boot.count)
                writeKey(to: &json)
                json.writeName("since")
                json.write(boot.since.milliseconds)
            case .record(let record):
                writeKey(to: &json)
                json.writeName("record")
                record.write(to: &json)
            }
            guard let world else { return }
            json.writeName("world")
            json.write(world.milliseconds)
        }
        return json.bytes
    }

    private func writeKey(to json: inout JSONWriter) {
        json.writeName("device")
        json.write(key.device.text)
        json.writeName("home")
        json.write(key.home.text)
    }

    /// A record may be so large and deep, and its line a little more.
    private static let limits = JSONLimits(
        bytes: JournalRecord.limits.bytes + 1024, depth: JournalRecord.limits.depth + 1)

    /// Reads a line.
    /// - Throws: what is wrong with it, in words.
    init(bytes: [UInt8]) throws {
        let members = try JSONReader.read(bytes, limits: Self.limits).object ?? [:]
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:))
        else { throw UnreadableLine(reason: "home and device are missing") }
        key = DeviceKey(home: home, device: device)
        world = members["world"]?.integer.map(Timestamp.init(milliseconds:))
        if let count = members["boot"]?.integer, let since = members["since"]?.integer {
            content = .boot(BootCount(count: count, since: Timestamp(milliseconds: since)))
        } else if let record = members["record"] {
            content = .record(try JournalRecord(json: record))
        } else {
            throw UnreadableLine(reason: "it holds neither boot nor record")
        }
    }
}

/// A complete line of the journal that this version cannot interpret.
struct UnreadableLine: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}
