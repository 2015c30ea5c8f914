/// The connections of a loop by index. A serial number in each reference ensures that a stale reference
/// does not find a newer connection.
struct ConnectionTable {
    /// A weak reference to a connection for closures and timers.
    struct Reference: Hashable, Sendable {
        var index: UInt32
        var serial: UInt64
    }

    private var slots: [(serial: UInt64, driver: MQTTConnectionDriver?)] = []
    private var free: [UInt32] = []
    private var serial: UInt64 = 0
    /// How many sockets were registered.
    private var generation: UInt32 = 0

    /// The capacity of the table.
    var capacity: Int { slots.count }

    /// The connections that are in use.
    var drivers: [MQTTConnectionDriver] { slots.compactMap(\.driver) }

    mutating func reserve() -> Reference {
        serial += 1
        guard let index = free.popLast() else {
            slots.append((serial, nil))
            return Reference(index: UInt32(slots.count - 1), serial: serial)
        }
        slots[Int(index)].serial = serial
        return Reference(index: index, serial: serial)
    }

    subscript(reference: Reference) -> MQTTConnectionDriver? {
        let slot = slots[Int(reference.index)]
        return slot.serial == reference.serial ? slot.driver : nil
    }

    /// The connection whose socket was registered under this token (see ``nextToken(_:)``).
    func driver(forToken token: UInt64) -> MQTTConnectionDriver? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < slots.count, let driver = slots[index].driver,
            driver.socket.token == token
        else { return nil }
        return driver
    }

    /// Identifies the next socket of a connection to the poller, as no earlier socket of this loop: descriptors are reused
    /// at once, generations are not.
    mutating func nextToken(_ reference: Reference) -> UInt64 {
        generation &+= 1
        return UInt64(generation) << 32 | UInt64(reference.index)
    }

    mutating func insert(_ driver: MQTTConnectionDriver, at reference: Reference) {
        slots[Int(reference.index)].driver = driver
    }

    mutating func remove(_ reference: Reference) {
        guard slots[Int(reference.index)].serial == reference.serial else { return }
        slots[Int(reference.index)] = (0, nil)
        free.append(reference.index)
    }
}
