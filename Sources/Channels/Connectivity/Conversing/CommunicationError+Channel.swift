// What every channel says in the same words.
extension CommunicationError {
    /// The channel does not support what is asked for.
    package static func cannotExpress(
        _ message: String, file: StaticString = #fileID, line: UInt = #line
    ) -> CommunicationError {
        CommunicationError(
            .cannotExpress, message, certainty: .neverLeft, file: file, line: line)
    }

    /// The device is known to be offline: nothing was sent.
    package static func away(
        _ message: String, file: StaticString = #fileID, line: UInt = #line
    ) -> CommunicationError {
        CommunicationError(
            .unreachable, message, certainty: .neverLeft, isRetriable: true, file: file, line: line)
    }

    /// The part of the home to replay has no observer.
    package static let notObserved = CommunicationError(
        .notConnected, "this part of the home is not observed; observe it first",
        certainty: .neverLeft)

    /// The channel was closed.
    package static let channelClosed = CommunicationError(
        .closed, "the channel was closed", certainty: .neverLeft)
}
