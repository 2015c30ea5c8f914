@testable import MQTTClient

extension MosquittoHandle {
    /// One that has sent its CONNECT to a broker on this machine.
    static func connecting(
        _ configuration: MQTTConfiguration, _ buffers: SharedLibraryBuffers
    ) throws -> MosquittoHandle {
        let handle = try MosquittoHandle(
            configuration: configuration, clientID: configuration.clientID, cleanStart: true,
            tls: nil, buffers: buffers)
        _ = handle.connect(
            to: "127.0.0.1", port: configuration.broker.port, configuration: configuration)
        while handle.wantsToWrite { _ = handle.write() }
        return handle
    }

    /// One read of the library, in a turn of its own.
    func readOnce() -> MosquittoResult {
        beginReading()
        defer { endReading() }
        return read(fromSocket: true).result
    }
}

extension TestOwner {
    /// Without batching, its loop behaves as in a program that does not link the replacement of `read` and `write`.
    func setBatching(_ isBatching: Bool) {
        loop.core.buffers.isBatching = isBatching
    }
}
