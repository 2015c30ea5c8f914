import Homeport

/// A device as Home Assistant was told of it.
struct AnnouncedDevice: Hashable, Sendable {
    let topics: BridgeTopics
    private(set) var profile: DeviceProfile
    /// What the user has said of it.
    private var label = DeviceLabel()
    private(set) var report: DeviceReport
    private(set) var entities: DeviceEntities
    private(set) var seen: SeenMembers
    /// Arguments that were chosen for later commands.
    private(set) var drafts: [Draft: JSONValue] = [:]
    /// What was published, by topic.
    private var published: [String: [UInt8]] = [:]
    /// What an earlier run has published and this one has not yet, by topic.
    private var leftovers: Set<String>

    /// - Parameter leftovers: topics on which an earlier run has published something.
    init(
        _ profile: DeviceProfile, _ report: DeviceReport, _ topics: BridgeTopics,
        leftovers: Set<String>
    ) {
        self.profile = profile
        self.report = report
        self.topics = topics
        self.leftovers = leftovers
        seen = SeenMembers(report)
        entities = DeviceEntities(profile, seen)
    }

    /// Takes what is known of the device now.
    mutating func update(
        _ profile: DeviceProfile, _ report: DeviceReport, _ label: DeviceLabel
    ) {
        let former = seen
        seen.add(report)
        if profile != self.profile || seen != former {
            entities = DeviceEntities(profile, seen)
            drafts = drafts.filter { draft, _ in entities.holds(draft) }
        }
        self.profile = profile
        self.label = label
        self.report = report
    }

    /// Keeps an argument for a later command.
    mutating func keep(_ value: JSONValue, as draft: Draft) { drafts[draft] = value }

    /// Remembers a topic of an earlier run.
    mutating func add(leftover topic: String) {
        if published[topic] == nil { leftovers.insert(topic) }
    }

    /// What is to be published because it has changed, descriptions first.
    mutating func changes() -> [BridgeDocument] {
        let documents = self.documents
        let topics = Set(documents.map(\.topic))
        // Which signals a device has is known with its first sample.
        let old = seen.hasTelemetry ? leftovers : []
        let gone = Set(published.keys).union(old).subtracting(topics)
        leftovers.subtract(old.union(topics))
        let changed = documents.filter { published[$0.topic] != $0.payload }
        published = Dictionary(documents.map { ($0.topic, $0.payload) }) { $1 }
        return gone.sorted().map(BridgeDocument.cleared) + changed
    }

    /// Everything that is to be published, whether or not it has changed.
    mutating func everything() -> [BridgeDocument] {
        let gone = changes().filter(\.payload.isEmpty)
        return gone + documents
    }

    /// The states that are to be published again, so that Home Assistant shows the true ones.
    var states: [BridgeDocument] {
        let device = profile.id
        return [BridgeDocument.state(entities, report, drafts, of: device, topics)]
            + [BridgeDocument.vacuum(entities, report, of: device, topics)].compactMap(\.self)
    }

    /// What removes the device's entities from Home Assistant. Their states stay: see
    /// ``BridgeStateMachine/tidied(_:)``.
    var removal: [BridgeDocument] {
        Set(published.keys).union(leftovers).subtracting(topics.states(of: profile.id)).sorted()
            .map(BridgeDocument.cleared)
    }

    private var documents: [BridgeDocument] {
        entities.all.map { .discovery($0, of: profile, topics, label) } + states
            + [.availability(report.connection, of: profile.id, topics)]
    }
}

extension DeviceEntities {
    /// Whether an argument is still one of the device's.
    fileprivate func holds(_ draft: Draft) -> Bool {
        all.contains { $0.reading == .draft(draft) }
    }
}
