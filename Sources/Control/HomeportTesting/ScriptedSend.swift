public import Connectivity
public import DeviceDomain
public import DeviceMessages

/// A command that was sent over a ``ScriptedChannel``.
public struct ScriptedSend: Hashable, Sendable, Identifiable {
    /// The command with its bytes.
    public let command: PreparedCommand
    /// Which send it was, from 1.
    public let attempt: Int

    public init(command: PreparedCommand, attempt: Int) {
        self.command = command
        self.attempt = attempt
    }

    public var id: CommandID { command.id }

    /// The device's acknowledgements of it, numbered from 1.
    public func acknowledged(_ stages: AckStage..., revision: Int? = nil)
        -> [DeviceObservation.Content]
    {
        stages.enumerated().map { position, stage in
            .evidence(evidence(stage, n: position + 1, revision: revision))
        }
    }

    /// One acknowledgement of the device.
    public func evidence(
        _ stage: AckStage, n: Int = 1, code: AckCode = .ok, message: String = "",
        result: JSONObject = [:], revision: Int? = nil
    ) -> CommandEvidence {
        CommandEvidence(
            id: id, device: command.intent.device, source: .device, stage: stage, code: code,
            message: message, result: result, revision: revision, n: n)
    }
}
