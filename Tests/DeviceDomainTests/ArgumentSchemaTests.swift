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
        #expect(violation(schema, "ECO")?.description == "argument a must be one of eco, 2, null")
        #expect(violation(ArgumentSchema(allowed: []), 1) != nil)
    }

    @Test func rangesIncludeTheirEnds() {
        let schema = ArgumentSchema.integer(50...100)
        for (value, isAllowed) in [(49, false), (50, true), (100, true), (101, false)] {
            #expect((violation(schema, .integer(value)) == nil) == isAllowed)
        }
        #expect(violation(schema, 60.5)?.reason == "must be of type integer, not number")
        #expect(violation(.number(0...2.5), 2.5) == nil)
        #expect(violation(.number(0...2.5), 2.51)?.reason == "must be at most 2.5")
        #expect(violation(.number(0...2.5), -0.1)?.reason == "must be at least 0")
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
        #expect(violation(schema, [:])?.description == "argument a.level is missing")
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
        #expect(error?.description == "argument x is unknown; no arguments are taken")
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
