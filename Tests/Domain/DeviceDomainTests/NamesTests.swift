import DeviceDomain
import Testing

/// A text goes in without a label, checked where the name is part of a topic.
@Suite struct NamesTests {
    @Test func aNameInATopicIsChecked() throws {
        #expect(try DeviceID("sweeper-1").text == "sweeper-1")
        #expect(throws: InvalidIdentifier.self) { try DeviceID("Sweeper 1") }
        #expect(throws: InvalidIdentifier.self) { try EventName("too low") }
        #expect(EventName(rawValue: "too low") == nil)
        #expect(EventName.stuck == .literal("stuck"))
    }

    @Test func aWrongLiteralEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = DeviceID.literal("Sweeper 1") }
    }

    @Test func anyTextIsANameThatIsInNoTopic() {
        let text = "Any Text"
        #expect(CommandName(text).rawValue == text)
        #expect("set-reserve" == EnergyStore.reserveName)
        #expect(DeviceKind("garden-sprinkler") == DeviceKind(rawValue: "garden-sprinkler"))
    }
}

extension EnergyStore {
    fileprivate static var reserveName: CommandName { .setReserve }
}
