public import DeviceControl
public import DeviceDomain
internal import SharedPresentation

/// What a person wants to see of what has happened.
public struct RecordFilter: Hashable, Sendable {
    /// How a command stands, as people tell commands apart.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// It waits or runs.
        case open
        /// It was carried out.
        case done
        /// It was not carried out.
        case failed
        /// Nobody knows.
        case unknown

        /// The states that belong to it.
        public var states: Set<CommandState> {
            Set(
                CommandState.allCases.filter { state in
                    switch state {
                    case .unknown: self == .unknown
                    case .succeeded: self == .done
                    case .failed, .rejected, .cancelled, .superseded, .refused, .expired:
                        self == .failed
                    case .created, .queued, .sending, .sent, .accepted, .running: self == .open
                    }
                })
        }
    }

    /// How many entries a page has.
    public static let pageLength = 50
    /// The last page that can be asked for.
    public static let lastPage = 1_000

    /// The device; `nil` for every one.
    public var device: DeviceID?
    /// The room of the devices; `nil` for every one.
    public var room: String?
    /// How commands stand; `nil` for anything.
    public var standing: Standing?
    /// What events there are; `nil` for every kind.
    public var kind: HomeEvent.Kind?
    /// The first day; `nil` for any.
    public var from: CalendarDate?
    /// The last day; `nil` for any.
    public var until: CalendarDate?
    /// The page, from 0 for the newest entries.
    public var page: Int

    public init(
        device: DeviceID? = nil, room: String? = nil, standing: Standing? = nil,
        kind: HomeEvent.Kind? = nil, from: CalendarDate? = nil, until: CalendarDate? = nil,
        page: Int = 0
    ) {
        self.device = device
        self.room = room
        self.standing = standing
        self.kind = kind
        self.from = from
        self.until = until
        self.page = min(max(page, 0), Self.lastPage)
    }

    /// How many entries come before the page.
    var offset: Int { page * Self.pageLength }

    /// The devices that it is about; `nil` for every one, also for those that are not known any more.
    @MainActor
    func devices(in memory: HomeMemory) -> Set<DeviceID>? {
        guard let room else { return device.map { [$0] } }
        let inRoom = Set(memory.allDevices.filter { $0.summary.room == room }.map(\.id))
        return device.map { inRoom.intersection([$0]) } ?? inRoom
    }

    /// When it begins.
    func since(in calendar: LocalCalendar) -> Timestamp? {
        from.map { calendar.midnight(of: $0) }
    }

    /// When it ends: with the end of the last day.
    func end(in calendar: LocalCalendar) -> Timestamp? {
        until.map { calendar.midnight(of: $0.advanced(byDays: 1)) }
    }
}

/// A page of entries.
public struct RecordPage<Entry: Hashable & Sendable>: Hashable, Sendable {
    /// The entries, newest first.
    public let entries: [Entry]
    /// Whether there are older ones.
    public let hasOlder: Bool

    /// - Parameter found: the entries from the beginning of the page on, and one more where there are older ones.
    init(_ found: some Collection<Entry>) {
        entries = Array(found.prefix(RecordFilter.pageLength))
        hasOlder = found.count > entries.count
    }
}
