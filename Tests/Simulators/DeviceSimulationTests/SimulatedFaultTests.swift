import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The catalogue of faults, and how they are written.
@Suite struct SimulatedFaultTests {
    @Test func everyFaultSaysWhatItDoesAndWhoCanHaveIt() {
        for specification in SimulatedFault.allCases.map(\.specification) {
            #expect(!specification.kinds.isEmpty && !specification.effect.isEmpty)
            #expect(specification.effect.count <= 76, "a line of help, with its indent")
            for parameter in specification.parameters {
                #expect(parameter.range.contains(parameter.usual))
            }
        }
        let common = SimulatedFault.allCases.filter(\.specification.isForEveryKind).count
        let counts = DeviceKind.simulated.map { SimulatedFault.faults(of: $0).count - common }
        #expect(counts == [15, 3, 3])
    }

    /// A robot that is stopped fails its action with another code than one with a defective part.
    @Test(arguments: [
        (SimulatedFault.cliff, "as stuck"), (.trapped, "as stuck"), (.bumperStuck, "as stuck"),
        (.lidarBlocked, "as hardware-fault"), (.dockNotFound, "as hardware-fault"),
    ])
    func aFaultIsDescribedAsTheOneItBehavesAs(fault: SimulatedFault, words: String) {
        let effect = fault.specification.effect
        #expect(effect.hasSuffix(words), "\(effect)")
    }

    @Test func aMistypedFaultIsToldTheRightOne() {
        let refusal = #expect(throws: FaultRefusal.self) { try SimulatedFault(text: "stuk") }
        #expect(refusal?.description.contains("did you mean stuck?") == true)
    }

    @Test(
        arguments: [
            (SimulatedFault.slow, ["delayMs": 0], "delayMs=1…600000 ms"),
            (.slow, ["delayMs": "1s"], "delayMs=1…600000 ms"),
            (.slow, ["delaysMs": 5], "did you mean delayMs?"),
            (.lowBattery, ["percent": 101], "percent=0…100 %"),
            (.stuck, ["percent": 1], "it has none"),
        ] as [(SimulatedFault, JSONObject, String)])
    func aWrongParameterIsNamedWithWhatIsRight(
        name: SimulatedFault, settings: JSONObject, remedy: String
    ) {
        let refusal = #expect(throws: FaultRefusal.self) { try Fault(name, setting: settings) }
        #expect(refusal?.description.contains(remedy) == true, "\(refusal as Any)")
    }

    @Test func aParameterIsUsualUnlessGiven() throws {
        #expect(try Fault(.slow).delay == .seconds(3))
        #expect(try Fault(.slow, setting: ["delayMs": 20]).delay == .milliseconds(20))
    }
}
