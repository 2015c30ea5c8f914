internal import Basics
public import Connectivity
public import DeviceDomain
internal import DeviceMessages
public import Logging
public import MQTTClient
internal import MQTTLink

/// One WebSocket to a Matter server (python-matter-server, matterjs-server), shared by the conversations with its
/// devices.
///
/// The actor runs on its event loop. On every connection it asks for all nodes with `start_listening`, and then hears
/// what changes. A lost connection is made again for ever; then what changed meanwhile is reported.
///
/// A command is `sent` once the server has answered that the device accepted it. Its effect is what the device reports
/// afterwards, or what is read from it. Nothing that may have left is sent again.
public actor MatterChannel: ConversingChannel {
    public nonisolated let kind = ChannelKind.matter
    public nonisolated let traits: ChannelTraits = [.delivery, .effect, .order]
    /// Devices report attributes only, which are their state.
    public nonisolated let reportsTelemetry = false
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that the channel runs on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: MatterChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let directory: CommandDirectory
    package nonisolated let listeners: ChannelListeners
    nonisolated let links = LinkAnnouncements()

    var link = ServerLink()
    var model: NodeModel
    var outstanding: OutstandingCommands
    /// The commands whose answer is waited for before the next one is sent.
    var receipts: [CommandID: AnswerSlot<OutstandingCommands.Handover>] = [:]
    /// Requests about new devices.
    var pending = PendingRequests()

    /// A channel that connects when it is opened or observed.
    public init(
        _ configuration: MatterChannelConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.matter")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        listeners = ChannelListeners(of: configuration.id, in: configuration.home)
        directory = CommandDirectory(configuration.id)
        model = NodeModel(channel: configuration.id, home: configuration.home)
        outstanding = OutstandingCommands(configuration.readBack)
    }

    /// Waits until the server has listed its nodes.
    /// - Throws: ``CommunicationError``: `unreachable`, or `other-schema` for a server that speaks another schema.
    public func open() async throws(CommunicationError) { try await waitUntilListening() }

    /// Closes the connection and ends every stream. Commands that wait for an answer are not waited for.
    public func close() async {
        switch link.phase {
        case .connecting(let socket, let timer), .listing(let socket, _, let timer):
            timer.cancel()
            socket.close()
        case .listening(let socket): socket.close()
        case .waiting(_, let retry): retry.cancel()
        case .idle, .closed: break
        }
        link.phase = .closed
        link.resolve(.failure(.channelClosed))
        run(outstanding.endAll())
        pending.linkLost()
        listeners.finish()
        links.close(as: .lost(.channelClosed, retryIn: nil))
    }

    /// The link's state now and its changes. For a slow consumer the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { links.states() }

    /// The schemas and the version of the server, as it told them last.
    package func serverSummary() -> String? {
        link.info.map { info in
            "schema \(info.schema)" + (info.version.isEmpty ? "" : ", Matter SDK \(info.version)")
        }
    }

    /// How many devices there are, and how many of them cannot be reached.
    package func deviceCounts() -> (all: Int, unreachable: Int) {
        let devices = model.devices.keys
        return (devices.count, devices.count { model.isReachable($0) == false })
    }
}

/// Keys of log metadata.
enum MatterLogKey {
    /// Why something failed.
    static let reason = "reason"
}
