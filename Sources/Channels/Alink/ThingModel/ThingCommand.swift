package import DeviceDomain

/// A command of a device with a thing model: what users see of it, and what it is on the wire.
package struct ThingCommand: Hashable, Sendable {
    /// What the command is on the wire.
    package enum Action: Hashable, Sendable {
        /// Sets a property.
        case set(ThingProperty)
        /// Calls a service.
        case call(ThingService)
    }

    /// Its specification for users.
    package let specification: CommandSpecification
    /// What it is on the wire.
    package let action: Action

    /// The property whose report shows the effect; `nil` if no report does.
    package var effect: ThingProperty? {
        switch action {
        case .set(let property): property.isReadable ? property : nil
        case .call: nil
        }
    }

    /// The JSON object of the call: `{"Power":1}` for a property, the inputs for a service.
    /// - Parameter arguments: they fit the specification.
    /// - Returns: `nil` if they do not.
    package func parameters(_ arguments: JSONObject) -> String? {
        switch action {
        case .set(let property):
            let fields = [ThingField(property.identifier, property.type)]
            return arguments[property.identifier] == nil
                ? nil : ThingType.wire(arguments, of: fields)
        case .call(let service): return ThingType.wire(arguments, of: service.inputs)
        }
    }
}

/// The commands of the devices of one thing model.
///
/// | In the model | Command |
/// |---|---|
/// | a property `WorkMode` that can be set | `set-work-mode WorkMode=…` |
/// | a service `StartClean` | `start-clean`, its inputs as arguments |
///
/// A name that another entry has already gets a number: `set-work-mode-2`.
package struct ThingCommands: Hashable, Sendable {
    /// The commands in the order of the model.
    package private(set) var all: [ThingCommand] = []
    /// Entries for which there is no command, and why.
    package private(set) var omissions: [String] = []
    private var places: [CommandName: Int] = [:]

    package init(_ model: ThingModel) {
        for property in model.properties where property.isSettable {
            let name = "set-\(property.identifier.kebabCase)"
            add(name, of: property.identifier, .set(property)) { name in
                CommandSpecification(
                    name: name, arguments: .members([property.identifier: property.type.schema]),
                    sort: property.isReadable ? .setting : .instant,
                    sets: property.isReadable ? StateTarget(member: property.identifier) : nil)
            }
        }
        for service in model.services {
            add(service.identifier.kebabCase, of: service.identifier, .call(service)) { name in
                CommandSpecification(
                    name: name, arguments: .fields(service.inputs), sort: .instant)
            }
        }
    }

    /// The command of a name.
    package subscript(name: CommandName) -> ThingCommand? { places[name].map { all[$0] } }

    private mutating func add(
        _ name: String, of identifier: String, _ action: ThingCommand.Action,
        _ specification: (CommandName) -> CommandSpecification
    ) {
        // Names of commands must be easy to type, so the grammar of event names applies to them.
        guard EventName(rawValue: name) != nil else {
            omissions.append("\(identifier.brief): it makes no name of a command")
            return
        }
        var free = CommandName(rawValue: name)
        var number = 1
        while places[free] != nil {
            number += 1
            free = CommandName(rawValue: "\(name)-\(number)")
        }
        places[free] = all.count
        all.append(ThingCommand(specification: specification(free), action: action))
    }
}
