internal import Basics
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// What the user calls devices and rooms: in the ledger, where any process may change it, and in what is known of
/// the home.
final class KnownLabels: Sendable {
    private let home: HomeID
    private let live: LiveHome
    private let lifetime: HomeLifetime
    /// How often this process has changed them.
    private let changes = Guarded(0)

    init(of home: HomeID, into live: LiveHome, in lifetime: HomeLifetime) {
        self.home = home
        self.live = live
        self.lifetime = lifetime
    }

    /// Takes in what the ledger has. A home is listed without a ledger, too.
    func learn() async {
        let before = changes.withLock { $0 }
        let labels = try? await lifetime.withStorage { try await $0.labels.labels(in: home) }
        guard let labels else { return }
        // Where a change came between, what was read may be from before it.
        changes.withLock { if $0 == before { live.learn(labels) } }
    }

    /// The device that the user has named so; `nil` for none.
    func device(called reference: String) async -> DeviceID? {
        await learn()
        return live.labels.device(called: reference).map { live.identities.device($0) }
    }

    /// Changes them in the ledger.
    /// - Throws: ``HomeError`` `nameTaken`, `unknownRoom`, `ledger`.
    func change(
        _ body: @escaping @Sendable (inout HomeLabels) throws(LabelRefusal) -> Void
    ) async throws(HomeError) -> LabelChange {
        let change = try await lifetime.withStorage { try await $0.labels.change(in: home, body) }
        if let refusal = change.refusal { throw HomeError(refusal, in: home) }
        changes.withLock { $0 += 1 }
        await learn()
        return change
    }

    /// Forgets what the user has said of a device.
    func forget(_ device: DeviceID) async throws(HomeError) {
        let ids = live.identities.ids(of: device)
        _ = try await change { labels throws(LabelRefusal) in
            for id in ids { labels.forget(id) }
        }
    }

    /// Checks that no other device has a name, as its id or by itself. What the user has called others is checked
    /// where the name is stored.
    /// - Throws: ``HomeError`` `nameTaken`, `ledger`.
    func requireFree(_ name: GivenName, for device: DeviceID) async throws(HomeError) {
        let heard = live.model.allDevices.map { ($0.id, $0.profile?.name) }
        let stored = try await lifetime.withStorage { try await $0.devices.devices(in: home) }
        let remembered = stored.map {
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
    func requireRoom(_ room: GivenName?) async throws(HomeError) {
        guard let room else { return }
        await learn()
        do {
            _ = try live.labels.requireRoom(room.text)
        } catch {
            throw HomeError(error, in: home)
        }
    }
}
