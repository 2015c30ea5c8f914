import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import Markup
import Testing

@testable import Dashboard

@Suite struct CommandFieldsTests {
    private let texts = Texts(.english, calendar: LocalCalendar { _ in 0 })

    private func form(
        _ properties: [String: ArgumentSchema], _ text: String = ""
    ) -> CommandForm {
        var form = CommandForm(
            CommandSpecification(
                name: CommandName(rawValue: "do"), arguments: .members(properties),
                sort: .setting))
        let values = FormValues(text)
        for field in form.fields { form.fieldChanged(field.name, to: values.text(of: field)) }
        return form
    }

    private func markup(_ form: CommandForm) -> String {
        CommandFields(texts: texts, form: form, scope: "s").render().markup
    }

    @Test func whatABrowserSendsBecomesArguments() {
        let rooms = ArgumentSchema.array(of: ArgumentSchema(type: .integer, allowed: [1, 2, 3]))
        var form = form(
            [
                "level": .oneOf(["a", "b"]), "rooms": rooms, "x": .number(0...9),
                "on": ArgumentSchema(type: .boolean), "spots": .array(of: .integer(1...9)),
            ],
            "argument-level=%22b%22&argument-rooms=3&argument-rooms=1&argument-on=false"
                + "&argument-x=2.5&argument-spots=1%2C+3%EF%BC%8C4&other=1")
        #expect(
            form.arguments()
                == ["level": "b", "rooms": [3, 1], "x": 2.5, "on": false, "spots": [1, 3, 4]])
    }

    @Test func presetsOfANumberAreOffered() {
        let level = ArgumentSchema(
            type: .number, minimum: 1, maximum: 254,
            presets: [.init(name: "previous", value: 65535)])
        let markup = markup(form(["level": level], "argument-level=previous"))
        #expect(markup.contains("<option value=\"previous\">"), "\(markup)")
        #expect(markup.contains("1 – 254, previous"), "\(markup)")
        #expect(!markup.contains("type=\"number\""), "a browser would refuse the name")
    }

    @Test func whatWasChosenIsChosenAgain() {
        let rooms = ArgumentSchema.array(of: ArgumentSchema(type: .integer, allowed: [1, 2, 3]))
        let markup = markup(form(["rooms": rooms], "argument-rooms=3&argument-rooms=1"))
        #expect(markup.contains("value=\"3\" checked"))
        #expect(!markup.contains("value=\"2\" checked"))
    }

    @Test(arguments: [
        ("", "This is needed."), ("argument-percent=x", "Write a number."),
        ("argument-percent=101", "At most 100"), ("argument-percent=-1", "At least 0"),
        ("argument-percent=1e999", "Write a number."),
        ("argument-percent=1.5", "Write a whole number."),
    ])
    func whatIsWrongIsSaidBesideItsField(text: String, problem: String) {
        var form = form(["percent": .integer(0...100)], text)
        #expect(form.arguments() == nil)
        #expect(markup(form).contains("id=\"s-percent-wrong\">\(problem)<"), "\(markup(form))")
    }

    @Test func whatTheSchemaRefusesIsQuotedOnAChinesePage() {
        let chinese = Texts(.chinese, calendar: LocalCalendar { _ in 0 })
        func said(_ form: CommandForm) -> String {
            CommandFields(texts: chinese, form: form, scope: "s").render().markup
        }
        func quoted(_ reason: String) -> String {
            "<q translate=\"no\" lang=\"en\">\(reason)"
        }
        var refused = form(["spots": .array(of: .integer(1...9))], "argument-spots=10")
        #expect(refused.arguments() == nil)
        #expect(said(refused).contains("此值不符合此命令的要求。\(quoted("must be at most 9"))"))
        // The schema needs an argument of which it says nothing, so it has no field.
        var incomplete = CommandForm(
            CommandSpecification(
                name: CommandName(rawValue: "do"),
                arguments: ArgumentSchema(type: .object, required: ["x"]), sort: .setting))
        #expect(incomplete.arguments() == nil)
        #expect(said(incomplete).contains("参数不符合此命令的要求。\(quoted("x is missing"))"))
    }

    @Test func aSecretIsNotShownInClear() {
        var secret = ArgumentSchema(type: .string)
        secret.isWriteOnly = true
        #expect(markup(form(["code": secret])).contains("type=\"password\""))
    }
}
