internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// A connection that is entered in the table before anything else is done with it.
struct WatchedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: ConnectionTable

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        connections.open(channel)
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
