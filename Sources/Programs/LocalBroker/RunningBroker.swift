package import LocalServices

/// A private broker that listens.
package struct RunningBroker: Sendable {
    /// Where clients find it: `mqtt://127.0.0.1:PORT`.
    package let url: String
    /// Its port on 127.0.0.1.
    package let port: UInt16
    /// Its owner, who may do everything.
    package let credentials: BrokerCredentials
    /// Its process.
    package let processID: Int32
    /// The version it reports.
    package let version: String
    /// Yields the last log lines once if the broker ends before it is asked to; otherwise finishes
    /// without an element. Buffers that one element.
    package let unexpectedEnd: AsyncStream<[String]>
}
