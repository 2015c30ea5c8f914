public import Connectivity

extension ChannelKind {
    /// A Matter server, which is reached by a WebSocket.
    public static let matter = ChannelKind(rawValue: "matter")
}
