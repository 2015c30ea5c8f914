import DeviceControlPresentation
import Homeport
import SharedPresentation
import Testing

@Suite struct CommandFormTests {
    private func form(_ properties: [String: ArgumentSchema], optional: Set<String> = [])
        -> CommandForm
    {
        CommandForm(
            CommandSpecification(
                name: CommandName(rawValue: "do-it"),
                arguments: .members(properties, optional: optional), sort: .setting))
    }

    private func problem(
        _ schema: ArgumentSchema, _ text: String
    ) -> CommandField.Problem? {
        var form = form(["value": schema])
        form.fieldChanged("value", to: text)
        _ = form.arguments()
        return form.fields.first?.problem
    }

    private func value(_ schema: ArgumentSchema, _ text: String) -> JSONValue? {
        var form = form(["value": schema])
        form.fieldChanged("value", to: text)
        return form.arguments()?["value"]
    }

    @Test func neededFieldsComeFirst() {
        let form = form(
            ["b": .integer(0...1), "a": .integer(0...1), "c": .integer(0...1)], optional: ["a"])
        #expect(form.fields.map(\.name) == ["b", "c", "a"])
        #expect(form.fields.map(\.isRequired) == [true, true, false])
        #expect(!form.isQuick)
    }

    @Test func everyTypeIsReadFromItsText() {
        #expect(value(.integer(0...9), "7") == 7)
        #expect(value(.number(-1...1), "-0.5") == -0.5)
        #expect(value(.number(0...20_000), "2 500") == 2500)
        #expect(value(.oneOf(["quiet", "turbo"]), "\"turbo\"") == "turbo")
        #expect(value(ArgumentSchema(type: .boolean), "true") == true)
        #expect(value(ArgumentSchema(type: .string), "any text") == "any text")
        #expect(value(.array(of: .integer(1...9)), "1, 2,3 4，5") == [1, 2, 3, 4, 5])
        #expect(value(ArgumentSchema(type: .object), "{\"a\":[1]}") == ["a": [1]])
    }

    @Test func aPresetIsTakenByItsNameAndByItsValue() {
        let schema = ArgumentSchema(
            type: .number, minimum: 1, maximum: 254,
            presets: [.init(name: "previous", value: 65535), .init(name: "off", value: "none")])
        #expect(value(schema, "previous") == 65535)
        #expect(value(schema, "65535") == 65535)
        #expect(value(schema, "off") == "none")
        #expect(value(schema, "7") == 7)
        #expect(problem(schema, "255") == .tooLarge(maximum: 254))
        #expect(problem(schema, "next") == .notANumber)
    }

    @Test func everyMistakeHasItsProblem() {
        #expect(problem(.integer(0...9), "") == .missing)
        #expect(problem(.integer(0...9), "many") == .notANumber)
        #expect(problem(.integer(0...9), "nan") == .notANumber)
        #expect(problem(.integer(0...9), "1.5") == .notWhole)
        #expect(problem(.integer(1...9), "0") == .tooSmall(minimum: 1))
        #expect(problem(.integer(1...9), "10") == .tooLarge(maximum: 9))
        #expect(problem(.oneOf(["quiet"]), "\"loud\"") == .notAChoice)
        #expect(problem(ArgumentSchema(type: .boolean), "yes") == .notAChoice)
        #expect(problem(.array(of: .integer(1...9)), "1, two") == .notNumbers)
        #expect(problem(.array(of: .integer(1...9)), ",") == .notNumbers)
        #expect(problem(ArgumentSchema(type: .object), "{") == .notJSON)
    }

    @Test func severalOfAFewValuesAreChosen() {
        let rooms = ArgumentSchema.array(of: ArgumentSchema(type: .integer, allowed: [1, 2, 3]))
        var form = form(["value": rooms], optional: ["value"])
        #expect(form.fields[0].kind == .choices([1, 2, 3]))
        #expect(form.arguments() == [:])
        form.fieldChanged("value", to: "[3,1]")
        #expect(form.fields[0].isChosen(3) && !form.fields[0].isChosen(2))
        #expect(form.arguments() == ["value": [3, 1]])
        for wrong in ["[4]", "3", "[3,", "[\"3\"]"] {
            #expect(problem(rooms, wrong) == .notAChoice, "\(wrong)")
        }
    }

    @Test func theSchemaHasTheLastWord() {
        guard case .refused(let reason) = problem(.array(of: .integer(1...9)), "1, 10") else {
            Issue.record("10 is taken for a room from 1 to 9")
            return
        }
        #expect(reason == "must be at most 9, not 10, such as 'value=[1,2]'")
    }

    @Test func aCommandWithoutASchemaTakesJSON() {
        var form = CommandForm(.bare(CommandName(rawValue: "wave")))
        #expect(form.isQuick)
        #expect(form.arguments() == [:])
        form.fieldChanged(CommandForm.anything, to: "[1]")
        #expect(form.arguments() == nil)
        #expect(form.fields.first?.problem == .notJSON)
        form.fieldChanged(CommandForm.anything, to: "{\"hand\":\"left\"}")
        #expect(form.arguments() == ["hand": "left"])
    }

    @Test func secretsAndUnitsAreMarked() {
        let form = form([
            "password": ArgumentSchema(type: .string, isWriteOnly: true),
            "powerW": .integer(0...2_500),
        ])
        #expect(form.fields.map(\.kind).contains(.text(isSecret: true)))
        #expect(form.fields.first { $0.name == "powerW" }?.unit == .watts)
        #expect(form.fields.first { $0.name == "password" }?.unit == nil)
    }
}
