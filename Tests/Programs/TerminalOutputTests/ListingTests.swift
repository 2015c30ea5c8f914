import DeviceDomain
import TerminalOutput
import Testing

/// A list in its forms, orders and columns.
@Suite struct ListingTests {
    private static let columns: [TextTable.Column] = [
        .init("NAME"), .init("SIZE", isNumeric: true, omission: 1),
        .init("ROOM", shown: .whereKnown), .init("SINCE", shown: .wide),
    ]
    private let noon = Timestamp(milliseconds: 1_764_000_000_000)

    private func listing(room: String? = nil) -> Listing {
        let things: [(name: String, size: Double?)] = [
            ("pool-10", 9), ("pool-2", 100), ("attic", nil),
        ]
        return Listing(
            Self.columns,
            things.map { name, size in
                Listing.Row(name) {
                    [
                        .init(name), size.map { .init("\(Int($0)) m", order: $0) } ?? .absent,
                        name == "attic" ? room.map { .init($0) } ?? .absent : .absent,
                        .init("noon"),
                    ]
                } object: {
                    var line = JSONLine()
                    line.add("name", name)
                    line.add("size", size.map(JSONValue.number) ?? .null)
                    line.add("state", .object(["is on": true, "items": [1, "a b"], "none": [:]]))
                    var inner = JSONLine()
                    inner.add("word", "no")
                    line.add("inner", inner)
                    return line
                }
            })
    }

    private func screen(
        _ form: ListStyle.Form = .table, sort: String? = nil, columns: String? = nil,
        room: String? = nil, width: Int? = nil
    ) throws -> String {
        let style = try ListStyle(form, sortedBy: sort, columns: columns, of: Self.columns)
        return listing(room: room).lines(style, in: Layout(width: width)).joined(separator: "\n")
    }

    @Test func aColumnIsShownWhereItTellsSomething() throws {
        #expect(
            try screen() == """
                NAME      SIZE
                pool-10    9 m
                pool-2   100 m
                attic        –
                """)
        #expect(try screen(room: "Hall").hasSuffix("attic        –  Hall"))
        #expect(try screen(.wide).hasPrefix("NAME      SIZE  SINCE\n"))
    }

    @Test(
        arguments: [
            (nil, ["pool-10", "pool-2", "attic"]), ("name", ["attic", "pool-2", "pool-10"]),
            ("-NAME", ["pool-10", "pool-2", "attic"]), ("size", ["pool-10", "pool-2", "attic"]),
            ("-size", ["pool-2", "pool-10", "attic"]), ("since", ["pool-10", "pool-2", "attic"]),
        ] as [(String?, [String])])
    func rowsAreSortedAsPeopleCount(sort: String?, names: [String]) throws {
        #expect(try screen(.name, sort: sort) == names.joined(separator: "\n"))
    }

    @Test func chosenColumnsComeInTheirOrderAndStay() throws {
        #expect(try screen(columns: "size,Name").hasPrefix(" SIZE  NAME\n  9 m  pool-10"))
        #expect(!(try screen(width: 13).contains("SIZE")))
        #expect(try screen(columns: "name,size", width: 13).contains("size 9 m"))
    }

    @Test(arguments: ["frob", "", "name,frob", "-size"])
    func anUnknownColumnIsRefusedWithTheColumns(text: String) {
        for isSort in [true, false] where !isSort || text != "-size" && !text.contains(",") {
            let error = #expect(throws: ListStyleError.self) {
                try ListStyle(
                    .table, sortedBy: isSort ? text : nil, columns: isSort ? nil : text,
                    of: Self.columns)
            }
            #expect(error?.message.hasSuffix("the columns are name, size, room, since") == true)
        }
        #expect(throws: ListStyleError.self) {
            try ListStyle(.json, sortedBy: nil, columns: "name", of: Self.columns)
        }
    }

    @Test func yamlSaysWhatJSONSays() throws {
        let yaml = try screen(.yaml).split(separator: "\n").prefix(11).joined(separator: "\n")
        #expect(
            yaml == """
                - name: pool-10
                  size: 9
                  state:
                    "is on": true
                    items:
                      - 1
                      - "a b"
                    none: {}
                  inner:
                    word: "no"
                - name: pool-2
                """)
        #expect(
            try screen(.json).hasPrefix(
                #"{"name":"pool-10","size":9,"state":{"is on":true,"items":[1,"a b"],"none":{}},"inner":{"word":"no"}}"#
            ))
        #expect(Listing(Self.columns, []).lines(ListStyle(.yaml), in: .plain) == ["[]"])
    }

    @Test(arguments: [
        (0, "now"), (-4, "now"), (12, "12 s ago"), (200, "3 min ago"), (-200, "in 3 min"),
        (3_600, "1 h ago"), (172_799, "47 h ago"), (172_800, "2 days ago"), (-90_000, "in 25 h"),
    ])
    func onATerminalTimesAreRelative(seconds: Int, text: String) throws {
        let moment = noon.advanced(by: .seconds(-seconds))
        func cell(_ form: ListStyle.Form, _ width: Int?) -> String {
            ListTimes(ListStyle(form), in: Layout(width: width), now: noon)
                .cell(moment) { _ in "exact" }.text
        }
        #expect(cell(.table, 80) == text)
        #expect(cell(.wide, 80) == "exact" && cell(.table, nil) == "exact")
    }
}
