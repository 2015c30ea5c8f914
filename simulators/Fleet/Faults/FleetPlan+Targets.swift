import DeviceDomain
package import DeviceSimulation

extension FleetPlan {
    /// The devices of this plan that are meant.
    /// - Parameters:
    ///   - order: what is to happen to them; `nil` for nothing.
    ///   - share: which of them get it.
    /// - Throws: `FaultRefusal` where there are none, or one cannot have the fault.
    package func devices(
        meantBy target: String, for order: FaultOrder? = nil, _ share: FaultShare = .all
    ) throws(FaultRefusal) -> Set<DeviceKey> {
        let (candidates, places) = try found(target, order)
        guard let order else { return Set(places.map { candidates[$0].key }) }
        let taken = share.places(of: places, among: candidates, order, on: target)
        return Set(taken.map { candidates[$0].key })
    }

    /// The devices that a scenario means, in the order of the plan, if there are any: the name of a device without a
    /// home means that of every home.
    /// - Parameters:
    ///   - order: what is to happen to them; `nil` for nothing.
    ///   - share: which of them get it.
    package func devices(
        inScenario target: String, for order: FaultOrder? = nil, _ share: FaultShare = .all
    ) -> [PlannedDevice] {
        let candidates = devices.map(FaultTarget.Candidate.init)
        let places = FaultTarget(text: target).places(among: candidates)
        guard let order else { return places.map { devices[$0] } }
        return share.places(of: places, among: candidates, order, on: target).map { devices[$0] }
    }

    /// The words that can mean devices, for a suggestion; of homes and their devices the first ones only.
    package var targetNames: [String] {
        var names: Set<String> = [FaultTarget.everything]
        for device in devices.prefix(1000) {
            names.formUnion([
                device.group.name, device.identity.device.text, device.identity.home.text,
                BehaviourCatalog.kind(of: device.identity.model).rawValue,
            ])
            if let name = device.group.accessPoint { names.insert(FaultTarget.accessPoint + name) }
            if let name = device.group.feeder { names.insert(FaultTarget.feeder + name) }
        }
        return names.sorted()
    }

    /// A share as the processes of this fleet are told it, each of which knows its own devices only.
    /// - Throws: `FaultRefusal` where nothing is meant, or one device cannot have the fault.
    package func share(
        _ share: FaultShare, of target: String, for order: FaultOrder
    ) throws(FaultRefusal) -> FaultShare {
        if share == .all { return share }
        let (candidates, places) = try found(target, order)
        return .upTo(share.bound(of: places.map { candidates[$0] }, order, on: target))
    }

    private func found(
        _ target: String, _ order: FaultOrder?
    ) throws(FaultRefusal) -> ([FaultTarget.Candidate], places: [Int]) {
        let candidates = devices.map(FaultTarget.Candidate.init)
        let places = try FaultTarget(text: target).places(
            among: candidates, ableToHave: order?.name)
        return (candidates, places)
    }
}
