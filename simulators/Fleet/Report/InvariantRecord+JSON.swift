import DeviceDomain
import DeviceMessages
import DeviceSimulation

// As the report has it (CLI.md, "Reports"), and as processes of one fleet tell each other.
extension InvariantRecord {
    /// How often an invariant did not hold.
    func violations(of invariant: Invariant) -> Int { entries[invariant.name]?.violations ?? 0 }

    /// An object for each invariant, also for those that held.
    var members: [JSONObject] {
        Invariant.all.map { invariant in
            var members: JSONObject = [
                "name": .string(invariant.name), "violations": .integer(violations(of: invariant)),
            ]
            members["first"] = entries[invariant.name].map { .object($0.first.members) }
            return members
        }
    }

    /// Reads ``members``; what is none of them is left out.
    init(_ objects: [JSONValue]) {
        self.init()
        for object in objects.compactMap(\.object) {
            guard let invariant = Invariant.all.first(where: { $0.name == object["name"]?.string }),
                let violations = object["violations"]?.integer,
                let first = object["first"]?.object.flatMap({ InvariantViolation(invariant, $0) })
            else { continue }
            add(violations, of: first)
        }
    }
}

extension InvariantViolation {
    fileprivate var members: JSONObject {
        [
            "home": .string(home.text), "device": .string(device.text),
            "at": .integer(at.milliseconds), "text": .string(text),
        ]
    }

    fileprivate init?(_ invariant: Invariant, _ members: JSONObject) {
        guard let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:)),
            let at = members["at"]?.integer, let text = members["text"]?.string
        else { return nil }
        self.init(
            invariant: invariant, home: home, device: device, at: Timestamp(milliseconds: at),
            text: text)
    }
}
