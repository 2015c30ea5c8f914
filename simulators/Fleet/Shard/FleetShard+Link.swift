import DeviceSimulation
import MQTTClient

// Faults of the network between a device and its broker.
extension FleetShard {
    /// Has the network do what the faults of a device say.
    func changeLink(of index: Int) {
        let faults = homes[index].faults.link
        slots[index].shape(faults, seed: plan[index].seed(of: .network), on: eventLoop)
        guard faults.isTakenOver else { return removeIntruder(of: index) }
        do throws(MQTTError) {
            slots[index].addIntruder(try configuration(of: index), on: eventLoop)
        } catch {
            abandon(index, .refused(device: "\(slots[index].key)", reason: error.message))
        }
    }

    /// Leaves the id of a device to it alone.
    func removeIntruder(of index: Int) {
        slots[index].removeIntruder(epoch: standings[index].epoch)
    }

    /// Whether a device lost its connection to the client that a fault let have its id. That is no reason to give
    /// up; a device that was told so tries again at the end.
    func isOusted(_ index: Int, because error: MQTTError, retries: Bool) -> Bool {
        guard error.code == .likelyDuplicateClientID || error.code == .sessionTakenOver,
            slots[index].intruder.mayHaveEnded(standings[index].epoch)
        else { return false }
        if !retries, case .gone = slots[index].intruder { slots[index].connection?.start() }
        return true
    }
}
