internal import Connectivity
public import DeviceDomain
public import MatterAdapter

extension ChannelSetup {
    /// A Matter server.
    /// - Parameters:
    ///   - id: names the channel; the ids of its devices begin with it.
    ///   - server: where the server is.
    ///   - authorityFile: the authorities that its certificate may come from, a PEM file; `nil` for those of the
    ///     system.
    ///   - connectTimeout: for the connection and the server's first message together.
    public static func matter(
        id: ChannelID, _ server: MatterServerAddress, authorityFile: String? = nil,
        connectTimeout: Duration = .seconds(10)
    ) -> ChannelSetup {
        @Sendable func channel(_ context: ChannelContext) -> MatterChannel {
            MatterChannel(
                MatterChannelConfiguration(
                    id: id, home: context.home, server: server, authorityFile: authorityFile,
                    connectTimeout: connectTimeout), on: context.eventLoop, logger: context.logger)
        }
        return ChannelSetup(
            id: id, kind: .matter, address: "\(server)",
            diagnose: { await MatterCheck(server: server).findings(over: channel($0)) },
            make: { channel($0) })
    }
}
