internal import DeviceDomain

/// A command of a device: what people may give, what the server is asked, and what shows the effect.
struct MatterCommand: Sendable {
    let specification: CommandSpecification
    /// The requests for arguments that were checked; each is made once the one before was accepted.
    let requests: @Sendable (JSONObject) -> [ServerRequest]
    /// What shows the effect; `nil` where nothing does.
    let proof: @Sendable (JSONObject) -> EffectProof?
}

extension MatterCommand: Hashable {
    /// The closures follow from the node and the specification.
    static func == (left: MatterCommand, right: MatterCommand) -> Bool {
        left.specification == right.specification
    }

    func hash(into hasher: inout Hasher) { hasher.combine(specification) }
}

/// The commands of a device, from its types, clusters and limits.
struct DeviceCommands: Hashable, Sendable {
    /// The commands in the order of endpoints and clusters.
    private(set) var all: [MatterCommand] = []
    private var places: [CommandName: Int] = [:]

    /// The command of a name.
    subscript(name: CommandName) -> MatterCommand? { places[name].map { all[$0] } }

    init(of place: MatterDevice.Place, in node: MatterNode) {
        for endpoint in place.endpoints {
            let commands = EndpointCommands(node: node, endpoint: endpoint).all
            for command in commands { add(command, of: endpoint.number) }
        }
    }

    /// What a second endpoint takes too ends with the number of that endpoint.
    private mutating func add(_ command: MatterCommand, of endpoint: Int) {
        let name = command.specification.name
        guard self[name] != nil else { return append(command) }
        let other = CommandName(rawValue: "\(name.rawValue)-\(endpoint)")
        guard self[other] == nil else { return }
        append(
            MatterCommand(
                specification: command.specification.named(other, endpoint: endpoint),
                requests: command.requests, proof: command.proof))
    }

    private mutating func append(_ command: MatterCommand) {
        places[command.specification.name] = all.count
        all.append(command)
    }
}

extension CommandSpecification {
    /// The same command of another endpoint.
    fileprivate func named(_ name: CommandName, endpoint: Int) -> CommandSpecification {
        CommandSpecification(
            name: name, arguments: arguments, lane: lane, sort: sort, offline: offline, undo: undo,
            sets: sets.map { StateTarget(member: "\($0.member)_\(endpoint)", value: $0.value) })
    }
}

/// The endpoint that a request goes to. Commands keep this, and not the node with all its attributes.
struct RequestTarget: Hashable, Sendable {
    let node: UInt64
    let endpoint: Int

    /// How long a timed interaction may take, in ms.
    static let timedMS = 5000

    /// Invokes a command of a cluster.
    func invoke(
        _ cluster: Int, _ command: String, _ payload: JSONObject = [:], timed: Bool = false
    ) -> ServerRequest {
        .invoke(
            node: node, endpoint: endpoint, cluster: cluster, command: command, payload: payload,
            timedMS: timed ? Self.timedMS : nil)
    }
}

/// The commands of one endpoint.
struct EndpointCommands {
    let node: MatterNode
    let endpoint: NodeEndpoint

    /// The value of an attribute; `nil` where it is not known.
    func value(_ cluster: Int, _ attribute: Int) -> JSONValue? {
        node.value(endpoint.number, cluster, attribute)
    }

    func path(_ cluster: Int, _ attribute: Int) -> AttributePath {
        AttributePath(endpoint.number, cluster, attribute)
    }

    /// Whether the endpoint takes a command of a cluster; true where it does not say.
    func accepts(_ command: Int, of cluster: Int) -> Bool {
        guard let accepted = value(cluster, Cluster.acceptedCommands)?.array else { return true }
        return accepted.contains(.integer(command))
    }

    /// What requests are made with.
    var target: RequestTarget { RequestTarget(node: node.id, endpoint: endpoint.number) }

    func invoke(
        _ cluster: Int, _ command: String, _ payload: JSONObject = [:], timed: Bool = false
    ) -> ServerRequest { target.invoke(cluster, command, payload, timed: timed) }

    /// A command without arguments.
    func verb(
        _ name: CommandName, sort: CommandSort = .setting, lane: CommandLane = .normal,
        sets target: StateTarget? = nil, _ request: ServerRequest, _ proof: EffectProof?
    ) -> MatterCommand {
        MatterCommand(
            specification: CommandSpecification(
                name: name, arguments: .nothing, lane: lane, sort: sort, sets: target),
            requests: { _ in [request] }, proof: { _ in proof })
    }

    /// A command that sets a member of the state to its argument.
    func setting(
        _ name: CommandName, _ argument: String, _ schema: ArgumentSchema, sets member: String,
        _ request: @escaping @Sendable (JSONValue) -> ServerRequest,
        _ proof: @escaping @Sendable (JSONValue) -> EffectProof?
    ) -> MatterCommand {
        MatterCommand(
            specification: CommandSpecification(
                name: name, arguments: .members([argument: schema]), sort: .setting,
                sets: StateTarget(member: member)),
            requests: { [request($0[argument] ?? .null)] },
            proof: { proof($0[argument] ?? .null) })
    }

    /// Every command, as far as the endpoint's types ask for it.
    var all: [MatterCommand] {
        let controls = endpoint.controls
        var commands: [MatterCommand] = []
        if controls.contains(Cluster.onOff) { commands += switching }
        if controls.contains(Cluster.level) { commands.append(brightness) }
        if controls.contains(Cluster.color) { commands += colors }
        if controls.contains(Cluster.doorLock) { commands += locking }
        if controls.contains(Cluster.windowCovering) { commands += covering }
        if controls.contains(Cluster.thermostat) { commands += climate }
        if controls.contains(Cluster.rvcRunMode) { commands += cleaning }
        if controls.contains(Cluster.rvcOperationalState) { commands += moving }
        if controls.contains(Cluster.rvcCleanMode) { commands += cleanMode }
        if controls.contains(Cluster.identify) { commands += locating }
        if controls.contains(Cluster.evse) { commands += charging }
        return commands
    }
}
