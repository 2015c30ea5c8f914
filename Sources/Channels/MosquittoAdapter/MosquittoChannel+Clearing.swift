public import Connectivity
public import DeviceDomain
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Clears every retained message of a device, then asks for them: brokers ignore silently what a user may
    /// not publish with MQTT 3.1.1.
    public func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        let topics = DeviceTopic.retained(of: device, in: home)
        do throws(MQTTError) {
            for topic in topics {
                _ = try await link.publish(.removal(of: topic))
            }
        } catch {
            throw CommunicationError(error)
        }
        let kept = try await keptMessages(on: .retained(of: device, in: home), of: home)
        let left = topics.filter { kept.holds($0.text) }
        guard let first = left.first else { return }
        throw CommunicationError(
            .notPermitted,
            "the broker keeps \(left.count) messages of \(device) that this user may not clear, such as "
                + "\(first.text); allow it to write there, or clear them as a user that may")
    }
}
