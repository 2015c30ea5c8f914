import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// The floor plan of a description.
@Suite struct FloorPlanTests {
    private static let hall =
        #"{"id":1,"rectangle":{"southWest":{"x":0,"y":0},"northEast":{"x":2,"y":1}}}"#
    private static let corner = #"{"x":0,"y":0}"#

    private func payload(_ plan: String) -> [UInt8] {
        Array(
            """
            {"v":1,"device":"robot-1","model":"m","kind":"k","commands":["locate"],\
            "floorPlan":\(plan)}
            """.utf8)
    }

    private func rooms(_ rooms: String...) -> String {
        "{\"rooms\":[\(rooms.joined(separator: ","))]}"
    }

    @Test func roomsAreRectanglesOrPolygons() throws {
        let text = """
            {"rooms":[{"id":1,"name":"Hall","rectangle":{"southWest":{"x":0,"y":2.5},\
            "northEast":{"x":8,"y":3.5}}},{"id":7,"polygon":[{"x":0,"y":0},{"x":3,"y":0},\
            {"x":3,"y":2.5}],"doors":[{"x":2.5,"y":2.5,"widthM":0.9}]}],\
            "obstacles":[[{"x":1,"y":1},{"x":2,"y":1},{"x":2,"y":2}]],\
            "carpets":[[{"x":0,"y":0},{"x":1,"y":0},{"x":0,"y":1}]],\
            "noGo":[[{"x":4,"y":0},{"x":5,"y":0},{"x":4,"y":1}]],\
            "dock":{"x":4,"y":3.4,"headingDeg":180},"robotRadiusM":0.175}
            """
        let message = try DescriptionMessage(payload: payload(text))
        let plan = try #require(message.plan)
        #expect(plan.rooms.map(\.id) == [1, 7])
        #expect(plan.rooms.map(\.name) == ["Hall", nil])
        #expect(plan.rooms[0].shape.corners.map(\.x) == [0, 8, 8, 0])
        #expect(plan.rooms[0].shape.corners.map(\.y) == [2.5, 2.5, 3.5, 3.5])
        let door = try FloorPosition(x: 2.5, y: 2.5)
        #expect(plan.rooms[1].doors == [try PlannedDoor(position: door, widthM: 0.9)])
        #expect(plan.obstacles.map(\.corners.count) == [3])
        #expect(plan.carpets.first?.corners.last == (try FloorPosition(x: 0, y: 1)))
        #expect(plan.noGo.first?.corners.first == (try FloorPosition(x: 4, y: 0)))
        let dock = try FloorPosition(x: 4, y: 3.4)
        #expect(plan.dock == (try PlannedDock(position: dock, headingDeg: 180)))
        #expect(plan.robotRadiusM == 0.175)
        #expect(message.profile(home: try HomeID("home-1")).plan == plan)
        #expect(String(decoding: message.payload, as: UTF8.self).contains(text))
    }

    @Test func whatAPlanDoesNotSayIsUsualOrUnknown() throws {
        let text = rooms(Self.hall.dropLast() + ",\"doors\":[\(Self.corner)]}")
        let plan = try #require(try DescriptionMessage(payload: payload(text)).plan)
        #expect(plan.rooms[0].doors.map(\.widthM) == [0.8])
        #expect(plan.obstacles.isEmpty && plan.carpets.isEmpty && plan.noGo.isEmpty)
        #expect(plan.dock == nil && plan.robotRadiusM == nil)
    }

    @Test func aDescriptionWithoutAPlanHasNone() throws {
        let text = #"{"v":1,"device":"robot-1","model":"m","kind":"k","commands":[]}"#
        #expect(try DescriptionMessage(payload: Array(text.utf8)).plan == nil)
    }

    @Test(arguments: [
        ("null", "floorPlan"), ("[]", "floorPlan"), ("{}", "floorPlan.rooms"),
        ("{\"rooms\":[]}", "floorPlan.rooms"), ("{\"rooms\":[7]}", "floorPlan.rooms[0]"),
        ("{\"rooms\":[{\"id\":1}]}", "floorPlan.rooms[0].rectangle"),
        ("{\"rooms\":[{\"rectangle\":{}}]}", "floorPlan.rooms[0].id"),
        ("{\"rooms\":[{\"id\":1.5}]}", "floorPlan.rooms[0].id"),
        ("{\"rooms\":[{\"id\":1,\"rectangle\":{}}]}", "floorPlan.rooms[0].rectangle.southWest"),
        (
            "{\"rooms\":[{\"id\":1,\"polygon\":[\(corner),\(corner)]}]}",
            "floorPlan.rooms[0].polygon"
        ),
        (
            "{\"rooms\":[{\"id\":1,\"polygon\":[\(corner),{\"x\":1,\"y\":1},{\"x\":2,\"y\":2}]}]}",
            "floorPlan.rooms[0].polygon"
        ),
        (
            "{\"rooms\":[{\"id\":1,\"polygon\":[\(corner),\(corner),{\"x\":\"1\",\"y\":1}]}]}",
            "floorPlan.rooms[0].polygon[2].x"
        ),
        (
            """
            {"rooms":[{"id":1,"rectangle":{"southWest":{"x":2,"y":0},"northEast":{"x":2,"y":1}}}]}
            """, "floorPlan.rooms[0].rectangle"
        ),
        (
            """
            {"rooms":[{"id":1,"rectangle":{"southWest":\(corner),"northEast":{"x":1001,"y":1}}}]}
            """, "floorPlan.rooms[0].rectangle"
        ),
        ("{\"rooms\":[\(hall),\(hall)]}", "floorPlan.rooms"),
        ("{\"rooms\":[\(hall)],\"dock\":null}", "floorPlan.dock"),
        ("{\"rooms\":[\(hall)],\"dock\":{\"x\":1}}", "floorPlan.dock.y"),
        (
            "{\"rooms\":[\(hall)],\"dock\":{\"x\":1,\"y\":1,\"headingDeg\":361}}",
            "floorPlan.dock.headingDeg"
        ),
        ("{\"rooms\":[\(hall)],\"robotRadiusM\":0}", "floorPlan.robotRadiusM"),
        ("{\"rooms\":[\(hall)],\"robotRadiusM\":\"1\"}", "floorPlan.robotRadiusM"),
        (
            "{\"rooms\":[\(hall.dropLast()),\"doors\":[{\"x\":0,\"y\":0,\"widthM\":0}]}]}",
            "floorPlan.rooms[0].doors[0].widthM"
        ),
        ("{\"rooms\":[\(hall)],\"obstacles\":[7]}", "floorPlan.obstacles[0]"),
        ("{\"rooms\":[\(hall)],\"carpets\":[[\(corner),\(corner)]]}", "floorPlan.carpets[0]"),
        ("{\"rooms\":[\(hall)],\"noGo\":[[{\"x\":1}]]}", "floorPlan.noGo[0][0].y"),
    ])
    func aWrongPlanIsLeftOutAndNamedWithItsPath(plan: String, path: String) throws {
        let strict = #expect(throws: PayloadError.self) {
            try DescriptionMessage(payload: payload(plan))
        }
        let (message, problem) = try DescriptionMessage.received(payload(plan))
        #expect(problem?.path == path && strict == problem)
        #expect(message.plan == nil && message.commands.count == 1)
    }

    @Test func aPlanIsBounded() throws {
        let many = (1...51).map { Self.hall.replacing("\"id\":1", with: "\"id\":\($0)") }
        let doors = Array(repeating: Self.corner, count: 17).joined(separator: ",")
        let name = String(repeating: "x", count: 65)
        let triangle = "[\(Self.corner),{\"x\":1,\"y\":0},{\"x\":0,\"y\":1}]"
        let areas = Array(repeating: triangle, count: 101).joined(separator: ",")
        let corners = (0...32).map { "{\"x\":\($0),\"y\":\($0 * $0)}" }.joined(separator: ",")
        for (plan, path) in [
            ("{\"rooms\":[\(many.joined(separator: ","))]}", "floorPlan.rooms"),
            (rooms(Self.hall.dropLast() + ",\"doors\":[\(doors)]}"), "floorPlan.rooms[0].doors"),
            (rooms(Self.hall.dropLast() + ",\"name\":\"\(name)\"}"), "floorPlan.rooms[0].name"),
            (rooms("{\"id\":1,\"polygon\":[\(corners)]}"), "floorPlan.rooms[0].polygon"),
            ("{\"rooms\":[\(Self.hall)],\"obstacles\":[\(areas)]}", "floorPlan.obstacles"),
            ("{\"rooms\":[\(Self.hall)],\"noGo\":[[\(corners)]]}", "floorPlan.noGo[0]"),
        ] {
            #expect(try DescriptionMessage.received(payload(plan)).problem?.path == path)
        }
        let most = many.dropLast().joined(separator: ",")
        #expect(try DescriptionMessage(payload: payload("{\"rooms\":[\(most)]}")).plan != nil)
    }

    @Test func whatElseIsWrongIsStillAnError() {
        let text = #"{"v":1,"device":"robot-1","model":7,"kind":"k","commands":[],"floorPlan":{}}"#
        let error = #expect(throws: PayloadError.self) {
            try DescriptionMessage.received(Array(text.utf8))
        }
        #expect(error?.path == "model")
    }
}
