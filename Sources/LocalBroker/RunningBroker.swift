/// A private broker that listens.
package struct RunningBroker: Sendable {
    /// Where clients find it: `mqtt://127.0.0.1:PORT`.
    package let url: String
    /// Its port on 127.0.0.1.
    package let port: UInt16
    /// Who may connect; nobody else can.
    package let credentials: BrokerCredentials
    /// Its process.
    package let processID: Int32
    /// The version it reports.
    package let version: String
    /// One element, its last log lines, should it end before it is asked to; finishes without one
    /// otherwise. Holds that one element until it is read.
    package let unexpectedEnd: AsyncStream<[String]>
}
