internal import Alink
internal import Basics
package import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import Logging

extension AlibabaChannel {
    /// How long before a command's time is over its outcome is looked for last, so that the reason is told where it
    /// stays unknown.
    private static let margin = Duration.milliseconds(300)

    /// The JSON of a call.
    /// - Throws: `cannotExpress` if the device takes no such command.
    package func payload(of intent: CommandIntent) throws(CommunicationError) -> [UInt8] {
        try intent.checkIsPlain(for: "the platform")
        let (_, command) = try command(of: intent)
        try intent.check(against: command.specification)
        let parameters = try intent.requireArguments(command.parameters(intent.arguments))
        return Array(parameters.utf8)
    }

    /// The device of an intent, and the command that it names.
    private func command(
        of intent: CommandIntent
    ) throws(CommunicationError) -> (CloudDevice, ThingCommand) {
        guard let device = hub.device(intent.device) else {
            throw .cannotExpress("the platform does not list \(intent.device)")
        }
        guard let command = device.product.commands[intent.name] else {
            throw intent.unknownCommand(
                of: intent.device.text, knowing: device.product.commands.all.map(\.specification))
        }
        return (device, command)
    }

    /// Sends a command once, and begins to look for its effect. Where its answer is lost this waits until the effect
    /// is seen or the command's time is over.
    /// - Throws: `neverLeft` where nothing was carried out and the command may be sent again; `mayHaveLeft` where
    ///   nobody knows.
    package func send(_ prepared: PreparedCommand) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        let intent = prepared.intent
        guard !work.isClosed else { throw .channelClosed }
        let (device, command) = try command(of: intent)
        guard device.presence != .offline else {
            throw .away("\(intent.device) is offline, as the platform reports")
        }
        let left = intent.expiresAt.since(clock.now.wall)
        guard left > .zero else {
            throw CommunicationError(
                .timedOut, "the command's time is over", certainty: .neverLeft, isRetriable: true)
        }
        let parameters = String(decoding: prepared.payload, as: UTF8.self)
        let outcome = hub.begin(tracked(intent, command, device, parameters))
        do {
            let answer = try await client.call(
                command.request(parameters, to: device.name),
                within: min(PlatformClient.answerTimeout, left))
            taken(intent.id, command, answer)
            lookForEffect(of: intent.id)
            return .confirmed
        } catch {
            return try await refused(intent, error, outcome)
        }
    }

    private func tracked(
        _ intent: CommandIntent, _ command: ThingCommand, _ device: CloudDevice,
        _ parameters: String
    ) -> CloudCommand {
        let watch: CloudCommand.Watch =
            switch command.action {
            case .set(let property):
                .property(
                    property, asked: intent.arguments[property.identifier] ?? .null,
                    since: device.values[property.identifier]?.at)
            case .call(let service): .service(service, arguments: parameters)
            }
        return CloudCommand(
            id: intent.id, device: intent.device, name: device.name, watch: watch,
            sentAt: client.platformTime, expiresAt: intent.expiresAt)
    }

    /// The platform has taken a command on; the device's answer to a synchronous service is in that, too.
    private func taken(_ id: CommandID, _ command: ThingCommand, _ answer: PlatformClient.Answer) {
        let open = hub.openCommand(id)
        hub.taken(
            id, messageID: PlatformAnswer.messageID(in: answer.members, of: answer.body))
        guard case .call(let service) = command.action, service.isSynchronous, let open else {
            return
        }
        let answered = answer.members["Data"]?.object?["Result"] ?? answer.members["Result"]
        let result = answered?.decoded?.object ?? [:]
        hub.end(
            id,
            with: [
                open.evidence(.accepted),
                open.evidence(.succeeded, result: service.result(result)),
            ])
    }

    /// The call failed: what that means for the command.
    private func refused(
        _ intent: CommandIntent, _ failure: PlatformFailure, _ outcome: AnswerSlot<Bool>
    ) async throws(CommunicationError) -> DeliveryReceipt {
        guard let open = hub.openCommand(intent.id) else { return .confirmed }
        switch failure.proof {
        case .refused(let code):
            hub.end(
                intent.id, with: [open.evidence(.rejected, code: code, message: failure.text)])
            return .confirmed
        case .failed:
            hub.end(
                intent.id, with: [open.evidence(.failed, code: .internal, message: failure.text)])
            return .confirmed
        case .throttled, .credentials, .unreachable, .tlsRefused, .unusable:
            hub.end(intent.id)
            throw CommunicationError(failure)
        case .unknown:
            lookForEffect(of: intent.id)
            guard await outcome.value(ifCancelled: false) else {
                throw CommunicationError(
                    .linkLost,
                    "nobody knows whether the platform took the command: \(failure.text)",
                    certainty: .mayHaveLeft)
            }
            return .confirmed
        }
    }

    // MARK: Reading back

    /// Looks for the effect of a command until it is seen or the command's time is over.
    private func lookForEffect(of id: CommandID) {
        work.begin { [weak self] in
            var waits = ReadBackWaits()
            while let self, let command = hub.openCommand(id), !Task.isCancelled {
                let left = command.expiresAt.since(clock.now.wall) - Self.margin
                guard left > .zero else { break }
                await clock.sleep(for: min(waits.next(), left))
                guard hub.openCommand(id) != nil, !Task.isCancelled else { break }
                await readBack(command)
            }
            self?.hub.end(id)
        }
    }

    /// A reading that fails is made again at the next time.
    private func readBack(_ command: CloudCommand) async {
        switch command.watch {
        case .property(let property, _, _):
            guard property.isReadable else { return }
            let failure = await lister.readProperties(of: command.name)
            if let failure { note(failure) }
        case .service(let service, _):
            let start = command.sentAt.advanced(by: .zero - CloudCommand.tolerance)
            do throws(PlatformFailure) {
                let answer = try await client.call(
                    .calls(
                        of: service.identifier, on: command.name, from: start,
                        to: client.platformTime.advanced(by: .seconds(1))))
                let list = answer.members["Data"]?.object?["List"]
                let entries = list?.object?["ServiceInfo"]?.array ?? list?.array ?? []
                hub.recorded(entries.compactMap(RecordedCall.init), of: command.id)
            } catch {
                note(error)
            }
        }
    }

    private func note(_ failure: PlatformFailure) {
        logger.debug("the platform gave no reading", metadata: ["reason": "\(failure.text)"])
    }
}

extension ThingCommand {
    /// The call of the platform.
    fileprivate func request(_ parameters: String, to device: ThingName) -> PlatformRequest {
        switch action {
        case .set: .set(parameters, on: device)
        case .call(let service): .call(service.identifier, parameters, on: device)
        }
    }
}
