extension Home {
    /// How the first broker of the home is reached; `nil` if no channel of the home has one.
    public var brokerConnection: BrokerConnection? {
        stations.lazy.compactMap(\.setup.connection).first
    }
}
