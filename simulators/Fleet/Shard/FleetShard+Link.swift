import DeviceSimulation
import MQTTClient

// Faults of the network between a device and its broker.
extension FleetShard {
    /// Has the network do what the faults of a device say.
    func changeLink(of index: Int) {
        let faults = homes[index].faults.link
        connections.shape(
            index, faults, seed: plan[index].seed(of: .network), on: eventLoop)
        guard faults.isTakenOver else { return connections.removeIntruder(of: index) }
        do throws(MQTTError) {
            connections.addIntruder(
                to: index, try configuration(of: index), on: eventLoop)
        } catch {
            abandon(index, because: error)
        }
    }
}
