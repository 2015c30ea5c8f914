internal import Basics
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// What the user calls devices and rooms: in the ledger, where any process may change it, and in what is known of
/// the home.
extension HomeObservation {
    /// Takes in what the ledger has. A home is listed without a ledger, too.
    func learnLabels() async {
        let changes = labelChanges.withLock { $0 }
        let labels = try? await lifetime.withStorage { try await $0.labels.labels(in: home) }
        guard let labels else { return }
        // Where a change came between, what was read may be from before it.
        labelChanges.withLock { if $0 == changes { live.learn(labels) } }
    }

    /// The device that the user has named so; `nil` for none.
    func labelled(_ reference: String) async throws(HomeError) -> DeviceID? {
        await learnLabels()
        return live.labels.device(called: reference).map { live.identities.device($0) }
    }

    /// Changes it in the ledger.
    /// - Throws: ``HomeError`` `nameTaken`, `unknownRoom`, `ledger`.
    func changeLabels(
        _ body: @escaping @Sendable (inout HomeLabels) throws(LabelRefusal) -> Void
    ) async throws(HomeError) -> LabelChange {
        let change = try await lifetime.withStorage { try await $0.labels.change(in: home, body) }
        if let refusal = change.refusal { throw HomeError(refusal, in: home) }
        labelChanges.withLock { $0 += 1 }
        await learnLabels()
        return change
    }

    /// Forgets what the user has said of a device.
    func forgetLabel(of device: DeviceID) async throws(HomeError) {
        let ids = live.identities.ids(of: device)
        _ = try await changeLabels { labels throws(LabelRefusal) in
            for id in ids { labels.forget(id) }
        }
    }

    /// Checks that no other device has a name, as its id or by itself. What the user has called others is checked
    /// where the name is stored.
    /// - Throws: ``HomeError`` `nameTaken`, `ledger`.
    func requireFree(_ name: GivenName, for device: DeviceID) async throws(HomeError) {
        let heard = live.model.allDevices.map { ($0.id, $0.profile?.name) }
        let remembered = try await rememberedDevices().map {
            (live.identities.device($0.profile.id), String?.some($0.profile.name))
        }
        for (id, ownName) in heard + remembered where id != device {
            guard id.text == name.text.lowercased() || ownName.map(name.isSame(as:)) == true
            else { continue }
            throw HomeError(.nameTaken(name, by: id), in: home)
        }
    }

    /// Checks that the user has named a room so.
    /// - Throws: ``HomeError`` `unknownRoom`, with the rooms that there are.
    func requireKnownRoom(_ room: GivenName?) async throws(HomeError) {
        guard let room else { return }
        await learnLabels()
        do {
            _ = try live.labels.requireRoom(room.text)
        } catch {
            throw HomeError(error, in: home)
        }
    }
}
