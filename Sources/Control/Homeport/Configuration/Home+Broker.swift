extension Home {
    /// How the first broker of the home is reached; `nil` if no channel of the home has one.
    package var brokerConnection: BrokerConnection? {
        stations.lazy.compactMap(\.setup.connection).first
    }
}
