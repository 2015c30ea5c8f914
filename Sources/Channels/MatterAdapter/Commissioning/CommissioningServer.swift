package import Connectivity
package import DeviceDomain

/// A Matter server, as bringing new devices in needs it.
package protocol CommissioningServer: Sendable {
    /// Waits until the server has listed its nodes.
    /// - Throws: `unreachable`, `other-schema`.
    func open() async throws(CommunicationError)
    /// How it brings new devices in.
    func commissioningMeans() async -> CommissioningMeans
    /// The nodes of its fabric; `nil` while there is no connection.
    func commissionedNodes() async -> [CommissionedNode]?
    /// Sends a request, once.
    /// - Throws: an error of certainty `neverLeft`.
    func begin(
        _ request: CommissioningRequest
    ) async throws(CommunicationError) -> CommissioningRequestID
    /// Waits for the answer to a request; `nil` where the task is cancelled. It may be asked for again.
    func answer(to request: CommissioningRequestID) async -> CommissioningAnswer?
    /// Drops a request whose answer nobody waits for any more.
    func forget(_ request: CommissioningRequestID) async
}

/// Names a request that was sent.
package struct CommissioningRequestID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension CommissionedNode {
    /// The device that the node is on a channel; that of a bridge is the bridge.
    package func device(on channel: ChannelID) -> DeviceID? {
        DeviceID(rawValue: "\(channel)-\(id)")
    }
}
