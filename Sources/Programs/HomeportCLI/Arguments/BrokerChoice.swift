import Homeport
import LocalServices

/// The broker that a verb talks to, and why that one.
struct BrokerChoice: Sendable {
    /// Who named the broker.
    enum Source: Hashable, Sendable {
        /// `--broker`.
        case option
        /// `HOMEPORT_BROKER`.
        case environment
        /// A running `homeport-sim` with a private broker; its devices live in that home.
        case privateBroker(home: String)
        /// Nobody: the usual place.
        case fallback
    }

    /// The broker that is asked where nothing else is said.
    static let fallbackURL = "mqtt://127.0.0.1:1883"

    /// Where the broker is: several addresses of a cluster, at least one.
    let addresses: [MQTTBrokerAddress]
    /// The first of them.
    var address: MQTTBrokerAddress { addresses[0] }
    /// Who named it.
    let source: Source
    /// The fleet whose private broker it is, whoever named it.
    let fleet: BrokerAnnouncement?

    /// Chooses by CLI.md's order: option, environment, the one live private broker, the usual place.
    /// - Parameter announced: the living private broker of a URL, where it is one.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/usage`` for a URL that is no broker's, and where
    ///   several private brokers live.
    init(
        option: String?, environment: String?, meetingPoint: () throws -> MeetingPoint.Finding,
        announced: (String) -> BrokerAnnouncement? = { _ in nil }
    ) throws(CommandLineError) {
        if let option {
            try self.init(option, .option, named: "--broker", announced)
        } else if let environment {
            try self.init(environment, .environment, named: "HOMEPORT_BROKER", announced)
        } else {
            try self.init(Self.finding(meetingPoint))
        }
    }

    private init(_ finding: MeetingPoint.Finding) throws(CommandLineError) {
        switch finding {
        case .none:
            try self.init(Self.fallbackURL, .fallback, named: "the default") { _ in nil }
        case .one(let broker):
            try self.init(
                broker.url, .privateBroker(home: broker.home),
                named: "the private broker of process \(broker.processID)"
            ) { _ in broker }
        case .several(let brokers):
            let list = brokers.map { "\($0.url) (process \($0.processID))" }
            throw .usage(
                "several private brokers run: \(list.joined(separator: ", ")); "
                    + "choose one with --broker")
        }
    }

    private init(
        _ url: String, _ source: Source, named origin: String,
        _ announced: (String) -> BrokerAnnouncement?
    ) throws(CommandLineError) {
        do {
            addresses = try MQTTBrokerAddress.cluster(urls: url)
            fleet = addresses.count == 1 ? announced(addresses[0].description) : nil
        } catch {
            throw .usage("\(origin): \(error.message)")
        }
        self.source = source
    }

    private static func finding(
        _ look: () throws -> MeetingPoint.Finding
    ) throws(CommandLineError) -> MeetingPoint.Finding {
        do {
            return try look()
        } catch {
            throw .usage("cannot look for a private broker: \(error); pass --broker")
        }
    }
}
