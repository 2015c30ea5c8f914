internal import DeviceDomain

/// A device as `bridge/devices` lists it.
struct ListedDevice: Hashable, Sendable {
    /// Its IEEE address: it stays when the device gets another name.
    let id: DeviceID
    /// Its present name, which is part of its topics.
    let name: FriendlyName
    /// Its description.
    let profile: DeviceProfile
    /// Why it accepts no commands; `nil` if it does.
    let problem: String?
    /// Its commands.
    let commands: DeviceCommands

    /// A parsed entry of the list.
    enum Entry: Hashable, Sendable {
        /// A device.
        case device(ListedDevice)
        /// The radio of the bridge itself, which is not a device of the home.
        case coordinator
        /// An entry that cannot be used, with the reason.
        case unusable(String)

        init(_ value: JSONValue, in home: HomeID) {
            guard let entry = value.object else {
                self = .unusable("an entry of the list is not an object")
                return
            }
            if entry["type"]?.string == "Coordinator" {
                self = .coordinator
                return
            }
            let address = entry["ieee_address"]?.string ?? ""
            guard let id = DeviceID(rawValue: address.lowercased()) else {
                self = .unusable("ieee_address \(address.brief(40).debugDescription) is not valid")
                return
            }
            self = .device(ListedDevice(id, entry, in: home))
        }
    }

    private init(_ id: DeviceID, _ entry: JSONObject, in home: HomeID) {
        let definition = entry["definition"]?.object
        let name = FriendlyName(entry["friendly_name"]?.string ?? id.text)
        let exposes = DeviceExposes(definition?["exposes"]?.array ?? [])
        let problem = Self.problem(of: entry, named: name)
        let commands = problem == nil ? DeviceCommands(exposes) : .none
        self.id = id
        self.name = name
        self.problem = problem
        self.commands = commands
        let model = definition?["model"]?.string ?? entry["model_id"]?.string ?? "unknown"
        profile = DeviceProfile(
            id: id, home: home, kind: definition == nil ? .zigbeeDevice : exposes.kind,
            model: DeviceModel(rawValue: model), name: name.text,
            firmware: entry["software_build_id"]?.string ?? "",
            capabilities: Self.capabilities(exposes, commands),
            commands: commands.all.map(\.specification), stateMembers: exposes.stateMembers)
    }

    private static func capabilities(
        _ exposes: DeviceExposes, _ commands: DeviceCommands
    ) -> Set<Capability> {
        var capabilities: Set<Capability> = [.connectable]
        if exposes.hasBattery { capabilities.insert(.batteryPowered) }
        if !commands.all.isEmpty { capabilities.insert(.controllable) }
        return capabilities
    }

    private static func problem(of entry: JSONObject, named name: FriendlyName) -> String? {
        if entry["disabled"]?.boolean == true {
            return "it is disabled in zigbee2mqtt; enable it there"
        }
        if let state = interviewProblem(entry) { return state }
        // A definition that zigbee2mqtt has generated itself works, although its model is not supported.
        let definition = entry["definition"]?.object
        let hasExposes = definition?["exposes"]?.array?.isEmpty == false
        if definition == nil || (entry["supported"]?.boolean == false && !hasExposes) {
            return "zigbee2mqtt does not support this model; see its guide to new devices"
        }
        guard name.isPublishable else {
            return "MQTT allows no topic of its name \(name.text.brief(60).debugDescription); "
                + "rename it in zigbee2mqtt"
        }
        return nil
    }

    /// Older versions have two flags in place of `interview_state`.
    private static func interviewProblem(_ entry: JSONObject) -> String? {
        guard let state = entry["interview_state"]?.string else {
            return entry["interview_completed"]?.boolean == false
                ? "its interview has not been completed" : nil
        }
        switch state {
        case "SUCCESSFUL": return nil
        case "PENDING", "IN_PROGRESS": return "its interview has not been completed"
        case "FAILED": return "its interview failed; interview it again in zigbee2mqtt"
        default: return "its interview is \(state.brief(40))"
        }
    }
}
