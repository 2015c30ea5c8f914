internal import Connectivity
internal import DeviceDomain
internal import MatterAdapter
internal import ProvisioningProtocol

// What an attempt writes down, and how it begins.
extension CommissioningContext {
    /// Takes up what an earlier process has left open for the same device, or begins.
    func begin() async throws(AttemptStartError) -> AttemptNeed {
        guard let known = try await formerRecord() else {
            try await add()
            return .open
        }
        switch known.step {
        case .begun: try await resume(known, as: .boxed)
        case .commissioning, .finalizing: try await resume(known, as: .perhapsInHome)
        case .provisioned:
            if try await isAtHome(known) {
                record = known
                return .none
            }
            try await add()
        case .rolledBack: try await add()
        }
        return .open
    }

    private func formerRecord() async throws(AttemptStartError) -> CommissioningRecord? {
        do throws(ProvisioningError) {
            return try await parts.repository.latest(
                of: record.label, on: record.channel, in: record.home)
        } catch {
            throw .notBegun(error)
        }
    }

    /// Whether the server reaches the device that an earlier attempt has brought in.
    private func isAtHome(_ known: CommissioningRecord) async throws(AttemptStartError) -> Bool {
        do throws(ProvisioningError) {
            return try await nodes().contains { $0.id == known.node && $0.isReachable }
        } catch {
            throw .notBegun(error)
        }
    }

    private func resume(
        _ known: CommissioningRecord, as resumePoint: ProvisioningTries.ResumePoint
    ) async throws(AttemptStartError) {
        do throws(ProvisioningError) {
            record = known
            machine = ProvisioningStateMachine(resumePoint)
            // The process that has begun it, if it lives, notices by the new revision.
            try await write(known.step)
        } catch {
            throw .perhapsOpen(error)
        }
    }

    private func add() async throws(AttemptStartError) {
        do throws(ProvisioningError) {
            try await parts.repository.add(record)
        } catch {
            // Another process has the device then; what else failed may have been written all the same.
            throw error.code == .otherProcess ? .notBegun(error) : .perhapsOpen(error)
        }
    }

    /// Writes the next step down.
    func write(_ step: CommissioningRecord.Step) async throws(ProvisioningError) {
        var next = record
        next.step = step
        next.revision += 1
        try await parts.repository.update(next)
        record = next
    }

    // MARK: The server

    /// The nodes of the server, once it has listed them.
    func nodes() async throws(ProvisioningError) -> [CommissionedNode] {
        do throws(CommunicationError) {
            try await parts.server.open()
        } catch {
            throw unreachable(error)
        }
        guard let nodes = await parts.server.commissionedNodes() else {
            throw ProvisioningError(
                .server, "the connection to the Matter server \(parts.address) was lost",
                .checkServer)
        }
        return nodes
    }

    func unreachable(_ error: CommunicationError) -> ProvisioningError {
        let text = order.code.redacting("\(error)")
        return ProvisioningError(
            .server, text.contains(parts.address) ? text : "\(parts.address): \(text)",
            .checkServer)
    }

    /// The one node that has come since the server was asked, and may be the device.
    /// - Throws: ``ProvisioningError`` `commissioningFailed` where there are several.
    func newcomer() async throws(ProvisioningError) -> CommissionedNode? {
        guard let nodes = await parts.server.commissionedNodes() else { return nil }
        let candidates = nodes.filter { node in
            !record.formerNodes.contains(node.id)
                && (order.code.vendor == nil || node.vendor == nil
                    || order.code.vendor == node.vendor)
                && (order.code.product == nil || node.product == nil
                    || order.code.product == node.product)
        }
        guard candidates.count > 1 else { return candidates.first }
        let names = candidates.map { $0.device(on: record.channel)?.text ?? String($0.id) }
        throw ProvisioningError(
            .commissioningFailed,
            "several devices have come onto the Matter server meanwhile (\(names.joined(separator: ", "))), "
                + "and it is not known which one is this", .runAgain)
    }
}
