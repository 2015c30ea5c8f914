public import DeviceDomain
internal import MatterAdapter

extension Home {
    /// What brings Matter devices onto the server of a channel.
    /// - Throws: ``HomeError`` `unknownChannel` where the home has no such channel of kind `matter`.
    public func commissioner(on channel: ChannelID) throws(HomeError) -> MatterCommissioner {
        guard let place = observation.channel(channel), let server = place.base as? MatterChannel
        else { throw .unknownChannel(channel, kind: .matter, in: self) }
        return MatterCommissioner(of: self, at: place.setup.address, server)
    }
}

extension HomeError {
    fileprivate static func unknownChannel(
        _ channel: ChannelID, kind: ChannelKind, in home: Home
    ) -> HomeError {
        let known = home.configuration.channels.filter { $0.kind == kind }.map(\.id.text)
        return HomeError(
            .unknownChannel,
            "the home \(home.id) has no channel \(channel) of kind \(kind.rawValue); "
                + (known.isEmpty
                    ? "add one to the configuration file"
                    : "it has \(known.joined(separator: ", "))"))
    }
}
