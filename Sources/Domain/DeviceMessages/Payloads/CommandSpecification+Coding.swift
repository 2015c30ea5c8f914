internal import DeviceDomain

extension Field where Value == CommandSpecification {
    /// A command of a description: an object, or a bare name.
    static func command() -> Field {
        let type = PayloadType.either([
            .openName(known: { [] }), .shape(CommandSpecification.shape),
        ])
        return Field(
            member: PayloadMember(
                name: "commands", type: type,
                documentation: "The commands that the device takes; a bare name says nothing of "
                    + "its arguments, so that a controller cannot check them before sending."),
            decode: { json throws(PayloadError) in
                switch json {
                case .string(let name): .bare(CommandName(rawValue: name))
                case .object(let members): try CommandSpecification(MemberReader(members))
                default: throw type.refusal(of: json)
                }
            },
            encode: { $0.write(into: &$1) })
    }
}

extension CommandSpecification {
    private enum Fields {
        static let name = Field<CommandName>.openName("name", known: [], "The command's name.")
        static let arguments = Field<ArgumentSchema>.schema(
            "arguments", "What its arguments must look like; absent, nothing can be checked."
        ).optional
        static let lane = Field<CommandLane>.choice(
            "lane", "The topic that it travels on; `normal` if absent."
        ).optional
        static let sort = Field<CommandSort>.choice(
            "sort", "How it is acknowledged; `action` if absent."
        ).optional
        static let offline = Field<OfflineWord>.choice(
            "offline", "What happens while the device is offline; `fail-fast` if absent."
        ).optional
        static let expireAfterMs = Field.count(
            "expireAfterMs", "How long it waits for the device, in ms; with `expire` only."
        ).optional
        static let undo = Field<UndoWord>.choice(
            "undo", "How it is undone; `none` if absent."
        ).optional
        static let undoWith = Field<CommandName>.openName(
            "undoWith", known: [],
            "The command that reverses it; with `inverse` only, which is `none` without it."
        ).optional
        static let needsIfRevision = Field.flag(
            "needsIfRevision", "Whether it is refused without `ifRevision`; false if absent."
        ).optional
        /// A member of Homeport's own, for devices of other systems: `{"member","value"?}`. In any other form it
        /// is somebody else's, and ignored.
        static let sets = Field<StateTarget?>(
            "sets", .object, "",
            read: { json in
                guard let member = json.object?["member"]?.string else { return .some(nil) }
                return StateTarget(member: member, value: json.object?["value"])
            },
            encode: { target, json in
                var members: JSONObject = [:]
                members["member"] = target.map { .string($0.member) }
                members["value"] = target?.value
                json.write(.object(members))
            }
        ).optional
    }

    static let shape = PayloadShape(
        name: "commandSpecification", documentation: "A command that a device takes.",
        members: [
            Fields.name.member, Fields.arguments.member, Fields.lane.member, Fields.sort.member,
            Fields.offline.member, Fields.expireAfterMs.member, Fields.undo.member,
            Fields.undoWith.member, Fields.needsIfRevision.member,
        ])

    fileprivate init(_ members: MemberReader) throws(PayloadError) {
        let word = try members.optional(Fields.offline) ?? .failFast
        self.init(
            name: try members.require(Fields.name),
            arguments: try members.optional(Fields.arguments),
            lane: try members.optional(Fields.lane) ?? .normal,
            sort: try members.optional(Fields.sort) ?? .action,
            offline: try Self.policy(word, members),
            undo: try Self.undo(members),
            needsIfRevision: try members.optional(Fields.needsIfRevision) ?? false,
            sets: try members.optional(Fields.sets) ?? nil)
    }

    private static func policy(
        _ word: OfflineWord, _ members: MemberReader
    ) throws(PayloadError) -> OfflinePolicy {
        let milliseconds = try members.optional(Fields.expireAfterMs)
        switch word {
        case .failFast: return .failFast
        case .latest: return .latest
        case .barrier: return .barrier
        case .desired: return .desired
        case .expire:
            guard let milliseconds else {
                throw PayloadError(
                    code: .missingMember, path: Fields.expireAfterMs.member.name,
                    message: "is missing, although offline is expire")
            }
            return .expire(after: .milliseconds(milliseconds))
        }
    }

    private static func undo(_ members: MemberReader) throws(PayloadError) -> UndoPolicy {
        let reverse = try members.optional(Fields.undoWith)
        switch try members.optional(Fields.undo) {
        case nil, .some(.none): return .none
        case .restore: return .restore
        case .inverse: return reverse.map { .inverse(with: $0) } ?? .none
        }
    }

    fileprivate func write(into json: inout JSONWriter) {
        guard self != .bare(name) else { return json.write(name.rawValue) }
        MemberWriter.write(into: &json) { writer in
            writer.put(Fields.name, name)
            writer.putIfPresent(Fields.arguments, arguments)
            writer.put(Fields.lane, lane)
            writer.put(Fields.sort, sort)
            writer.put(Fields.offline, OfflineWord(offline))
            if case .expire(let time) = offline {
                writer.put(Fields.expireAfterMs, time.wholeMilliseconds)
            }
            writer.put(Fields.undo, UndoWord(undo))
            if case .inverse(let reverse) = undo { writer.put(Fields.undoWith, reverse) }
            if needsIfRevision { writer.put(Fields.needsIfRevision, true) }
            if let sets { writer.put(Fields.sets, sets) }
        }
    }
}

/// The names of the offline policies on the wire.
private enum OfflineWord: String, CaseIterable, Sendable {
    case failFast = "fail-fast"
    case expire, latest, barrier, desired

    init(_ policy: OfflinePolicy) {
        switch policy {
        case .failFast: self = .failFast
        case .expire: self = .expire
        case .latest: self = .latest
        case .barrier: self = .barrier
        case .desired: self = .desired
        }
    }
}

/// The names of the undo policies on the wire.
private enum UndoWord: String, CaseIterable, Sendable {
    case none, restore, inverse

    init(_ policy: UndoPolicy) {
        switch policy {
        case .none: self = .none
        case .restore: self = .restore
        case .inverse: self = .inverse
        }
    }
}
