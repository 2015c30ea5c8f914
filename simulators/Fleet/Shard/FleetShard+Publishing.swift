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
        guard standings[index].link == .online, let connection = slots[index].connection else {
            return count(dropped: "offline")
        }
        let completion = completion(of: publication, confirming: confirmation, of: index)
        guard let message = slots[index].message(of: publication) else {
            // Soon, as the broker's answer would come: the device is at work now.
            return eventLoop.execute { completion(.success(.success)) }
        }
        record.tally.sent[publication.topicKind, default: 0] += 1
        connection.publish(message, completion: completion)
    }

    /// Has the broker forget description, presence and state of a device (PROTOCOL section 2).
    func removeRetained(of index: Int) {
        guard standings[index].link == .online, let connection = slots[index].connection,
            slots[index].alink == nil
        else { return }
        for message in slots[index].wire.removals { connection.publish(message) { _ in } }
    }

    /// What to do once the broker has answered, or at QoS 0 once the message is written.
    private func completion(
        of publication: DevicePublication, confirming confirmation: Confirmation?, of index: Int
    ) -> @Sendable (Result<MQTTReasonCode, MQTTError>) -> Void {
        let epoch = standings[index].epoch
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
                breakOff(tooSmallPackets(for: index))
            }
        }
    }

    /// Notes what the broker has confirmed, and says so when that makes all devices ready.
    func confirmed(_ part: DeviceStanding.Announcement, of index: Int, _ epoch: Int) {
        guard life.isAlive, standings[index].epoch == epoch, !standings[index].isReady else {
            return
        }
        standings[index].announced.formUnion(part)
        if part == .description { standings[index].isDescribed = true }
        guard standings.ready == standings.count else { return }
        report(broker.outage.allReady(slots.count))
    }
}
