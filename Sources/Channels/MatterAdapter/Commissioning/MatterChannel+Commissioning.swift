internal import Basics
package import Connectivity
internal import DeviceDomain
internal import DeviceMessages

// New devices. Nothing here is sent twice, and nothing logs what is sent: it holds passcodes and passwords.
extension MatterChannel: CommissioningServer {
    /// Sends a request about new devices, once the server's nodes are listed.
    /// - Returns: its id, for ``answer(to:)`` and ``forget(_:)``.
    /// - Throws: an error of certainty `neverLeft`.
    package func begin(
        _ request: CommissioningRequest
    ) async throws(CommunicationError) -> CommissioningRequestID {
        try await waitUntilListening()
        let id = outstanding.makeMessageID()
        guard let socket = link.socket, socket.send(ServerRequest.numbered(request.text, id)) else {
            throw CommunicationError(
                .notConnected, "there is no connection to \(configuration.server) now",
                certainty: .neverLeft, isRetriable: true)
        }
        pending.begin(id, request)
        return CommissioningRequestID(id)
    }

    /// Waits for the answer to a request; it may be asked for again.
    /// - Returns: `nil` where the task is cancelled.
    package func answer(to request: CommissioningRequestID) async -> CommissioningAnswer? {
        let waiter = PendingRequests.Waiter()
        pending.wait(for: request.text, waiter)
        return await waiter.value(ifCancelled: nil)
    }

    /// Drops a request whose answer nobody waits for any more.
    package func forget(_ request: CommissioningRequestID) { pending.forget(request.text) }

    /// How the server brings new devices in, as it told when it was connected to.
    package func commissioningMeans() -> CommissioningMeans {
        CommissioningMeans(
            hasBluetooth: link.info?.hasBluetooth ?? false,
            hasWiFi: link.info?.hasWiFiCredentials ?? false,
            hasThread: link.info?.hasThreadDataset ?? false)
    }

    /// The nodes of the fabric as the server reports them; `nil` without a connection. Nothing is sent.
    package func commissionedNodes() -> [CommissionedNode]? {
        model.isListed ? model.allNodes.map(CommissionedNode.init) : nil
    }
}
