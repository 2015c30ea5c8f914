@testable import MQTTClient

extension MosquittoHandle {
    /// One read of the library, in a turn of its own.
    func readOnce() -> MosquittoResult {
        beginReading()
        defer { endReading() }
        return read(fromSocket: true).result
    }
}
