public import DeviceDomain

/// What is open for other brokers than the home's.
public protocol MovingCommands: Sendable {
    /// The commands that are open or unknown and were meant for another place, newest first.
    func elsewhere(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]

    /// Lets them belong to the channels of this home from now on, because it has moved.
    /// - Returns: them, as they stand after that.
    func moveHere(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]
}

/// Where the channels of a home lead, so that one ledger tells homes of the same name at two brokers apart: a
/// command for one broker is never sent at another.
public struct CommandPlaces: Hashable, Sendable {
    /// Where a channel leads.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// As the ledger has it, and as messages name it.
        public let description: String

        /// A place as the ledger has it.
        public init(_ description: String) { self.description = description }

        /// A broker.
        /// - Parameters:
        ///   - url: its address.
        ///   - isPrivate: whether it belongs to a running fleet and ends with it.
        public init(broker url: String, isPrivate: Bool) {
            description = isPrivate ? url + Self.privately : url
        }

        /// Whether it is a broker that ends with its fleet.
        public var isPrivate: Bool { description.hasSuffix(Self.privately) }

        /// Ends the text of a private broker.
        public static let privately = " (private)"
    }

    /// Where each channel leads now; a channel without a place sends whatever was prepared for it.
    public var here: [ChannelID: Place]
    /// All addresses of the clusters to which channels lead.
    public var others: Set<Place> = []
    /// The private brokers that run.
    public var running: Set<Place>

    public init(here: [ChannelID: Place] = [:], running: Set<Place> = []) {
        self.here = here
        self.running = running
    }

    /// Whether a command belongs to these channels. A fleet that is started again has another private broker,
    /// so what was meant for one that has ended belongs to the one that runs.
    public func include(_ place: Place?) -> Bool {
        guard let place, !here.isEmpty else { return true }
        return here.values.contains(place) || others.contains(place)
            || (followsFleet && isEnded(place))
    }

    /// Whether a place is a private broker that has ended.
    public func isEnded(_ place: Place) -> Bool { place.isPrivate && !running.contains(place) }

    /// Whether one of the channels leads to a private broker.
    public var followsFleet: Bool { here.values.contains(where: \.isPrivate) }
}
