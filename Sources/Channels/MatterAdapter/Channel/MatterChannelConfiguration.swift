public import DeviceDomain

/// Server and timing of a ``MatterChannel``.
public struct MatterChannelConfiguration: Sendable {
    /// Names the channel; the ids of its devices begin with it.
    public var id: ChannelID
    /// The home that the server's devices belong to. No other home is served.
    public var home: HomeID
    /// The server.
    public var server: MatterServerAddress
    /// The authorities that the server's certificate may come from, a PEM file; `nil` for those of the system.
    public var authorityFile: String?
    /// For the connection and the server's first message together.
    public var connectTimeout: Duration
    /// For the list of all nodes, which may have 20 MB.
    public var listDeadline: Duration
    /// When the effects of commands are read back.
    public var readBack: MatterReadBackTiming

    public init(
        id: ChannelID, home: HomeID, server: MatterServerAddress, authorityFile: String? = nil,
        connectTimeout: Duration = .seconds(10), listDeadline: Duration = .seconds(60),
        readBack: MatterReadBackTiming = MatterReadBackTiming()
    ) {
        self.id = id
        self.home = home
        self.server = server
        self.authorityFile = authorityFile
        self.connectTimeout = connectTimeout
        self.listDeadline = listDeadline
        self.readBack = readBack
    }
}
