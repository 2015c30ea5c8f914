import DeviceDomain
import Fleet

/// The samples of devices that a reader did not hear: gaps in their numbers (PROTOCOL section 2).
struct SampleGaps {
    private struct Device {
        var boot: BootID
        var last: Int
        /// Numbers up to the last one that were not heard.
        var missing: Set<Int> = []
        /// How many of former boots were never heard, and those that are too many to be kept.
        var lost = 0
    }

    /// The most numbers of a device that are kept in case they come late: 60 do (PROTOCOL section 2).
    private static let mostKept = 1000

    private var devices: [DeviceKey: Device] = [:]

    /// Notes a sample.
    mutating func note(_ number: Int, of boot: BootID, _ key: DeviceKey) {
        guard var device = devices[key] else {
            devices[key] = Device(boot: boot, last: number)
            return
        }
        if device.boot != boot {
            // What was lost around a restart has no number.
            device.lost += device.missing.count
            (device.boot, device.last, device.missing) = (boot, number, [])
        } else if number <= device.last {
            device.missing.remove(number)
        } else {
            let gap = (device.last + 1)..<number
            if gap.count + device.missing.count <= Self.mostKept {
                device.missing.formUnion(gap)
            } else {
                device.lost += gap.count
            }
            device.last = number
        }
        devices[key] = device
    }

    /// How many samples of devices were not heard, and the first of them by name.
    func lost(of keys: Set<DeviceKey>) -> (count: Int, first: DeviceKey?) {
        var count = 0
        var first: DeviceKey?
        for (key, device) in devices where keys.contains(key) {
            let lost = device.lost + device.missing.count
            count += lost
            if lost > 0 { first = min(first ?? key, key) }
        }
        return (count, first)
    }
}
