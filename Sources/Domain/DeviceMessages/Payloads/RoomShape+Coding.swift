internal import DeviceDomain

extension Field where Value == RoomShape {
    /// A rectangle by its south-western and its north-eastern corner.
    static func rectangle() -> Field {
        let southWest = Field<FloorPosition>.position("southWest", "Its south-western corner.")
        let northEast = Field<FloorPosition>.position("northEast", "Its north-eastern corner.")
        let shape = PayloadShape(
            name: "rectangle", documentation: "A rectangle along the axes.",
            members: [southWest.member, northEast.member])
        return Field(
            member: PayloadMember(
                name: "rectangle", type: .shape(shape), documentation: "Its extent."),
            decode: { json throws(PayloadError) in
                guard let object = json.object else {
                    throw PayloadType.shape(shape).refusal(of: json)
                }
                let members = MemberReader(object)
                return .rectangle(
                    southWest: try members.require(southWest),
                    northEast: try members.require(northEast))
            },
            encode: { value, json in
                let corners = value.corners
                MemberWriter.write(into: &json) { writer in
                    writer.put(southWest, corners[0])
                    writer.put(northEast, corners[2])
                }
            })
    }
}

extension Field where Value == FloorPosition {
    /// A point of a floor plan.
    static func position(_ name: String, _ documentation: String) -> Field {
        let x = Field<Double>.number("x", "Metres to the east.")
        let y = Field<Double>.number("y", "Metres to the north.")
        let shape = PayloadShape(
            name: "position", documentation: "A point of a floor plan.",
            members: [x.member, y.member])
        return Field(
            member: PayloadMember(name: name, type: .shape(shape), documentation: documentation),
            decode: { json throws(PayloadError) in
                guard let object = json.object else {
                    throw PayloadType.shape(shape).refusal(of: json)
                }
                let members = MemberReader(object)
                let (east, north) = (try members.require(x), try members.require(y))
                return try PayloadError.checking { () throws(ArgumentViolation) in
                    try FloorPosition(x: east, y: north)
                }
            },
            encode: { value, json in
                MemberWriter.write(into: &json) { writer in
                    writer.put(x, value.x)
                    writer.put(y, value.y)
                }
            })
    }
}

extension Field where Value == FloorArea {
    /// An area by its corners.
    static func area(_ name: String, _ documentation: String) -> Field {
        let corners = Field<[FloorPosition]>.array(
            of: Field<FloorPosition>.position(name, documentation))
        return Field(
            member: corners.member,
            decode: { json throws(PayloadError) in
                let corners = try corners.decode(json)
                return try PayloadError.checking { () throws(ArgumentViolation) in
                    try FloorArea(corners: corners)
                }
            },
            encode: { corners.encode($0.corners, &$1) })
    }
}

extension Field where Value == PlannedDoor {
    /// A door by its middle and its width.
    static func door(_ name: String, _ documentation: String) -> Field {
        let width = Field<Double>.number(
            "widthM",
            "How much of the wall it takes, in metres, 0.1 to 100; 0.8 where it is missing."
        ).optional
        let place = PlaceFields()
        let shape = PayloadShape(
            name: "door", documentation: "A door by its middle.",
            members: [place.x.member, place.y.member, width.member])
        return Field(
            member: PayloadMember(name: name, type: .shape(shape), documentation: documentation),
            decode: { json throws(PayloadError) in
                guard let object = json.object else {
                    throw PayloadType.shape(shape).refusal(of: json)
                }
                let members = MemberReader(object)
                let (position, wide) = (
                    try place.position(members), try members.optional(width)
                )
                return try PayloadError.checking { () throws(ArgumentViolation) in
                    try PlannedDoor(
                        position: position, widthM: wide ?? PlannedDoor.usualWidthM)
                }
            },
            encode: { value, json in
                MemberWriter.write(into: &json) { writer in
                    writer.put(place.x, value.position.x)
                    writer.put(place.y, value.position.y)
                    writer.put(width, value.widthM)
                }
            })
    }
}

extension Field where Value == PlannedDock {
    /// A dock by its place and its heading.
    static func dock() -> Field {
        let heading = Field<Double>.number(
            Signal.headingDeg.rawValue,
            "Where a docked robot looks, in degrees clockwise from north, 0 to 360."
        ).optional
        let place = PlaceFields()
        let shape = PayloadShape(
            name: "dock", documentation: "The place of a docked robot.",
            members: [place.x.member, place.y.member, heading.member])
        return Field(
            member: PayloadMember(
                name: "dock", type: .shape(shape), documentation: "Where the dock stands."),
            decode: { json throws(PayloadError) in
                guard let object = json.object else {
                    throw PayloadType.shape(shape).refusal(of: json)
                }
                let members = MemberReader(object)
                let (position, degrees) = (
                    try place.position(members), try members.optional(heading)
                )
                return try PayloadError.checking { () throws(ArgumentViolation) in
                    try PlannedDock(position: position, headingDeg: degrees)
                }
            },
            encode: { value, json in
                MemberWriter.write(into: &json) { writer in
                    writer.put(place.x, value.position.x)
                    writer.put(place.y, value.position.y)
                    writer.putIfPresent(heading, value.headingDeg)
                }
            })
    }
}

/// The members of a point of a floor plan.
private struct PlaceFields: Sendable {
    let x = Field<Double>.number("x", "Metres to the east.")
    let y = Field<Double>.number("y", "Metres to the north.")

    func position(_ members: MemberReader) throws(PayloadError) -> FloorPosition {
        let (east, north) = (try members.require(x), try members.require(y))
        return try PayloadError.checking { () throws(ArgumentViolation) in
            try FloorPosition(x: east, y: north)
        }
    }
}

extension PayloadError {
    /// Turns the violation of a value's own rules into an error of the payload that holds it.
    static func checking<Value>(
        _ make: () throws(ArgumentViolation) -> Value
    ) throws(PayloadError) -> Value {
        do { return try make() } catch {
            throw PayloadError(code: .outOfRange, path: error.path, message: error.reason)
        }
    }
}
