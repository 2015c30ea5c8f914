import Homeport
import Testing

/// Which devices `--kind` and `--where` mean.
@Suite struct DeviceFilterTests {
    private func robot(
        state: JSONObject? = [:], telemetry: JSONObject? = nil, kind: DeviceKind = .sweepingRobot,
        statedAt: Int? = nil, sampledAt: Int? = nil
    ) throws -> KnownDevice {
        let (home, id) = (try HomeID("home-1"), try DeviceID("d-1"))
        var model = HomeModel(home)
        let profile = DeviceProfile(
            id: id, home: home, kind: kind, model: DeviceModel(rawValue: "m"), name: "D",
            firmware: "1", capabilities: [], commands: [])
        var contents = [DeviceObservation.Content.description(profile)]
        if let state {
            let at = statedAt.map(Timestamp.init(milliseconds:))
            contents.append(.state(StateReport(state, at: at)))
        }
        if let telemetry {
            let at = sampledAt.map(Timestamp.init(milliseconds:))
            contents.append(.telemetry(TelemetryReport(telemetry, at: at)))
        }
        for content in contents {
            let heard = DeviceObservation(
                channel: try ChannelID("mqtt"), home: home, device: id, content: content)
            _ = model.apply(heard, at: Timestamp(milliseconds: 1))
        }
        return try #require(model.devices[id])
    }

    @Test(arguments: [
        ("batteryPercent<20", false), ("batteryPercent<=20", true), ("batteryPercent=20", true),
        ("batteryPercent = 20.0", true), ("batteryPercent>=20", true), ("batteryPercent>20", false),
        ("batteryPercent!=20", false), ("batteryPercent != 21", true),
        ("batteryPercent>-1e2", true),
        ("activity=cleaning", true), (#"activity="cleaning""#, true), ("activity=Cleaning", false),
        ("activity!=docked", true), ("activity>=c", true), ("activity<d", true),
        ("activity<5", false), ("error=null", true), ("error!=null", false),
        ("isCharging=false", true), ("isCharging!=true", true), ("version=5", true),
        ("version=\"5\"", true), ("update.state=idle", true), ("update.x=1", false),
        ("note=a=b", true), ("note!=\"\"", true), ("rooms=[1,2]", true),
        ("unheard=1", false), ("unheard!=1", false), ("unheard<1", false),
    ])
    func aConditionIsMetByWhatWasReported(text: String, isMet: Bool) throws {
        let device = try robot(state: [
            "batteryPercent": 20, "activity": "cleaning", "error": nil, "isCharging": false,
            "version": "5", "update": ["state": "idle"], "note": "a=b", "rooms": [1, 2],
        ])
        #expect(try DeviceCondition(text).isMet(by: device) == isMet)
    }

    @Test(arguments: [
        ("", "has no comparison"), ("battery", "has no comparison"), ("<20", "names no member"),
        ("a<", "has no value"), ("a<>1", "compares with <>"), ("a==1", "compares with =="),
        ("a=<1", "compares with =<"), ("a!1", "compares with !"), ("a<[1]", "numbers and texts"),
        ("a>null", "numbers and texts"), ("a<true", "numbers and texts"),
    ])
    func whatIsNoConditionIsRefusedWithARemedy(text: String, reason: String) {
        let error = #expect(throws: HomeError.self) { try DeviceCondition(text) }
        #expect(error?.code == .badCondition)
        #expect(error?.message.contains(reason) == true)
        #expect(error?.message.contains("as in 'batteryPercent<20' or activity=cleaning") == true)
    }

    @Test(
        arguments: [
            ("batteryPercent<abc", "batteryPercent is a number, and abc is none"),
            ("batteryPercent=abc", "batteryPercent is a number, and abc is none"),
            ("batteryPercent!=true", "batteryPercent is a number, and true is none"),
            ("batteryPercent=null", nil), ("batteryPercent<20", nil),
            ("isCharging<5", "isCharging is true or false; compare it with = or !="),
            ("isCharging=yes", "isCharging is true or false, and yes is neither"),
            ("isCharging=true", nil), ("activity<5", nil), ("activity=5", nil), ("error=abc", nil),
            ("rooms<5", "rooms has several values; compare it with = or !="), ("rooms=5", nil),
        ] as [(String, String?)])
    func aValueThatCannotBeComparedIsRefusedWithWhatTheMemberIs(
        text: String, reason: String?
    ) throws {
        let device = try robot(state: [
            "batteryPercent": 20, "activity": "cleaning", "error": nil, "isCharging": false,
            "rooms": [1, 2],
        ])
        let filter = DeviceFilter(conditions: [try DeviceCondition(text)])
        let error: HomeError?
        do throws(HomeError) {
            try filter.requireReportedMembers(among: [device])
            error = nil
        } catch let refusal {
            error = refusal
        }
        #expect(error?.code == reason.map { _ in .unknownMember })
        #expect(error?.message == reason.map { "the condition '\(text)' cannot be used: \($0)" })
        let other = try robot(state: [
            "batteryPercent": "abc", "isCharging": "yes", "rooms": "a", "activity": "b", "error": 1,
        ])
        #expect(throws: Never.self, "of another device it may be met") {
            try filter.requireReportedMembers(among: [device, other])
        }
    }

    /// A device of an earlier run has told neither state nor sample yet.
    @Test(
        arguments: [
            (.sweepingRobot, "batteryPercnt<20", "batteryPercnt; did you mean batteryPercent?"),
            (.sweepingRobot, "activity=cleaning", nil), (.sweepingRobot, "batteryPercent<20", nil),
            ("lamp", "bogus=1", "bogus"),
        ] as [(DeviceKind, String, String?)])
    func aMemberThatNothingSpeaksForIsDoubted(
        kind: DeviceKind, text: String, doubt: String?
    ) throws {
        let filter = DeviceFilter(conditions: [try DeviceCondition(text)])
        let device = try robot(state: nil, kind: kind)
        #expect(throws: Never.self) { try filter.requireReportedMembers(among: [device]) }
        #expect(
            filter.doubt(among: [device])
                == doubt.map { "no device is known to report a member \($0)" })
        #expect(filter.doubt(among: []) == nil)
    }

    @Test func theNewerOfStateAndTelemetryCounts() throws {
        let condition = try DeviceCondition("batteryPercent=50")
        let state: JSONObject = ["batteryPercent": 50]
        let sample: JSONObject = ["batteryPercent": 49]
        for (statedAt, sampledAt, isMet) in [(2, 1, true), (1, 2, false), (1, 1, false)] {
            let device = try robot(
                state: state, telemetry: sample, statedAt: statedAt, sampledAt: sampledAt)
            #expect(condition.isMet(by: device) == isMet)
        }
        #expect(!condition.isMet(by: try robot(state: state, telemetry: sample)))
        #expect(condition.isMet(by: try robot(state: state)))
    }

    @Test func everythingMustBeMet() throws {
        let device = try robot(state: ["batteryPercent": 20, "activity": "docked"])
        let conditions = [
            try DeviceCondition("batteryPercent<50"), try DeviceCondition("activity=docked"),
        ]
        #expect(DeviceFilter().contains(device) && DeviceFilter().isEmpty)
        #expect(DeviceFilter(kind: .sweepingRobot, conditions: conditions).contains(device))
        #expect(!DeviceFilter(kind: .energyStore, conditions: conditions).contains(device))
        let more = conditions + [try DeviceCondition("error=null")]
        #expect(!DeviceFilter(conditions: more).contains(device))
    }

    @Test(arguments: [
        (DeviceKind.energyStore, "stateOfChargePercent<50", true),
        (.energyStore, "activity=cleaning", false), (.sweepingRobot, "activity=cleaning", false),
        (.sweepingRobot, "dustbinPercent>90", true),
        (DeviceKind(rawValue: "lamp"), "brightness>1", true),
    ])
    func telemetryIsNeededWhereItMayDecide(kind: DeviceKind, text: String, isNeeded: Bool) throws {
        let filter = DeviceFilter(conditions: [try DeviceCondition(text)])
        #expect(filter.needsTelemetry(of: try robot(kind: kind)) == isNeeded)
        #expect(!filter.needsTelemetry(of: try robot(telemetry: [:], kind: kind)))
        let ofOthers = DeviceFilter(kind: .poolRobot, conditions: filter.conditions)
        #expect(!ofOthers.needsTelemetry(of: try robot(kind: kind)))
    }

    @Test func telemetryIsNotNeededWhereTheStateDecides() throws {
        let open = try DeviceCondition("depthM>1")
        for (activity, isNeeded) in [("cleaning", true), ("idle", false)] {
            let filter = DeviceFilter(conditions: [try DeviceCondition("activity=cleaning"), open])
            let device = try robot(state: ["activity": .string(activity)], kind: .poolRobot)
            #expect(filter.needsTelemetry(of: device) == isNeeded)
        }
        let unreported = DeviceFilter(conditions: [try DeviceCondition("brightness=1"), open])
        #expect(!unreported.needsTelemetry(of: try robot(kind: .poolRobot)))
    }

    @Test func aConditionIsWrittenAsItWasRead() throws {
        #expect(try DeviceCondition(" a  >= 1.50 ").description == "a>=1.50")
    }
}
