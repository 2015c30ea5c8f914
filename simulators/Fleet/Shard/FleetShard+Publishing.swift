import DeviceMessages
import DeviceSimulation
import KillPoints
import MQTTClient

// What the devices publish.
extension FleetShard {
    /// Hands a publication to the device's connection. Without a connection it is dropped: the
    /// device repeats what matters once it is connected.
    func publish(
        _ publication: DevicePublication, confirming confirmation: Confirmation?, of index: Int
    ) {
        guard let connection = connections.online(index) else { return count(dropped: "offline") }
        guard let message = connections.message(of: publication, from: index) else {
            return pass(publication, confirming: confirmation, of: index)
        }
        record.tally.sent[publication.topicKind, default: 0] += 1
        connection.publish(
            message, completion: completion(of: publication, confirming: confirmation, of: index))
    }

    /// Confirms what the dialect does not say: soon, as the broker's answer would come, because the device is at work now.
    private func pass(
        _ publication: DevicePublication, confirming confirmation: Confirmation?, of index: Int
    ) {
        let epoch = connections[index].epoch
        eventLoop.execute { [weak self] in
            self?.assumeIsolated {
                $0.answered(
                    publication, confirming: confirmation, of: index, epoch, .success(.success))
            }
        }
    }

    /// Has the broker forget description, presence and state of a device (PROTOCOL section 2).
    func removeRetained(of index: Int) {
        guard !connections.speakAlink, let connection = connections.online(index) else { return }
        for message in connections.slots[index].wire.removals {
            connection.publish(message) { _ in }
        }
    }

    /// What to do once the broker has answered, or at QoS 0 once the message is written.
    private func completion(
        of publication: DevicePublication, confirming confirmation: Confirmation?, of index: Int
    ) -> (Result<MQTTReasonCode, MQTTError>) -> Void {
        let epoch = connections[index].epoch
        return { [weak self] result in
            self?.assumeIsolated {
                $0.answered(publication, confirming: confirmation, of: index, epoch, result)
            }
        }
    }

    private func answered(
        _ publication: DevicePublication, confirming confirmation: Confirmation?, of index: Int,
        _ epoch: Int, _ result: Result<MQTTReasonCode, MQTTError>
    ) {
        switch result {
        case .success(let code) where code.isError:
            deny(index, "publish its \(publication.topicKind)", "\(code)")
        case .success:
            KillPoint.deviceConfirmed.pass()
            if let confirmation, life.isAlive { deliver(.confirmed(confirmation), to: index) }
            confirmed(publication.announcement, of: index, epoch)
        case .failure(let error):
            count(dropped: error.code.rawValue)
            if error.code == .packetTooLarge, publication.announcement == .description {
                let size = homes[index].description.payload.count
                breakOff(connections.tooSmallPackets(for: index, describedIn: size))
            }
        }
    }

    /// Notes what the broker has confirmed, and says so when that makes all devices ready.
    func confirmed(_ part: DeviceStanding.Announcement, of index: Int, _ epoch: Int) {
        guard life.isAlive else { return }
        report(connections.confirmed(part, of: index, epoch))
    }
}
