import DeviceControl
import DeviceDomain
import Testing

@testable import Dashboard

@Suite struct CommandFormTests {
    private let texts = Texts(.english, calendar: LocalCalendar { _ in 0 })

    private func form(
        _ properties: [String: ArgumentSchema], optional: Set<String> = []
    ) -> CommandForm {
        CommandForm(
            CommandSpecification(
                name: CommandName(rawValue: "do"),
                arguments: .members(properties, optional: optional), sort: .setting))
    }

    private func entry(_ text: String, _ form: CommandForm) -> CommandEntry {
        CommandEntry(FormValues(text), for: form, texts: texts)
    }

    @Test func everySchemaHasAField() {
        let form = form(
            [
                "level": .oneOf(["a", "b"]), "on": ArgumentSchema(type: .boolean),
                "percent": .integer(0...100), "x": ArgumentSchema(type: .number),
                "note": ArgumentSchema(type: .string), "rooms": .array(of: .integer(1...9)),
                "entries": .array(of: .members([:])), "any": ArgumentSchema(),
            ], optional: ["note"])
        let kinds = Dictionary(uniqueKeysWithValues: form.fields.map { ($0.name, $0.kind) })
        #expect(kinds["level"] == .choice(["a", "b"]))
        #expect(kinds["on"] == .boolean)
        #expect(kinds["percent"] == .number(minimum: 0, maximum: 100, isWhole: true))
        #expect(kinds["x"] == .number(minimum: nil, maximum: nil, isWhole: false))
        #expect(kinds["note"] == .text(isSecret: false))
        #expect(kinds["rooms"] == .numbers)
        #expect(kinds["entries"] == .json && kinds["any"] == .json)
        #expect(form.fields.last?.name == "note")
    }

    @Test func whatWasFilledInBecomesArguments() {
        let form = form(
            [
                "level": .oneOf(["a", "b"]), "rooms": .array(of: .integer(1...9)),
                "on": ArgumentSchema(type: .boolean), "note": ArgumentSchema(type: .string),
                "x": .number(0...9),
            ], optional: ["note"])
        let entry = entry(
            "argument-level=%22b%22&argument-rooms=1%2C+3%EF%BC%8C4&argument-on=false&argument-note="
                + "&argument-x=2.5&other=1", form)
        #expect(entry.isRight)
        #expect(
            entry.arguments == ["level": "b", "rooms": [1, 3, 4], "on": false, "x": 2.5])
    }

    @Test(arguments: [
        ("", "percent"), ("argument-percent=", "percent"), ("argument-percent=x", "percent"),
        ("argument-percent=101", "percent"), ("argument-percent=1e999", "percent"),
        ("argument-percent=1.5", "percent"),
    ])
    func whatIsWrongIsSaidBesideItsField(text: String, field: String) {
        let entry = entry(text, form(["percent": .integer(0...100)]))
        #expect(!entry.isRight)
        #expect(entry.problems[field]?.isEmpty == false)
    }

    @Test func severalOfAFewValuesAreChosen() {
        let rooms = ArgumentSchema.array(of: ArgumentSchema(type: .integer, allowed: [1, 2, 3]))
        let form = form(["rooms": rooms], optional: ["rooms"])
        #expect(form.fields[0].kind == .choices([1, 2, 3]))
        let entry = entry("argument-rooms=3&argument-rooms=1", form)
        #expect(entry.arguments == ["rooms": [3, 1]])
        #expect(self.entry("", form).arguments.isEmpty)
        #expect(!self.entry("argument-rooms=4", form).isRight)
        let markup = CommandFields(texts: texts, form: form, entry: entry, scope: "s").render()
            .markup
        #expect(markup.contains("value=\"3\" checked") && !markup.contains("value=\"2\" checked"))
    }

    @Test func aCommandWithoutASchemaTakesJSON() {
        let form = CommandForm(.bare(CommandName(rawValue: "do")))
        #expect(entry("argument-*=%7B%22a%22%3A1%7D", form).arguments == ["a": 1])
        #expect(entry("argument-*=", form).isRight)
        #expect(!entry("argument-*=%7B", form).isRight)
    }

    @Test func aSecretIsNotShownAgainInClear() {
        var secret = ArgumentSchema(type: .string)
        secret.isWriteOnly = true
        let fields = CommandFields(
            texts: texts, form: form(["code": secret]), entry: CommandEntry(), scope: "s")
        #expect(fields.render().markup.contains("type=\"password\""))
    }
}
