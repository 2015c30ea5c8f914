import DeviceDomain
import DeviceMessages

extension JSONWriter {
    /// Writes a member of a sample; the members have to come in the order of their names.
    mutating func write(_ number: Double, as signal: Signal) {
        writeName(signal.rawValue)
        write(number)
    }
}
