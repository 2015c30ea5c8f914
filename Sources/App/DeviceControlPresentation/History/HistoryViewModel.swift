internal import DeviceControl
internal import DeviceDomain
internal import History
public import SharedPresentation

/// What has happened in the home: every command that was sent, and the events of its devices.
@MainActor
public final class HistoryViewModel {
    /// How far back events reach unless a day is named, in days.
    public static let usualDays = 7

    private let services: DeviceControlServices

    init(_ services: DeviceControlServices) { self.services = services }

    private var memory: HomeMemory { services.memory }

    /// The devices that can be chosen, in the order of their names.
    public var devices: [DeviceSummary] {
        memory.allDevices.map(\.summary).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// The rooms that can be chosen.
    public var rooms: [String] { memory.rooms.map(\.text) }

    /// The screen has appeared: the rooms are read again.
    public func appeared() async { await memory.readRooms() }

    /// The commands that a filter selects, newest first.
    public func commands(
        _ filter: RecordFilter
    ) async throws(Failure) -> RecordPage<CommandSummary> {
        let records = try await memory.service.history(
            CommandFilter(
                devices: filter.devices(in: memory), states: filter.standing?.states,
                since: filter.since(in: services.calendar),
                until: filter.end(in: services.calendar), offset: filter.offset,
                limit: RecordFilter.pageLength + 1))
        return RecordPage(records.map(memory.summary(of:)))
    }

    /// The events that a filter selects, newest first; without a first day those of the last
    /// ``usualDays`` days.
    public func events(_ filter: RecordFilter) async throws(Failure) -> RecordPage<HomeEvent> {
        let calendar = services.calendar
        let now = services.clock.now.wall
        let newest = memory.devices.values.compactMap(\.sampledAt).max().map { max($0, now) } ?? now
        let end = filter.end(in: calendar) ?? newest.advanced(by: .seconds(60))
        let usual = calendar.date(of: end).advanced(byDays: -Self.usualDays)
        let start = filter.since(in: calendar) ?? calendar.midnight(of: usual)
        let wanted = filter.devices(in: memory)
        var events: [HomeEvent] = []
        for device in memory.allDevices where wanted?.contains(device.id) ?? true {
            let facts = try await memory.service.facts(
                of: device.id, from: start, to: max(start, end))
            for fact in facts where filter.kind.map({ $0.kept == fact.kind }) ?? true {
                events.append(HomeEvent(fact, of: device))
            }
        }
        events.sort { $0.at > $1.at }
        return RecordPage(events.dropFirst(filter.offset).prefix(RecordFilter.pageLength + 1))
    }
}
