import DeviceDomain
import DeviceSimulation
import Fleet

// The one place that says which devices a scenario means.
extension FleetPlan {
    /// The word for every device of a fleet, and behind a home for every device of that home.
    private static let everything = "all"
    private static let accessPoint = "access-point:"
    private static let feeder = "feeder:"

    /// The places of the devices that are meant, in the order of the plan: all, those of a group, of a kind, of a home,
    /// of a name in every home, or one of a home.
    func places(meantBy target: String) -> [Int] {
        let kind = BehaviourCatalog.standard.kinds
            .first { $0.kind.rawValue == target || $0.group == target }?.kind
        return devices.indices.filter { place in
            let device = devices[place]
            let home = device.identity.home.text
            return target == Self.everything || target == device.group.name
                || target == device.identity.device.text || target == home
                || (kind.map { $0 == BehaviourCatalog.kind(of: device.identity.model) } ?? false)
                || (target.hasPrefix(home)
                    && (target == "\(home)/\(Self.everything)" || target == "\(device.key)"))
                || device.group.accessPoint.map { target == Self.accessPoint + $0 } ?? false
                || device.group.feeder.map { target == Self.feeder + $0 } ?? false
        }
    }

    /// The names that can be meant, for a suggestion; of homes and their devices the first ones only.
    var targetNames: [String] {
        var names: Set<String> = [Self.everything]
        for device in devices.prefix(1000) {
            names.formUnion([
                device.group.name, device.identity.device.text, device.identity.home.text,
                BehaviourCatalog.kind(of: device.identity.model).rawValue,
            ])
            if let name = device.group.accessPoint { names.insert(Self.accessPoint + name) }
            if let name = device.group.feeder { names.insert(Self.feeder + name) }
        }
        return names.sorted()
    }
}
