import DeviceDomain
import DeviceMessages

extension JSONWriter {
    /// What of a device's world survives a restart: one object, whose members `body` writes in the order of their names.
    static func members(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reserving: 224)
        json.writeObject(body)
        return json.bytes
    }

    /// Writes a member that no sample has.
    mutating func write(_ number: Double, as name: String) {
        writeName(name)
        write(number)
    }

    /// Writes a member that no sample has.
    mutating func write(_ flag: Bool, as name: String) {
        writeName(name)
        write(flag)
    }

    /// Writes a member of a sample; the members have to come in the order of their names.
    mutating func write(_ number: Double, as signal: Signal) {
        writeName(signal.rawValue)
        write(number)
    }

    /// Writes a member of a sample, rounded to 0 to 3 decimals.
    mutating func write(_ number: Double, decimals: Int, as signal: Signal) {
        writeName(signal.rawValue)
        write(number, decimals: decimals)
    }
}
