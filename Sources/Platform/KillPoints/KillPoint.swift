/// A place at which a test can end the process without a goodbye, to see what survives.
///
/// A debug build reads `HOMEPORT_KILL_POINT`: the points that are passed one after the other, such as
/// `K2,K4`. At the last one the process kills itself. Where `HOMEPORT_KILL_WHEN` names a file, passes
/// count from the moment at which the file exists. A release build has no such code.
package enum KillPoint: String, Sendable, CaseIterable {
    /// The controller is about to begin the transaction that takes commands in.
    case beforeAccepting = "K0"
    /// It has written the commands and has not committed.
    case beforeCommit = "K1"
    /// The commands are in the ledger; nothing was sent.
    case accepted = "K2"
    /// A command is about to be given to the link.
    case beforeSending = "K3"
    /// A message was given to the MQTT client, which has written nothing yet.
    case givenToClient = "K4"
    /// The broker has confirmed a command; the ledger does not say so.
    case confirmed = "K6"
    /// An ack has arrived; the ledger does not have it.
    case ackReceived = "K7"
    /// The end of a command is in the ledger and was not shown.
    case beforeShowing = "K8"
    /// Within a transaction: the events of a change are written, the change itself is not.
    case betweenEventAndState = "K9"
    /// The log of the database is about to be copied into it.
    case beforeCheckpoint = "K10"
    /// Within a transaction: the schema was made or changed, and is not committed.
    case migrating = "K11"
    /// Within a transaction: samples are in the history, and are not committed.
    case historyWritten = "H0"
    /// Within a transaction: samples became means, or old ones are removed, and that is not committed.
    case historyPacked = "H1"
    /// A run of a rule is in the ledger; nothing of it was done.
    case ruleTaken = "R0"
    /// The commands of a run are in the ledger; that it has ended is not.
    case ruleCarriedOut = "R1"
    /// A device has received a command and has decided nothing.
    case deviceReceived = "D0"
    /// The records of a device are in its journal; nothing was published.
    case deviceRecorded = "D1"
    /// A device has carried out a command; its journal does not have the end.
    case deviceActed = "D2"
    /// The end of a command is in the journal of its device; the final ack was not published.
    case deviceFinished = "D3"
    /// What a device says was given to the MQTT client.
    case devicePublished = "D4"
    /// The broker has confirmed a message of a device.
    case deviceConfirmed = "D5"
    /// A boxed device has received a request and has decided nothing.
    case boxReceived = "B0"
    /// What a boxed device remembers is in its file; nothing was answered or begun.
    case boxSaved = "B1"
    /// A boxed device has answered a request.
    case boxAnswered = "B2"
    /// A boxed device has joined a network and goes to its broker.
    case boxEntering = "B3"

    /// Ends the process here if a test wants it.
    /// - Parameter isReached: whether this pass counts; looked at in a debug build only.
    package func pass(if isReached: @autoclosure () -> Bool = true) {
        #if KILL_POINTS
            if let plan = KillPlan.current, isReached() { plan.pass(self) }
        #endif
    }
}
