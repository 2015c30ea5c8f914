internal import DeviceDomain
public import Observation
public import SharedPresentation

/// The rooms that the user has made: a room is added and removed here, a device is put into one on its own screen.
@MainActor @Observable
public final class RoomsViewModel {
    /// A room of the home.
    public struct Room: Hashable, Sendable, Identifiable {
        /// What the user calls it.
        public let name: String
        /// The devices in it, in the order of their names.
        public let devices: [DeviceSummary]

        public var id: String { name }
    }

    /// The name that was entered last and not taken; empty for none.
    public private(set) var entry = ""
    /// Why the last thing that the user did was not done; `nil` where there is nothing to say.
    public private(set) var failure: Failure?
    @ObservationIgnored private let memory: HomeMemory

    init(_ memory: HomeMemory) { self.memory = memory }

    /// What the screen shows.
    public var state: ScreenState<[Room]> {
        if let failure = memory.storageFailure { return .failed(failure) }
        guard memory.isRecalled else { return .loading }
        let content = HomeContent(memory)
        let rooms = content.groups.compactMap { group -> Room? in
            guard case .room(let name) = group.heading else { return nil }
            return Room(name: name, devices: group.devices)
        }
        return rooms.isEmpty ? .empty : .content(rooms)
    }

    /// The screen has appeared: rooms are read again.
    public func appeared() async { await memory.readRooms() }

    /// A room of this name is to be added.
    public func addButtonTapped(_ name: String) async {
        await attempt { () async throws(Failure) in
            try await memory.addRoom(try GivenName(entered: name))
        }
        entry = failure == nil ? "" : name
    }

    /// A room is to be removed; its devices stay.
    public func removeButtonTapped(_ name: String) async {
        await attempt { () async throws(Failure) in try await memory.removeRoom(name) }
    }

    private func attempt(_ body: () async throws(Failure) -> Void) async {
        do {
            try await body()
            failure = nil
        } catch {
            failure = error
        }
    }
}

extension GivenName {
    /// A name that somebody entered.
    /// - Throws: ``Failure`` that says what is wrong with it.
    init(entered text: String) throws(Failure) {
        do {
            self = try GivenName(text)
        } catch {
            throw Failure("\(error)", .changeEntry, code: "given-name")
        }
    }
}
