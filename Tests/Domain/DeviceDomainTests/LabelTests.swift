import DeviceDomain
import Testing

/// What a user calls devices and rooms.
@Suite struct LabelTests {
    private let robot = DeviceID.literal("sweeper-1")
    private let store = DeviceID.literal("store-1")

    private func labels(_ rooms: String...) throws -> HomeLabels {
        var labels = HomeLabels()
        for room in rooms { try labels.addRoom(GivenName(room)) }
        return labels
    }

    // MARK: Names

    @Test(arguments: [
        ("Kitchen robot", "Kitchen robot"), ("  Küche\t", "Küche"), ("👩‍👩‍👧 Zimmer", "👩‍👩‍👧 Zimmer"),
        ("sweeper, left", "sweeper, left"), (String(repeating: "扫", count: 64), nil),
    ])
    func aNameIsKeptAsItWasTyped(text: String, kept: String?) throws {
        #expect(try GivenName(text).text == kept ?? text)
    }

    @Test(arguments: [
        ("", "empty"), (" \n ", "empty"), ("a\nb", "line break"), ("a\u{1B}[2Jb", "control"),
        ("a\u{202E}b", "control"), ("a\u{2028}b", "line break"),
        (String(repeating: "x", count: 65), "65 characters; 64"),
        ("x" + String(repeating: "\u{301}", count: 300), "1 characters"),
    ])
    func whatCannotBeShownInALineIsNoName(text: String, reason: String) {
        let error = #expect(throws: InvalidName.self) { try GivenName(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func caseMakesNoDifference() throws {
        #expect(try GivenName("Küche").isSame(as: "  KÜCHE "))
        #expect(try !GivenName("Küche").isSame(as: "Kueche"))
    }

    // MARK: Devices

    @Test func aNameBelongsToOneDevice() throws {
        var labels = HomeLabels()
        let name = try GivenName("Kitchen")
        try labels.name(robot, name)
        let taken = labels
        let other = try GivenName("kitchen")
        #expect(throws: LabelRefusal.nameTaken(other, by: robot)) {
            try labels.name(store, other)
        }
        #expect(labels == taken)
        try labels.name(robot, try GivenName("KITCHEN"))
        #expect(labels.device(called: "kitchen") == robot)
        try labels.name(robot, nil)
        #expect(labels.devices.isEmpty)
        try labels.name(store, name)
        #expect(labels[store].name == name)
    }

    // MARK: Rooms

    @Test func roomsAreInTheOrderOfTheirNames() throws {
        #expect(
            try labels("hall", "Attic", "Kitchen").rooms.map(\.text) == [
                "Attic", "hall", "Kitchen",
            ])
    }

    @Test func aRoomIsThereOnce() throws {
        var labels = try labels("Kitchen")
        let (known, other) = (try GivenName("Kitchen"), try GivenName("kitchen"))
        #expect(throws: LabelRefusal.roomExists(known)) { try labels.addRoom(other) }
    }

    @Test func aDeviceIsInARoomThatThereIs() throws {
        var labels = try labels("Kitchen", "Hall")
        try labels.move(robot, to: "kitchen")
        #expect(labels[robot].room?.text == "Kitchen")
        let refusal = #expect(throws: LabelRefusal.self) { try labels.move(robot, to: "Kitchn") }
        #expect(
            refusal?.description
                == "there is no room \"Kitchn\"; the rooms are Hall, Kitchen; did you mean Kitchen?"
        )
        #expect(labels[robot].room?.text == "Kitchen")
        try labels.move(robot, to: nil)
        #expect(labels.devices.isEmpty)
    }

    @Test func theDevicesOfARemovedRoomAreInNone() throws {
        var labels = try labels("Kitchen", "Hall")
        try labels.move(robot, to: "Kitchen")
        try labels.name(robot, try GivenName("Robbie"))
        try labels.move(store, to: "Hall")
        #expect(labels.devices(in: try GivenName("KITCHEN")) == [robot])
        try labels.removeRoom("KITCHEN")
        #expect(labels[robot] == DeviceLabel(name: try GivenName("Robbie")))
        #expect(labels[store].room?.text == "Hall")
        #expect(throws: LabelRefusal.self) { try labels.removeRoom("Kitchen") }
    }
}
