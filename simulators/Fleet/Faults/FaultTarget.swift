import DeviceDomain
import DeviceSimulation

/// Which devices of a fleet are meant: `all`, a device, a home, a kind, a group, or what fails together.
///
/// Behind `HOME/` stands any of these words for the devices of one home. Where a word has several meanings, the first
/// of this list counts: `all`, the devices of one kind as options name them, `access-point:NAME` and `feeder:NAME`, a
/// device, a kind, a group, a home.
package struct FaultTarget {
    /// A device that can be meant.
    struct Candidate: Hashable, Sendable {
        let key: DeviceKey
        let kind: String
        /// What it has in common with others.
        let group: DeviceGroup
        /// What its randomness derives from, and so which devices a share takes.
        let seed: UInt64
    }

    /// What a word means, whatever home it is of.
    fileprivate enum Selection: Hashable {
        case everything
        case kind(String)
        case accessPoint(String)
        case feeder(String)
        case device(String)
        case group(String)
    }

    /// The word for every device of a fleet, and behind a home for every device of that home.
    static let everything = "all"
    /// What the name of an access point is behind.
    package static let accessPoint = "access-point:"
    /// What the name of a feeder is behind.
    package static let feeder = "feeder:"
    /// The words for the devices of one kind.
    fileprivate static let groups = Dictionary(
        BehaviourCatalog.standard.kinds.map { ($0.group, $0.kind.rawValue) },
        uniquingKeysWith: { first, _ in first })
    fileprivate static let kinds = Set(BehaviourCatalog.standard.kinds.map(\.kind.rawValue))

    /// Whether a word means the devices of one kind, be there any or not.
    package static func isKind(_ word: String) -> Bool {
        groups[word] != nil || kinds.contains(word)
    }

    /// What was written.
    let text: String

    /// The places of the devices that are meant, at least one; each of them can have the fault.
    /// - Throws: `FaultRefusal`.
    func places(
        among candidates: [Candidate], ableToHave fault: SimulatedFault?
    ) throws(FaultRefusal) -> [Int] {
        let (home, selection) = meaning(among: candidates)
        let places = self.places(among: candidates)
        guard !places.isEmpty else { throw unknown(selection, in: home, among: candidates) }
        if case .device = selection, places.count > 1 {
            throw ambiguous(places.map { candidates[$0] })
        }
        if let fault { try check(fault, places.map { candidates[$0] }) }
        return places
    }

    /// The places of the devices that are meant, if there are any: the name of a device without a home means that of
    /// every home.
    func places(among candidates: [Candidate]) -> [Int] {
        let (home, selection) = meaning(among: candidates)
        return candidates.indices.filter { place in
            let candidate = candidates[place]
            return (home ?? candidate.key.home.text) == candidate.key.home.text
                && selection.contains(candidate)
        }
    }

    private func meaning(among candidates: [Candidate]) -> (home: String?, Selection) {
        if let slash = text.firstIndex(of: "/") {
            let word = String(text[text.index(after: slash)...])
            return (String(text[..<slash]), Selection(word, among: candidates))
        }
        let selection = Selection(text, among: candidates)
        let isHome = candidates.contains { $0.key.home.text == text }
        guard isHome, case .device(let name) = selection,
            !candidates.contains(where: { $0.key.device.text == name })
        else { return (nil, selection) }
        return (text, .everything)
    }

    private func unknown(
        _ selection: Selection, in home: String?, among candidates: [Candidate]
    ) -> FaultRefusal {
        let members = candidates.filter { (home ?? $0.key.home.text) == $0.key.home.text }
        if let reason = selection.absence(from: members) {
            return FaultRefusal("\(home ?? "this fleet") has no \(reason)")
        }
        let isWhole = text.contains("/")
        var names = isWhole ? [] : [Self.everything] + Self.groups.keys + Self.kinds
        for candidate in candidates {
            names.append(isWhole ? "\(candidate.key)" : candidate.key.device.text)
            if !isWhole { names += [candidate.group.name, candidate.key.home.text] }
        }
        return FaultRefusal(
            "this fleet has no device or group \(text.debugDescription)"
                + Suggestion.question(about: text, among: names)
                + "; 'homeport-sim status' lists its devices, groups are \(BehaviourCatalog.standard.groups), "
                + "a kind, HOME and HOME/GROUP")
    }

    private func ambiguous(_ devices: [Candidate]) -> FaultRefusal {
        FaultRefusal(
            "\(devices.count) homes have a \(text); write the home too, such as \(devices[0].key)")
    }

    private func check(_ fault: SimulatedFault, _ devices: [Candidate]) throws(FaultRefusal) {
        let kinds = fault.specification.kinds.map(\.rawValue)
        let unable = devices.filter { !kinds.contains($0.kind) }
        guard let first = unable.first else { return }
        let others = unable.count > 1 ? " and \(unable.count - 1) more" : ""
        let possible = SimulatedFault.faults(of: DeviceKind(rawValue: first.kind))
            .map(\.rawValue).joined(separator: ", ")
        throw FaultRefusal(
            "\(first.key)\(others) cannot have \(fault.rawValue), which is for "
                + "\(kinds.joined(separator: " and ")); faults of \(first.kind) are \(possible)")
    }
}

extension FaultTarget.Selection {
    /// What a word means to some devices; a word that means nothing is the name of a device that is not there.
    fileprivate init(_ word: String, among candidates: [FaultTarget.Candidate]) {
        if word == FaultTarget.everything {
            self = .everything
        } else if let kind = FaultTarget.groups[word] {
            self = .kind(kind)
        } else if word.hasPrefix(FaultTarget.accessPoint) {
            self = .accessPoint(String(word.dropFirst(FaultTarget.accessPoint.count)))
        } else if word.hasPrefix(FaultTarget.feeder) {
            self = .feeder(String(word.dropFirst(FaultTarget.feeder.count)))
        } else if candidates.contains(where: { $0.key.device.text == word }) {
            self = .device(word)
        } else if FaultTarget.kinds.contains(word) {
            self = .kind(word)
        } else if candidates.contains(where: { $0.group.name == word }) {
            self = .group(word)
        } else {
            self = .device(word)
        }
    }

    /// What some devices lack that are otherwise known; `nil` where nothing like it is known, or there are none.
    fileprivate func absence(from devices: [FaultTarget.Candidate]) -> String? {
        guard !devices.isEmpty else { return nil }
        return switch self {
        case .kind(let kind): FaultTarget.groups.first { $0.value == kind }?.key ?? kind
        case .accessPoint(let name):
            "access point \(name.debugDescription)"
                + Self.known(devices.compactMap(\.group.accessPoint))
        case .feeder(let name):
            "feeder \(name.debugDescription)" + Self.known(devices.compactMap(\.group.feeder))
        case .everything, .device, .group: nil
        }
    }

    private static func known(_ names: [String]) -> String {
        let names = Set(names).sorted()
        return names.isEmpty
            ? "; a scenario names them" : "; there are \(names.joined(separator: ", "))"
    }

    /// Whether a device is meant.
    fileprivate func contains(_ candidate: FaultTarget.Candidate) -> Bool {
        switch self {
        case .everything: true
        case .kind(let kind): candidate.kind == kind
        case .accessPoint(let name): candidate.group.accessPoint == name
        case .feeder(let name): candidate.group.feeder == name
        case .device(let name): candidate.key.device.text == name
        case .group(let name): candidate.group.name == name
        }
    }
}

extension FaultTarget.Candidate {
    /// A planned device.
    init(_ planned: PlannedDevice) {
        self.init(
            key: planned.key, kind: BehaviourCatalog.kind(of: planned.identity.model).rawValue,
            group: planned.group, seed: planned.seed)
    }
}
