import DeviceDomain
import DeviceSimulation

/// Which devices of a fleet are meant: `all`, a group of one kind, `HOME/all`, `HOME/DEVICE`, or the name of a
/// device that one home has.
struct FaultTarget {
    /// A device that can be meant.
    struct Candidate: Hashable, Sendable {
        let key: DeviceKey
        let kind: String
    }

    /// The word for every device of a fleet, and behind a home for every device of that home.
    private static let everything = "all"
    /// The words for the devices of one kind.
    private static let groups = Dictionary(
        BehaviourCatalog.standard.kinds.map { ($0.group, $0.kind) },
        uniquingKeysWith: { first, _ in first })

    /// What was written.
    let text: String

    /// The places of the devices that are meant, at least one; each of them can have the fault.
    /// - Throws: `FaultRefusal`.
    func places(
        among candidates: [Candidate], ableToHave fault: SimulatedFault?
    ) throws(FaultRefusal) -> [Int] {
        let places = candidates.indices.filter { matches(candidates[$0]) }
        guard !places.isEmpty else { throw unknown(among: candidates) }
        if !isGroup, places.count > 1 { throw ambiguous(places.map { candidates[$0] }) }
        if let fault { try check(fault, places.map { candidates[$0] }) }
        return places
    }

    private var isGroup: Bool {
        text == Self.everything || Self.groups[text] != nil || text.hasSuffix("/\(Self.everything)")
    }

    private func matches(_ candidate: Candidate) -> Bool {
        if text == Self.everything { return true }
        if let kind = Self.groups[text] { return candidate.kind == kind.rawValue }
        return text == candidate.key.device.text || text == "\(candidate.key)"
            || text == "\(candidate.key.home)/\(Self.everything)"
    }

    private func unknown(among candidates: [Candidate]) -> FaultRefusal {
        if Self.groups[text] != nil { return FaultRefusal("this fleet has no \(text)") }
        let isWhole = text.contains("/")
        var names = isWhole ? [] : [Self.everything] + Self.groups.keys
        for candidate in candidates {
            names.append(isWhole ? "\(candidate.key)" : candidate.key.device.text)
        }
        return FaultRefusal(
            "this fleet has no device or group \(text.debugDescription)"
                + Suggestion.question(about: text, among: names)
                + "; 'homeport-sim status' lists its devices, groups are \(BehaviourCatalog.standard.groups) "
                + "and HOME/all")
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
