public import Observation
public import SharedPresentation

/// The home: its devices by room or kind, and what a person should look at.
@MainActor @Observable
public final class HomeViewModel {
    @ObservationIgnored private let memory: HomeMemory

    public init(_ memory: HomeMemory) { self.memory = memory }

    /// What the screen shows.
    public var state: ScreenState<HomeContent> {
        if !memory.devices.isEmpty { return .content(HomeContent(memory)) }
        if let failure = memory.storageFailure { return .failed(failure) }
        if let lostLink { return .failed(lostLink) }
        return memory.isRecalled && isHearing ? .empty : .loading
    }

    /// What rules have told the user, newest first.
    public var told: [ToldNotice] { memory.told }

    /// The screen has appeared: the rooms and the open commands are read again, which other processes change, too.
    public func appeared() async {
        await memory.readRooms()
        await memory.readOpenCommands()
    }

    private var lostLink: Failure? {
        for (_, link) in memory.links.sorted(by: { $0.key < $1.key }) {
            if case .lost(let cause, _) = link { return cause }
        }
        return nil
    }

    /// Whether every channel has a link, so that devices would have been heard.
    private var isHearing: Bool {
        !memory.links.isEmpty
            && memory.links.values.allSatisfy { link in
                switch link {
                case .connected, .limited: true
                case .connecting, .lost: false
                }
            }
    }
}
