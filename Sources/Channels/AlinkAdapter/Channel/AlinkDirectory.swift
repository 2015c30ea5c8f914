internal import Alink
internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The devices that were heard, for preparing commands on any thread.
final class AlinkDirectory: Sendable {
    /// The digits of an id: firmware keeps it in 32 bits.
    private static let idBytes = 4

    private let products = Guarded<[DeviceID: ThingProduct?]>([:])

    /// A device was heard.
    /// - Parameter product: `nil` where there is no model of it.
    func add(_ device: DeviceID, _ product: ThingProduct?) {
        products.withLock { $0[device] = .some(product) }
    }

    func remove(_ device: DeviceID) { products.withLock { $0[device] = nil } }

    /// The payload for an intent, with an id that it keeps for good.
    /// - Throws: `cannotExpress` if its device does not take it.
    func payload(of intent: CommandIntent) throws(CommunicationError) -> [UInt8] {
        try intent.checkIsPlain(for: "Alink")
        let command = try command(of: intent)
        try intent.check(against: command.specification)
        let parameters = try intent.requireArguments(command.parameters(intent.arguments))
        return AlinkRequest.payload(
            id: Self.messageID(of: intent.id), parameters: parameters,
            method: command.content.method)
    }

    /// The command that an intent names.
    /// - Throws: `cannotExpress` if its device does not take it.
    func command(of intent: CommandIntent) throws(CommunicationError) -> ThingCommand {
        guard let known = products.withLock({ $0[intent.device] }) else {
            throw .cannotExpress("nothing was heard of \(intent.device) yet")
        }
        guard let product = known else {
            throw .cannotExpress(
                "\(intent.device) takes no commands: the folder of models has no file of its product"
            )
        }
        guard let command = product.commands[intent.name] else {
            throw intent.unknownCommand(
                of: intent.device.text, knowing: product.commands.all.map(\.specification))
        }
        return command
    }

    /// The decimal id of a command's message: a digest, because the ids of two ledgers on one broker must differ
    /// too. Two of a thousand commands of one ledger agree in one of 8,600 cases, and those of one device hardly
    /// ever while both wait for a reply.
    static func messageID(of id: CommandID) -> String {
        let digest = Digest.sha256(id.bytes).prefix(idBytes)
        return "\(digest.reduce(0) { $0 << 8 | Int($1) })"
    }
}

extension ThingCommand {
    /// The topic that the command is sent on.
    var content: AlinkTopic.Content {
        switch action {
        case .set: .setting
        case .call(let service): .service(service.identifier)
        }
    }
}
