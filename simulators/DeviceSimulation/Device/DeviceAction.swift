package import DeviceDomain
package import DeviceMessages

/// Something that the owner of a device has to do, in the order in which it was asked for.
package enum DeviceAction: Hashable, Sendable {
    /// Make this durable before any later action is carried out.
    case record(JournalRecord)
    /// Publish this; once the broker has confirmed it, hand back `confirming` as
    /// ``DeviceInput/confirmed(_:)``.
    case publish(DevicePublication, confirming: Confirmation? = nil)
    /// The device has made this, whether or not a connection takes it; told only by a device whose owner wants
    /// to know. What it only repeats, after a reconnect or a hello, is not made again.
    case made(DevicePublication)
    /// Count this.
    case count(DeviceCounter)
    /// End the connection without a goodbye, so that the broker publishes the will; connect again
    /// only after ``connect``.
    case dropConnection
    /// Connect again.
    case connect
    /// Have the network reset the connection; it is made again as after any loss.
    case resetConnection
    /// Have the network do what ``ActiveFaults/link`` says now.
    case changeLink
    /// Start the device anew from its record, with a new boot and the faults that it has; its
    /// connection ends without a goodbye.
    case restart
}

/// What a device publishes; topic, QoS and retain flag follow from the case (PROTOCOL section 1).
package enum DevicePublication: Hashable, Sendable {
    /// What the device is.
    case description(DescriptionMessage)
    /// Whether it is there.
    case presence(PresenceMessage)
    /// Its full state.
    case state(StateMessage)
    /// A sample of its signals.
    case telemetry(WrittenSample)
    /// A fact that happened.
    case event(EventMessage)
    /// An answer to a command of this controller.
    case ack(AckMessage, ControllerID)
    /// What a fault makes of one of the others on its way: other bytes, or the same at another time. It is never made.
    indirect case altered(DevicePublication, payload: [UInt8])
}

/// A sample as it goes out: the bytes of a ``TelemetryMessage``, written once for all who want them.
package struct WrittenSample: Hashable, Sendable {
    /// When it was taken (world clock).
    package let at: Timestamp
    /// The payload.
    package let payload: [UInt8]
    /// Whether it waited for a connection before it goes out.
    package var hasWaited = false
}

/// Names the final ack of one command, so that the broker's confirmation finds its entry.
package struct Confirmation: Hashable, Sendable {
    /// The controller and id of the command.
    package let command: CommandKey

    package init(command: CommandKey) { self.command = command }
}

/// Names a command: two controllers may use one id (PROTOCOL section 3, rule 3).
package struct CommandKey: Hashable, Sendable {
    /// Who sent the command.
    package let controller: ControllerID
    /// The command's id.
    package let id: CommandID

    package init(controller: ControllerID, id: CommandID) {
        self.controller = controller
        self.id = id
    }
}
