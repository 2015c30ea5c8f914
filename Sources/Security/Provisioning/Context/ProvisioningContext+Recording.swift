internal import DeviceDomain
internal import Keychain

/// Whether there is something to do.
enum AttemptNeed: Hashable, Sendable {
    /// The device is in the home and online.
    case none
    /// The attempt is written down, and goes on.
    case open
}

/// Why an attempt did not begin.
enum AttemptStartError: Error {
    /// Nothing of it is written down.
    case notBegun(ProvisioningError)
    /// There is an open record of it, or may be one.
    case perhapsOpen(ProvisioningError)

    /// How the attempt has ended.
    var ending: ProvisioningEnding {
        switch self {
        case .notBegun(let error): .failed(error)
        case .perhapsOpen(let error): .unknown(error)
        }
    }
}

// What an attempt writes down: its record, and the Wi-Fi password.
extension ProvisioningContext {
    /// Takes up what an earlier process has left open for the same device, or begins.
    func begin() async throws(AttemptStartError) -> AttemptNeed {
        guard let known = try await formerRecord() else {
            try await add(nil)
            return .open
        }
        switch known.step {
        case .begun, .claiming: try await resume(known, as: .boxed)
        case .joining, .finalizing: try await resume(known, as: .perhapsInHome)
        case .provisioned:
            if try await isAtHome(known) {
                record = known
                return .none
            }
            try await add(known)
        case .rolledBack: try await add(known)
        }
        return .open
    }

    /// The latest record of the device; `nil` if there is none.
    private func formerRecord() async throws(AttemptStartError) -> ProvisioningRecord? {
        do throws(ProvisioningError) {
            let known = try await parts.repository.latest(of: record.label, in: record.home)
            guard let known, let device = order.device, known.device != device,
                known.step != .rolledBack
            else { return known }
            throw .otherName(known)
        } catch {
            throw .notBegun(error)
        }
    }

    private func isAtHome(_ known: ProvisioningRecord) async throws(AttemptStartError) -> Bool {
        do throws(ProvisioningError) {
            return try await parts.home.sighting(of: known.device) == .online(claim: nil)
        } catch {
            throw .notBegun(error)
        }
    }

    private func resume(
        _ known: ProvisioningRecord, as resumePoint: ProvisioningTries.ResumePoint
    ) async throws(AttemptStartError) {
        do throws(ProvisioningError) {
            // Without the broker nothing can be found out.
            _ = try await parts.home.sighting(of: known.device)
            record = known
            machine = ProvisioningStateMachine(resumePoint)
            // The process that has begun it, if it lives, notices by the new revision.
            try await write(known.step)
        } catch {
            throw .perhapsOpen(error)
        }
    }

    private func add(_ former: ProvisioningRecord?) async throws(AttemptStartError) {
        if let former, order.device == nil {
            record = ProvisioningRecord(
                attempt: record.attempt, home: record.home, label: record.label,
                device: former.device, startedAt: record.startedAt)
        }
        try await requireFreeName(former)
        do throws(ProvisioningError) {
            try await parts.repository.add(record)
        } catch {
            // Another process has the device then; what else failed may have been written all the same.
            throw error.code == .otherProcess ? .notBegun(error) : .perhapsOpen(error)
        }
    }

    private func requireFreeName(_ former: ProvisioningRecord?) async throws(AttemptStartError) {
        do throws(ProvisioningError) {
            let sighting = try await parts.home.sighting(of: record.device)
            // What an attempt that was rolled back, or a device that was reset, has left at the broker is
            // no other device.
            guard sighting == .none || former?.device == record.device else {
                throw ProvisioningError(
                    .nameTaken, "the home has another device with the name \(record.device)",
                    .chooseName)
            }
        } catch {
            throw .notBegun(error)
        }
    }

    /// Writes the next step down.
    func write(_ step: ProvisioningRecord.Step) async throws(ProvisioningError) {
        var next = record
        next.step = step
        next.revision += 1
        try await parts.repository.update(next)
        record = next
    }

    // MARK: The Wi-Fi password

    private var passwordName: SecretName {
        get throws(KeychainError) {
            try SecretName(record.attempt.rawValue, service: "homeport-provisioning")
        }
    }

    /// Puts the password into the keychain, and nothing more into memory.
    func keepPassword() async -> ProvisioningError? {
        guard order.password.count > 0 else { return nil }
        do throws(KeychainError) {
            try await parts.keychain.set(order.password, for: try passwordName)
            order.password = Secret([])
            return nil
        } catch {
            return ProvisioningError(error)
        }
    }

    /// The password; empty for an open network.
    func password() async throws(ProvisioningError) -> Secret {
        do throws(KeychainError) {
            return try await parts.keychain.get(try passwordName) ?? Secret([])
        } catch {
            throw ProvisioningError(error)
        }
    }

    /// Removes the password from the keychain.
    func forgetPassword() async -> ProvisioningError? {
        order.password = Secret([])
        do throws(KeychainError) {
            try await parts.keychain.remove(try passwordName)
            return nil
        } catch {
            return ProvisioningError(error)
        }
    }
}

extension ProvisioningError {
    /// The boxed device has a name already, or may get it.
    fileprivate static func otherName(_ known: ProvisioningRecord) -> ProvisioningError {
        let state =
            known.step == .provisioned
            ? "is the device \(known.device) already"
            : "has an attempt as \(known.device) that is not finished: run that again; to choose another name, "
                + "cancel it while the device is in its set-up mode"
        return ProvisioningError(.nameTaken, "\(known.label) \(state)", .chooseName)
    }

    init(_ error: KeychainError) { self.init(.keychain, error.message, .checkStorage) }
}

extension ProvisioningRecord {
    /// Why an attempt is in its first state.
    var beginning: String { revision == 1 ? "begun" : "resumed after '\(step.rawValue)'" }
}
