import DeviceDomain
import DeviceMessages

extension JSONWriter {
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
