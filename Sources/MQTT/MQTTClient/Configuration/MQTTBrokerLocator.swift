/// Finds a broker whose address or credentials change while a program runs.
///
/// A connection asks before each attempt, and once more before it sends the credentials. Both calls come on the
/// thread of the event loop, so they must return at once.
package protocol MQTTBrokerLocator: Sendable {
    /// The broker that ``location()`` returned last, for messages.
    var latest: MQTTBrokerAddress { get }

    /// Whether it looks for whichever broker runs, because nobody named one.
    var followsMeetingPoint: Bool { get }

    /// The brokers that end with the program that started them, and run now; ``latest`` is one of these
    /// where it is among them.
    var privateBrokers: [MQTTBrokerAddress] { get }

    /// Where the broker is now, and what it asks for.
    /// - Throws: why there is nothing to connect to. It counts as a failed attempt.
    func location() throws(MQTTError) -> MQTTBrokerLocation

    /// The TCP connection to a location is established, and CONNECT is sent next.
    ///
    /// Because somebody has accepted the connection already, a broker that is still alive now is the one at
    /// the other end.
    /// - Throws: why CONNECT must not be sent there. It counts as a failed attempt.
    func confirm(_ location: MQTTBrokerLocation) throws(MQTTError)
}

/// A broker as an ``MQTTBrokerLocator`` finds it.
package struct MQTTBrokerLocation: Sendable, Hashable {
    /// The broker.
    package var broker: MQTTBrokerAddress
    /// User name and password, if the broker asks for them.
    package var credentials: MQTTCredentials?

    package init(_ broker: MQTTBrokerAddress, credentials: MQTTCredentials? = nil) {
        self.broker = broker
        self.credentials = credentials
    }
}

extension MQTTConfiguration {
    /// Asks the locator, if there is one, where the broker is now.
    mutating func locateBroker() throws(MQTTError) {
        guard let location = try locator?.location() else { return }
        broker = location.broker
        broker.usesTLS = security.tls != nil
        credentials = location.credentials
    }
}
