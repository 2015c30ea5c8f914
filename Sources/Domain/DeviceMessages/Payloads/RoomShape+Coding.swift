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
