package import DeviceDomain
internal import DeviceMessages

// What every channel checks that encodes commands in its own way.
extension CommandIntent {
    /// - Parameter dialect: what has neither, as a sentence begins.
    /// - Throws: `cannotExpress` for a dry run, and for a command that depends on a revision.
    package func checkIsPlain(for dialect: String) throws(CommunicationError) {
        guard !isDryRun else {
            throw .cannotExpress("\(dialect) has no dry run; send the command itself")
        }
        guard ifRevision == nil else {
            throw .cannotExpress("\(dialect) has no state revisions; leave ifRevision out")
        }
    }

    /// - Throws: `cannotExpress` for arguments that the command does not take.
    package func check(against specification: CommandSpecification) throws(CommunicationError) {
        do {
            try specification.arguments?.check(arguments)
        } catch {
            throw .cannotExpress("\(name.rawValue): \(error)")
        }
    }

    /// What an encoding returns.
    /// - Throws: `cannotExpress` for `nil`, which stands for a missing argument.
    package func requireArguments<Value>(_ value: Value?) throws(CommunicationError) -> Value {
        guard let value else {
            throw .cannotExpress("an argument of \(name.rawValue) is missing")
        }
        return value
    }

    /// The device takes no such command.
    /// - Parameter known: those that it takes.
    package func unknownCommand(
        of device: String, knowing known: [CommandSpecification]
    ) -> CommunicationError {
        let names = known.map(\.name.rawValue)
        return .cannotExpress(
            "\(device) takes no command \(name.rawValue.debugDescription); it takes "
                + (names.isEmpty ? "none" : names.joined(separator: ", ")))
    }
}
