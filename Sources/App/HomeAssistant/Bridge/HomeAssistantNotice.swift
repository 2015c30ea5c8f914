public import Homeport

/// What a bridge tells a person.
public enum HomeAssistantNotice: Sendable, CustomStringConvertible {
    /// The broker is away and is tried again.
    case waiting(HomeAssistantError)
    /// A message was refused; nothing was sent.
    case refused(HomeAssistantError)
    /// A command could not be sent.
    case notSent(DeviceID, CommandName, HomeError)
    /// A command has ended without success, or its outcome is unknown.
    case ended(CommandRecord)

    public var description: String {
        switch self {
        case .waiting(let error): "\(error); trying again until interrupted"
        case .refused(let error): "\(error)"
        case .notSent(let device, let command, let error):
            "\(device) \(command.rawValue): \(error)"
        case .ended(let record):
            "\(record.intent.device) \(record.intent.name.rawValue): \(record.state.rawValue)"
                + (record.progress.message.isEmpty ? "" : " (\(record.progress.message))")
                + ", id \(record.id)"
        }
    }
}
