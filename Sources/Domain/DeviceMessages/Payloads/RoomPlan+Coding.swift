internal import DeviceDomain

extension Field where Value == RoomPlan {
    /// The floor plan of a description.
    static func plan() -> Field {
        Field(
            member: PayloadMember(
                name: "floorPlan", type: .shape(RoomPlan.shape),
                documentation: "The floor on which the device moves; one that is wrong is ignored."),
            decode: { json throws(PayloadError) in try RoomPlan(json) },
            encode: { $0.write(into: &$1) })
    }
}

extension RoomPlan {
    private enum Fields {
        static let rooms = Field.array(of: Field<PlannedRoom>.room())
        static let obstacles = areas("obstacles", "The outlines of what stands on the floor")
        static let carpets = areas("carpets", "The outlines of the carpets")
        static let noGo = areas("noGo", "The outlines of the areas that the robot keeps out of")
        static let dock = Field<PlannedDock>.dock().optional
        static let robotRadiusM = Field<Double>.number(
            "robotRadiusM", "The radius of the robot's body in metres, 0.01 to 1."
        ).optional

        private static func areas(
            _ name: String, _ documentation: String
        ) -> Field<[FloorArea]> {
            Field.array(of: Field<FloorArea>.area(name, documentation + ", at most 100.")).optional
        }
    }

    static let shape = PayloadShape(
        name: "floorPlan",
        documentation: "The rooms of a floor, in metres to the east and north of its origin.",
        members: [
            Fields.rooms.member, Fields.obstacles.member, Fields.carpets.member,
            Fields.noGo.member, Fields.dock.member, Fields.robotRadiusM.member,
        ])

    fileprivate init(_ json: JSONValue) throws(PayloadError) {
        guard let members = json.object else {
            throw PayloadType.shape(Self.shape).refusal(of: json)
        }
        let reader = MemberReader(members)
        let rooms = try reader.require(Fields.rooms)
        let (obstacles, carpets) = (
            try reader.optional(Fields.obstacles), try reader.optional(Fields.carpets)
        )
        let (noGo, dock) = (try reader.optional(Fields.noGo), try reader.optional(Fields.dock))
        let radius = try reader.optional(Fields.robotRadiusM)
        self = try PayloadError.checking { () throws(ArgumentViolation) in
            try RoomPlan(
                rooms: rooms, obstacles: obstacles ?? [], carpets: carpets ?? [],
                noGo: noGo ?? [], dock: dock, robotRadiusM: radius)
        }
    }

    fileprivate func write(into json: inout JSONWriter) {
        MemberWriter.write(into: &json) { writer in
            writer.put(Fields.rooms, rooms)
            if !obstacles.isEmpty { writer.put(Fields.obstacles, obstacles) }
            if !carpets.isEmpty { writer.put(Fields.carpets, carpets) }
            if !noGo.isEmpty { writer.put(Fields.noGo, noGo) }
            writer.putIfPresent(Fields.dock, dock)
            writer.putIfPresent(Fields.robotRadiusM, robotRadiusM)
        }
    }
}

extension Field where Value == PlannedRoom {
    fileprivate static func room() -> Field {
        let type = PayloadType.shape(PlannedRoom.payloadShape)
        return Field(
            member: PayloadMember(name: "rooms", type: type, documentation: "The rooms, 1 to 50."),
            decode: { json throws(PayloadError) in
                guard let members = json.object else { throw type.refusal(of: json) }
                return try PlannedRoom(MemberReader(members))
            },
            encode: { $0.write(into: &$1) })
    }
}

extension PlannedRoom {
    private enum Fields {
        static let id = Field.integer("id", "The id, as commands name it.")
        static let name = Field.text(
            "name", maximumLength: PlannedRoom.longestName, "What people call the room."
        ).optional
        static let rectangle = Field<RoomShape>.rectangle().optional
        static let polygon = Field.array(
            of: Field<FloorPosition>.position(
                "polygon", "Its corners in their order, 3 to 32; in place of `rectangle`.")
        ).optional
        static let doors = Field.array(
            of: Field<PlannedDoor>.door("doors", "Its doors, at most 16.")
        ).optional
    }

    static let payloadShape = PayloadShape(
        name: "room", documentation: "A room, as a rectangle or a polygon.",
        members: [
            Fields.id.member, Fields.name.member, Fields.rectangle.member, Fields.polygon.member,
            Fields.doors.member,
        ])

    fileprivate init(_ members: MemberReader) throws(PayloadError) {
        let (id, name) = (try members.require(Fields.id), try members.optional(Fields.name))
        let rectangle = try members.optional(Fields.rectangle)
        let polygon = try members.optional(Fields.polygon).map(RoomShape.polygon)
        guard let shape = rectangle ?? polygon else {
            throw PayloadError(
                code: .missingMember, path: "rectangle", message: "or polygon is missing")
        }
        let doors = try members.optional(Fields.doors) ?? []
        self = try PayloadError.checking { () throws(ArgumentViolation) in
            try PlannedRoom(id: id, name: name, shape: shape, doors: doors)
        }
    }

    fileprivate func write(into json: inout JSONWriter) {
        MemberWriter.write(into: &json) { writer in
            writer.put(Fields.id, id)
            writer.putIfPresent(Fields.name, name)
            switch shape {
            case .rectangle: writer.put(Fields.rectangle, shape)
            case .polygon(let corners): writer.put(Fields.polygon, corners)
            }
            if !doors.isEmpty { writer.put(Fields.doors, doors) }
        }
    }
}
