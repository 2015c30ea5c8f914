import DeviceDomain
import Markup
import SharedPresentation
import Testing

@testable import Dashboard

@Suite struct FloorDrawingTests {
    private func plan(_ name: String? = "Hall") throws -> RoomPlan {
        let hall = try PlannedRoom(
            id: 1, name: name,
            shape: .rectangle(
                southWest: FloorPosition(x: 0, y: 0), northEast: FloorPosition(x: 5, y: 4)),
            doors: [PlannedDoor(position: FloorPosition(x: 2, y: 4))])
        let nook = try PlannedRoom(
            id: 7, name: nil,
            shape: .polygon([
                FloorPosition(x: 5, y: 0), FloorPosition(x: 8, y: 0), FloorPosition(x: 5, y: 4),
            ]), doors: [])
        let table = try FloorArea(corners: [
            FloorPosition(x: 3, y: 1), FloorPosition(x: 4, y: 1), FloorPosition(x: 4, y: 2),
        ])
        return try RoomPlan(
            rooms: [hall, nook], obstacles: [table], carpets: [table], noGo: [table],
            dock: PlannedDock(position: FloorPosition(x: 1, y: 1)))
    }

    @Test func roomsAreDrawnUnderTheWayInOneScale() throws {
        let trail = [FloorPoint(x: 1, y: 1), FloorPoint(x: 2, y: 3)]
        let drawing = FloorDrawing(title: "Way", trail: trail, plan: try plan())
        let rooms = try #require(drawing.rooms()).markup
        let way = drawing.way().markup
        let box = "viewBox=\"-60 0 920 520\""
        #expect(rooms.contains(box) && way.contains(box))
        #expect(rooms.contains("data-room=\"1\" d=\"M0 460L500 460L500 60L0 60Z\""))
        #expect(rooms.contains("data-room=\"7\" d=\"M500 460L800 460L500 60Z\""))
        #expect(rooms.contains(">Hall</text>") && rooms.contains(">7</text>"))
        #expect(rooms.contains("aria-label=\"Hall, 7\""))
        #expect(rooms.contains("class=\"door\" cx=\"200\" cy=\"60\""))
        for kind in ["obstacle", "carpet", "no-go"] {
            #expect(rooms.contains("class=\"\(kind)\" d=\"M300 360L400 360L400 260Z\""))
        }
        #expect(rooms.contains("class=\"dock\" cx=\"100\" cy=\"360\""))
        #expect(way.contains("class=\"trail\" d=\"M100 360L200 160\""))
        #expect(way.contains("class=\"robot\" cx=\"200\" cy=\"160\""))
    }

    @Test func withoutAPlanTheWayIsAlone() {
        let drawing = FloorDrawing(title: "Way", trail: [FloorPoint(x: 0, y: 0)])
        #expect(drawing.rooms() == nil)
        #expect(drawing.way().markup.contains("class=\"plan\" viewBox=\"-260 0 520 520\""))
    }

    @Test func longNamesAreSmallerAndStayText() throws {
        let name = "<b>" + String(repeating: "W", count: 61)
        let rooms = try #require(
            FloorDrawing(title: "", trail: [], plan: try plan(name)).rooms()
        ).markup
        #expect(rooms.contains("font-size=\"10\">&lt;b&gt;W"))
    }

    @Test func wildNumbersAreDrawnSomehow() {
        let trail = [FloorPoint(x: 1e300, y: -1e300), FloorPoint(x: 0, y: 0)]
        #expect(FloorDrawing(title: "", trail: trail).way().markup.contains("<svg"))
    }
}
