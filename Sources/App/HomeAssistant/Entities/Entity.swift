import Homeport

/// One entity of Home Assistant: how it is described, where its state comes from, what its commands
/// mean.
struct Entity: Hashable, Sendable {
    /// What kind of entity it is.
    let component: EntityComponent
    /// Names it among the entities of its kind of one device; fit for a topic.
    let key: String
    /// Its name beside that of the device; `nil` for a device's main entity.
    let name: String?
    /// The members of its description that only this entity has.
    var members: JSONObject = [:]
    /// Where its state comes from.
    var reading = Reading.none
    /// What its commands mean.
    var order = Order.none

    /// Where the state of an entity comes from.
    enum Reading: Hashable, Sendable {
        /// It has no state.
        case none
        /// A member of the device's telemetry or state.
        case member(String)
        /// A member, as far as it is a number.
        case number(String)
        /// A member, as far as its text is one of these.
        case choice(String, of: [String])
        /// The state of a switch, light, lock or cover.
        case pair(CommandPair)
        /// A truth value of the device's state, negated where it says the opposite of the entity.
        case truth(String, isNegated: Bool)
        /// An argument that the bridge keeps for a later command.
        case draft(Draft)
        /// What a robot does, and its fan speed.
        case vacuum(fanMember: String?)
        /// A setting whose value no member reports.
        case unreported
    }

    /// What the commands of an entity mean.
    enum Order: Hashable, Sendable {
        /// It takes none.
        case none
        /// A setting with this one argument.
        case setting(CommandName, argument: String, ArgumentSchema)
        /// An argument is kept for a later command.
        case keep(Draft)
        /// A command with fixed arguments and those that the bridge keeps.
        case run(CommandName, JSONObject, [Draft])
        /// The commands of a robot.
        case vacuum(VacuumCommands)
        /// The two commands of a switch, light, lock or cover, and its numbers.
        case pair(CommandPair)
    }

    /// Whether its commands come on a topic with this key: its own, or that of one of its parts.
    func takes(_ key: String) -> Bool {
        switch order {
        case .vacuum: key == self.key || key == VacuumCommands.fanKey
        case .pair(let pair):
            key == self.key || pair.sliders.contains { $0.key(of: self.key) == key }
        case .none, .setting, .keep, .run: key == self.key
        }
    }
}

/// An argument that a command needs: the bridge keeps it until the command is sent.
struct Draft: Hashable, Sendable {
    /// The command that needs it.
    let command: CommandName
    /// The argument's name.
    let argument: String
    /// What it must look like.
    let schema: ArgumentSchema

    /// What it is until somebody chooses: the first choice, the largest number, or false.
    var initial: JSONValue {
        if schema.isTruth { return false }
        if let first = schema.allowed?.first { return first }
        return .number(schema.maximum ?? schema.minimum ?? 0)
    }
}
