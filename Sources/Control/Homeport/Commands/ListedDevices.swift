internal import Connectivity
internal import DeviceDomain
internal import HomeModel

/// Devices that somebody lists in one text.
package struct ListedDevices: Sendable {
    let commands: CommandSending

    private var observation: HomeObservation { commands.observation }

    /// Whether a text may mean several devices: names with commas between them, or patterns.
    package static func isList(_ text: String) -> Bool { text.contains(",") || isPattern(text) }

    private static func isPattern(_ text: String) -> Bool {
        text.contains { $0 == "*" || $0 == "?" }
    }

    /// The devices that are named in a list, and those that its patterns match: `*` stands for any characters and `?`
    /// for one, in ids and names, in upper or lower case. A device whose name is the whole text is meant alone.
    /// - Throws: ``HomeError`` `unknownDevice` also for a pattern that nothing matches, `ambiguousName`,
    ///   `noConnection`.
    func devices(
        listedAs text: String
    ) async throws(HomeError) -> (named: [KnownDevice], matching: [KnownDevice]) {
        let all = try await commands.receivers()
        if all.contains(where: { $0.isCalled(text) }) {
            return ([try await commands.receiver(called: text)], [])
        }
        var named: Set<DeviceID> = []
        var matching: Set<DeviceID> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let part = String(String(part).withoutOuterBlanks)
            guard !part.isEmpty else {
                throw HomeError(
                    .unknownDevice,
                    "the list '\(text)' names nothing between two commas, or at an end")
            }
            guard Self.isPattern(part) else {
                named.insert(try await commands.receiver(called: part).id)
                continue
            }
            let found = all.filter { $0.matches(part) }
            guard !found.isEmpty else { throw noMatch(part, among: all) }
            matching.formUnion(found.map(\.id))
        }
        matching.subtract(named)
        return (
            named.sorted().compactMap { observation.live.device($0) },
            matching.sorted().compactMap { observation.live.device($0) }
        )
    }

    private func noMatch(_ pattern: String, among all: [KnownDevice]) -> HomeError {
        let ids = all.map(\.id.text)
        let more = ids.count > 10 ? " and \(ids.count - 10) more" : ""
        let known =
            ids.isEmpty
            ? "no device is known there"
            : "the devices are \(ids.prefix(10).joined(separator: ", "))\(more)"
        return HomeError(
            .unknownDevice, "no device of \(observation.place) matches '\(pattern)'; \(known)")
    }
}

extension KnownDevice {
    fileprivate func isCalled(_ text: String) -> Bool {
        id.text == text || label.name?.isSame(as: text) == true
            || profile?.name.lowercased() == text.lowercased()
    }

    fileprivate func matches(_ pattern: String) -> Bool {
        [id.text, label.name?.text, profile?.name].contains { $0?.matches(pattern) == true }
    }
}

extension String {
    /// Whether a pattern with `*` and `?` matches the whole text, whatever the case.
    func matches(_ pattern: String) -> Bool {
        let (text, pattern) = (Array(lowercased()), Array(pattern.lowercased()))
        // Where the last `*` stands, and up to where it has been tried.
        var (at, place, star, tried) = (0, 0, -1, 0)
        while at < text.count {
            if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at],
                pattern[place] != "*"
            {
                (at, place) = (at + 1, place + 1)
            } else if place < pattern.count, pattern[place] == "*" {
                (star, tried) = (place, at)
                place += 1
            } else if star >= 0 {
                tried += 1
                (at, place) = (tried, star + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
