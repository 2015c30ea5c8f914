import DeviceDomain
import Testing

@testable import Automation

@Suite struct RuleTriggerTests {
    @Test(arguments: [
        ("event=stuck", "event=stuck"), (" presence = offline ", "presence=offline"),
        ("presence=online", "presence=online"), ("at=08:30", "at=08:30"), ("sunrise", "sunrise"),
        (" sunset", "sunset"), ("stateOfChargePercent<20", "stateOfChargePercent<20"),
        ("activity = cleaning", "activity=cleaning"), ("update.state!=idle", "update.state!=idle"),
    ])
    func whatIsReadIsWrittenTheSameWay(text: String, written: String) throws {
        let trigger = try RuleTrigger(text)
        #expect(trigger.description == written)
        #expect(try RuleTrigger(trigger.description) == trigger)
    }

    @Test(arguments: [
        ("event=", "use 1 to 63 lowercase letters"), ("event=Stuck", "such as event=stuck"),
        ("presence=away", "write presence=offline or presence=online"),
        ("at=8:30", "write a time from 00:00 to 23:59"), ("at=24:00", "write a time"),
        ("sundown", "write event=NAME"), ("", "has no comparison"),
    ])
    func whatIsNoneIsToldSo(text: String, message: String) {
        let error = #expect(throws: InvalidRule.self) { try RuleTrigger(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func partsThatDoNotFitAreRefused() throws {
        let wrong: [(() throws -> RulePlan, String)] = [
            ({ try RulePlan("event=stuck", hold: .seconds(5)) }, "over at once"),
            ({ try RulePlan("at=08:30", hold: .seconds(5)) }, "over at once"),
            ({ try RulePlan("activity=cleaning", margin: 2) }, "numbers"),
            ({ try RulePlan("batteryPercent=2", margin: 2) }, "numbers"),
            ({ try RulePlan("event=stuck", do: []) }, "does nothing"),
            ({ try RulePlan("sunset", do: [.send(RuleCommand("locate"))]) }, "name the devices"),
            ({ try RulePlan("sunset", if: ["activity=cleaning"]) }, "name the devices"),
            ({ try RulePlan("event=stuck", oncePer: .seconds(400 * 86_400)) }, "too long"),
            (
                {
                    try RulePlan(
                        name: GivenName("12"), trigger: .sun(.sunset), actions: [.notify])
                }, "is a number"
            ),
        ]
        for (make, message) in wrong {
            let error = #expect(throws: InvalidRule.self) { try make() }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test func aRuleOfATimeMayNotifyOrNameItsReceiver() throws {
        _ = try RulePlan("sunset")
        let command = RuleCommand("locate", to: try DeviceID("sweeper-1"))
        _ = try RulePlan("sunset", do: [.send(command)])
        _ = try RulePlan("sunset", scope: .kind(.sweepingRobot), do: [.send(RuleCommand("locate"))])
    }
}
