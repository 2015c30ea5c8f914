/// What a device counts instead of answering it.
package enum DeviceCounter: String, Hashable, Sendable, CaseIterable {
    /// A command came with the retain flag set and was dropped (rule 1).
    case retainedCommand = "retained-command"
    /// A command was not readable as far as its controller and id (rule 2).
    case unreadableCommand = "unreadable-command"
    /// A byte-identical command came again and was answered from the record (rule 3).
    case duplicateCommand = "duplicate-command"
    /// An expired command may be one whose record was evicted; it was dropped (rule 4).
    case evictedCommand = "evicted-command"
    /// No record could be made of a command; the controller keeps resending it.
    case fullRecord = "full-record"
    /// A desired document could not be read or does not fit the device.
    case unreadableDesired = "unreadable-desired"
    /// A retained or too frequent `hello` was ignored.
    case ignoredHello = "ignored-hello"
    /// Another connection announced itself with this device's name.
    case foreignPresence = "foreign-presence"
    /// An offline on the own presence topic is being repaired.
    case presenceRepair = "presence-repair"
    /// An event happened while too many others waited for a connection.
    case droppedEvent = "dropped-event"
    /// A sample was taken while too many others waited for a connection.
    case droppedSample = "dropped-sample"
    /// A fault was injected that devices of this kind cannot have.
    case foreignFault = "foreign-fault"
}
