import DeviceDomain
package import DeviceSimulation

extension FleetPlan {
    /// The devices of this plan that are meant.
    /// - Parameter order: what is to happen to them; `nil` for nothing.
    /// - Throws: `FaultRefusal` where there are none, or one cannot have the fault.
    package func devices(
        meantBy target: String, for order: FaultOrder? = nil
    ) throws(FaultRefusal) -> Set<DeviceKey> {
        let candidates = devices.map { device in
            FaultTarget.Candidate(
                key: device.key, kind: BehaviourCatalog.kind(of: device.identity.model).rawValue)
        }
        let places = try FaultTarget(text: target).places(
            among: candidates, ableToHave: order?.name)
        return Set(places.map { devices[$0].key })
    }
}
