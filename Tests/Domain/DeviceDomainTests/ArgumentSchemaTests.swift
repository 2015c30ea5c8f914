import DeviceDomain
import Testing

@Suite struct ArgumentSchemaTests {
    private func violation(_ schema: ArgumentSchema, _ value: JSONValue) -> ArgumentViolation? {
        let outer = ArgumentSchema(properties: ["a": schema])
        do {
            try outer.check(["a": value])
            return nil
        } catch {
            return error
        }
    }

    /// Every type of schema with every type of value.
    @Test func aTypeAllowsItsOwnValuesOnly() {
        let values: [(JSONValue, Set<ArgumentSchema.ValueType>)] = [
            (nil, [.null]), (true, [.boolean]), (1, [.number, .integer]), (1.5, [.number]),
            (1e300, [.number]), ("", [.string]), ([], [.array]), ([:], [.object]),
        ]
        for (value, types) in values {
            for type in ArgumentSchema.ValueType.allCases {
                let isAllowed = violation(ArgumentSchema(type: type), value) == nil
                #expect(isAllowed == types.contains(type), "\(type): \(value)")
            }
            #expect(violation(ArgumentSchema(), value) == nil)
        }
    }

    @Test func onlyTheListedValuesAreAllowed() {
        let schema = ArgumentSchema(allowed: ["eco", 2, nil])
        #expect(violation(schema, "eco") == nil)
        #expect(violation(schema, 2) == nil)
        #expect(violation(schema, nil) == nil)
        #expect(
            violation(schema, "ecco")?.description
                == "a must be one of eco, 2, null; did you mean eco?")
        #expect(violation(ArgumentSchema(allowed: []), 1) != nil)
    }

    @Test func rangesIncludeTheirEnds() {
        let schema = ArgumentSchema.integer(50...100)
        for (value, isAllowed) in [(49, false), (50, true), (100, true), (101, false)] {
            #expect((violation(schema, .integer(value)) == nil) == isAllowed)
        }
        #expect(
            violation(schema, 60.5)?.reason == "must be a whole number from 50 to 100, such as a=75"
        )
        #expect(violation(.number(0...2.5), 2.5) == nil)
        #expect(violation(.number(0...2.5), 2.51)?.reason == "must be at most 2.5, not 2.51")
        #expect(violation(.number(0...2.5), -0.1)?.reason == "must be at least 0, not -0.1")
    }

    @Test(arguments: [
        (ArgumentSchema.array(of: .integer(1...20)), "must be a list, such as 'a=[1,2]'"),
        (.array(of: .integer(1...1)), "must be a list, such as 'a=[1]'"),
        (
            .array(of: .oneOf(["x", "y"])),
            #"must be a list, of which each item is one of x, y, such as 'a=["x","y"]'"#
        ),
        (
            .array(
                of: ArgumentSchema(
                    type: .integer, allowed: [7, 9],
                    presets: [ArgumentSchema.Preset(name: "Kitchen", value: 7)])),
            "must be a list, of which each item is one of 7 (Kitchen), 9, such as 'a=[7,9]'"
        ),
        (ArgumentSchema(type: .array), "must be a list, such as 'a=[1]'"),
        (.integer(0...100), "must be a whole number from 0 to 100, such as a=50"),
        (.integer(-3 ... -2), "must be a whole number from -3 to -2, such as a=-3"),
        (.number(0.5...2.5), "must be a number from 0.5 to 2.5, such as a=1"),
        (
            ArgumentSchema(type: .integer, minimum: 1),
            "must be a whole number, at least 1, such as a=1"
        ),
        (ArgumentSchema(type: .number, maximum: -4), "must be a number, at most -4, such as a=-4"),
        (ArgumentSchema(type: .number), "must be a number, such as a=1"),
        (ArgumentSchema(type: .boolean), "must be true or false, such as a=true"),
        (ArgumentSchema(type: .null), "must be null, such as a=null"),
        (.oneOf(["low"]), "must be low"),
        (.oneOf(["low", "high"]), "must be one of low, high"),
        (
            .members(["at": ArgumentSchema(type: .string), "n": .integer(1...7)]),
            #"must be an object, such as 'a={"at":"08:30","n":4}'"#
        ),
    ])
    func aValueOfTheWrongTypeIsToldWhatToWrite(schema: ArgumentSchema, message: String) {
        #expect(violation(schema, "frobnicate")?.reason == message)
    }

    @Test(arguments: [
        (ArgumentSchema(type: .string), "a=text"), (.oneOf(["it's"]), #"'a=it'\''s'"#),
        (.oneOf(["a b"]), "'a=a b'"), (.oneOf(["$x"]), "'a=$x'"), (.oneOf(["grün"]), "a=grün"),
        (.oneOf([""]), "a="), (ArgumentSchema(allowed: [30]), "a=30"),
    ])
    func anExampleSurvivesAShell(schema: ArgumentSchema, example: String) {
        let error = #expect(throws: ArgumentViolation.self) {
            try ArgumentSchema.members(["a": schema]).check([:])
        }
        #expect(error?.description.hasSuffix(", such as \(example)") == true)
    }

    @Test func aPresetIsAllowedBesideTheRange() {
        let schema = ArgumentSchema(
            type: .number, minimum: 153, maximum: 500,
            presets: [.init(name: "previous", value: 65535), .init(name: "last", value: "x")])
        for value in ["previous", 65535, "last", "x", 200] as [JSONValue] {
            #expect(violation(schema, value) == nil)
        }
        #expect(
            violation(schema, 501)?.reason
                == "must be at most 500, or one of previous, last, not 501")
        #expect(
            violation(schema, "no")?.reason
                == "must be a number from 153 to 500, or one of previous, last, such as a=326")
        let outer = ArgumentSchema(properties: ["a": .array(of: schema), "b": schema])
        #expect(
            outer.replacingPresetNames(in: ["a": ["previous", 7], "b": "last", "c": "previous"])
                == ["a": [65535, 7], "b": "x", "c": "previous"])
    }

    @Test(
        arguments: [
            (
                ["a": ["code": 5, "n": 4]],
                #"a.code must be a text, such as 'a={"code":"text","n":4}'"#
            ),
            (["a": [:]], #"a.n is missing: give a whole number from 1 to 7, such as 'a={"n":4}'"#),
            (["b": [1, "x"]], "b[1] must be a whole number from 1 to 7, such as 'b=[1,2]'"),
            (
                ["c": [["n": "x"]]],
                #"c[0].n must be a whole number from 1 to 7, such as 'c=[{"n":4}]'"#
            ),
        ] as [(JSONObject, String)])
    func aPartOfTheWrongTypeIsNamedWithAnExampleOfTheWhole(
        arguments: JSONObject, message: String
    ) {
        let member = ArgumentSchema(
            type: .object, required: ["n"],
            properties: ["n": .integer(1...7), "code": ArgumentSchema(type: .string)])
        let schema = ArgumentSchema(
            properties: [
                "a": member, "b": .array(of: .integer(1...7)), "c": .array(of: member),
            ])
        let error = #expect(throws: ArgumentViolation.self) { try schema.check(arguments) }
        #expect(error?.description == message)
    }

    @Test func aMissingArgumentIsToldWithAnExample() throws {
        let schema = ArgumentSchema.members(["level": .oneOf(["quiet", "turbo"])])
        let error = #expect(throws: ArgumentViolation.self) { try schema.check([:]) }
        #expect(
            error?.description
                == "level is missing: give one of quiet, turbo, such as level=quiet")
    }

    @Test(arguments: [
        ("levle", "levle is unknown; did you mean level?"),
        ("speed", "speed is unknown; the arguments are boost, level"),
    ])
    func aMistypedNameIsToldBeforeTheMissingOne(name: String, message: String) {
        let schema = ArgumentSchema.members(["level": .oneOf(["eco"]), "boost": .oneOf(["on"])])
        let error = #expect(throws: ArgumentViolation.self) { try schema.check([name: "eco"]) }
        #expect(error?.description == message)
    }

    @Test func itemsAreNamedByTheirPlace() {
        let schema = ArgumentSchema.array(of: .integer(1...9))
        #expect(violation(schema, []) == nil)
        #expect(violation(schema, [1, 2, 10])?.path == "a[2]")
        #expect(violation(schema, [1, "2"])?.path == "a[1]")
    }

    @Test func membersAreRequiredKnownAndChecked() {
        let schema = ArgumentSchema.members(
            ["level": .oneOf(["eco"]), "boost": ArgumentSchema(type: .boolean)],
            optional: ["boost"])
        #expect(violation(schema, ["level": "eco"]) == nil)
        #expect(violation(schema, ["level": "eco", "boost": true]) == nil)
        #expect(
            violation(schema, [:])?.description
                == #"a.level is missing: give eco, such as 'a={"level":"eco"}'"#)
        #expect(violation(schema, ["level": "eco", "x": 1])?.path == "a.x")
        #expect(violation(schema, ["level": "eco", "boost": 1])?.path == "a.boost")
        #expect(violation(schema, ["level": nil])?.path == "a.level")
    }

    @Test func unknownMembersAreAllowedWhereTheSchemaSaysNothing() {
        #expect(violation(ArgumentSchema(type: .object), ["x": 1]) == nil)
    }

    @Test func noArgumentsMeansNone() throws {
        try ArgumentSchema.nothing.check([:])
        let error = #expect(throws: ArgumentViolation.self) {
            try ArgumentSchema.nothing.check(["x": 1])
        }
        #expect(error?.description == "x is unknown; no arguments are taken")
    }

    @Test func theFirstViolationIsThatOfTheFirstName() {
        let schema = ArgumentSchema(properties: ["a": .integer(0...1), "b": .integer(0...1)])
        let error = #expect(throws: ArgumentViolation.self) { try schema.check(["b": 9, "a": 9]) }
        #expect(error?.path == "a")
    }

    @Test func anArgumentsTypeIsCheckedAtItsRoot() {
        let error = #expect(throws: ArgumentViolation.self) {
            try ArgumentSchema(type: .array).check([:])
        }
        #expect(error?.path == "")
    }
}
