import Alink
import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import HTTPSRequests
import Testing

@testable import AlibabaAdapter

@Suite(.timeLimit(.minutes(1))) struct AlibabaChannelTests {
    private static let model: String = {
        let text = JSONWriter.write(.string(Samples.model))
        return #"{"Success":true,"Data":{"TslStr":\#(String(decoding: text, as: UTF8.self))}}"#
    }()

    /// Devices `vac-1` … that are online and reported mode 0 at 1000 ms.
    private static func standard(_ form: [String: String], devices: Int = 1) -> String {
        switch form["Action"] {
        case "GetThingModelTsl": return model
        case "QueryDevice":
            let page = Int(form["CurrentPage"] ?? "") ?? 1
            let numbers = (1...devices).dropFirst((page - 1) * 50).prefix(50)
            let entries = numbers.map { #"{"DeviceName":"vac-\#($0)","DeviceStatus":"ONLINE"}"# }
            return #"{"Success":true,"Total":\#(devices),"PageCount":\#((devices + 49) / 50),"#
                + #""Data":{"DeviceInfo":[\#(entries.joined(separator: ","))]}}"#
        case "QueryDevicePropertyStatus":
            return #"{"Success":true,"Data":{"List":{"PropertyStatusInfo":["#
                + #"{"Identifier":"mode","Value":"0","Time":"1000"},"#
                + #"{"Identifier":"power","Value":"","Time":""}]}}}"#
        case "SetDeviceProperty":
            return #"{"Success":true,"Data":{"MessageId":"7"}}"#
        default: return #"{"Success":false,"Code":"iot.odd"}"#
        }
    }

    private func channel(
        _ platform: ScriptedPlatform, _ clock: ScriptedClock = ScriptedClock()
    ) -> AlibabaChannel {
        var configuration = AlibabaChannelConfiguration(
            id: .literal("cloud"), home: Samples.home, region: "cn-shanghai", products: ["pk"],
            key: AccessKey(id: "testid", secret: "testsecret"))
        configuration.timing = AlibabaTiming(polling: .seconds(86_400))
        return AlibabaChannel(configuration, transport: platform, connector: nil, clock: clock)
    }

    private func intent(_ clock: ScriptedClock, _ name: CommandName, _ arguments: JSONObject) throws
        -> CommandIntent
    {
        CommandIntent(
            id: Samples.commandID(), controller: .literal("me"), home: Samples.home,
            device: try Samples.name().deviceID, name: name, arguments: arguments, sort: .setting,
            issuedAt: clock.now.wall, expiresAt: clock.now.wall.advanced(by: .seconds(30)))
    }

    @Test func aListReadsEveryPageAndEachDeviceOnce() async throws {
        let platform = ScriptedPlatform { .success(Self.standard($0, devices: 59)) }
        let channel = channel(platform)
        let seen = Guarded<Set<DeviceID>>([])
        let observation = channel.observe(Samples.home, .everyDevice) { observation in
            if case .state = observation.content {
                seen.withLock { _ = $0.insert(observation.device) }
            }
        }
        #expect(try await channel.replay(Samples.home, .everyDevice) == .complete)
        observation.cancel()
        await channel.close()
        #expect(seen.withLock { $0.count } == 59)
        #expect(platform.calls("QueryDevice").map { $0["CurrentPage"] } == ["1", "2"])
        #expect(platform.forms.count == 62)
        #expect(Set(platform.forms.map { $0["SignatureNonce"] }).count == 62)
        #expect(platform.posts.allSatisfy { !$0.isSentOnce })
    }

    @Test func aThrottledReadingIsMadeAgainLater() async throws {
        let clock = ScriptedClock()
        let left = Guarded(2)
        let platform = ScriptedPlatform { form in
            let isThrottled = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return .success(
                isThrottled ? #"HTTP 400 {"Code":"Throttling.User"}"# : Self.standard(form))
        }
        let channel = channel(platform, clock)
        try await channel.open()
        await channel.close()
        #expect(clock.waits.count == 2)
        #expect(zip(clock.waits, clock.waits.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func whatAListLeavesOutIsAskedFor() async throws {
        let platform = ScriptedPlatform { form in
            switch form["Action"] {
            case "GetThingModelTsl": .success(#"{"Success":false,"Code":"iot.odd"}"#)
            case "GetThingModelTslPublished": .success(Self.model)
            case "QueryDevice":
                .success(
                    #"{"Success":true,"Total":1,"Data":{"DeviceInfo":[{"DeviceName":"vac-1"}]}}"#)
            case "BatchGetDeviceState":
                .success(
                    #"{"Success":true,"DeviceStatusList":{"DeviceStatus":[{"DeviceName":"vac-1","#
                        + #""Status":"OFFLINE"}]}}"#)
            default: .success(Self.standard(form))
            }
        }
        let channel = channel(platform)
        try await channel.open()
        await channel.close()
        #expect(channel.hub.device(try Samples.name().deviceID)?.presence == .offline)
        #expect(platform.calls("BatchGetDeviceState").map { $0["DeviceName.1"] } == ["vac-1"])
    }

    @Test func aLostReadingIsMadeAgainAndALostCommandIsNot() async throws {
        let platform = ScriptedPlatform { _ in
            .failure(TransportFailure(reason: .lost, mayHaveLeft: true, message: "broken"))
        }
        let channel = channel(platform)
        await #expect(throws: CommunicationError.self) { try await channel.open() }
        #expect(platform.forms.count == 3)
        let device = try Samples.name()
        await #expect(throws: PlatformFailure.self) {
            try await channel.client.call(.set("{}", on: device))
        }
        #expect(platform.calls("SetDeviceProperty").count == 1)
        await channel.close()
    }

    @Test func aWrongKeyIsTriedOnceAndTold() async throws {
        let platform = ScriptedPlatform { _ in
            .success(#"HTTP 400 {"Code":"InvalidAccessKeyId.NotFound","Message":"no such key"}"#)
        }
        let channel = channel(platform)
        let error = await #expect(throws: CommunicationError.self) { try await channel.open() }
        #expect(error?.code == .credentialsRefused)
        #expect(error?.isRetriable == false)
        #expect(error?.message.contains("InvalidAccessKeyId.NotFound: no such key") == true)
        #expect(platform.forms.count == 1)
        await channel.close()
    }

    /// Sends `set-mode mode=turbo` and gives what was learned of it.
    private func send(
        _ clock: ScriptedClock, _ platform: ScriptedPlatform
    ) async throws -> (Result<DeliveryReceipt, CommunicationError>, [AckStage]) {
        let channel = channel(platform, clock)
        let device = try Samples.name()
        let service = channel.service(for: device.deviceID, in: Samples.home)
        let profile = try Samples.product().profile(of: device, in: Samples.home)
        try await service.connect(to: GenericDevice(profile: profile))
        _ = await channel.lister.readProperties(of: device)
        let prepared = try service.prepare(
            intent(clock, "set-mode", ["mode": "turbo"]), sequence: 1)
        #expect(String(decoding: prepared.payload, as: UTF8.self) == #"{"mode":2}"#)
        let result: Result<DeliveryReceipt, CommunicationError>
        do throws(CommunicationError) {
            result = .success(try await service.sendMessage(prepared, attempt: 1))
        } catch {
            result = .failure(error)
        }
        while channel.hub.openCommand(prepared.id) != nil { await Task.yield() }
        await channel.close()
        var stages: [AckStage] = []
        for await message in service.messages {
            if case .evidence(let evidence) = message.content { stages.append(evidence.stage) }
        }
        return (result, stages)
    }

    @Test func aSettingSucceedsOnceItIsReadBack() async throws {
        let clock = ScriptedClock()
        let platform = ScriptedPlatform { form in
            let isDone = clock.waits.count >= 3 && form["Action"] == "QueryDevicePropertyStatus"
            return .success(
                isDone
                    ? #"{"Success":true,"Data":{"List":{"PropertyStatusInfo":[{"Identifier":"mode","#
                        + #""Value":"2","Time":"\#(clock.now.wall.milliseconds)"}]}}}"#
                    : Self.standard(form))
        }
        let (result, stages) = try await send(clock, platform)
        #expect(try result.get() == .confirmed)
        #expect(stages == [.succeeded])
        #expect(platform.calls("SetDeviceProperty").count == 1)
        #expect(platform.posts.filter(\.isSentOnce).count == 1)
    }

    @Test func withoutEffectNothingIsToldAndNothingSentAgain() async throws {
        let clock = ScriptedClock()
        let platform = ScriptedPlatform { .success(Self.standard($0)) }
        let (result, stages) = try await send(clock, platform)
        #expect(try result.get() == .confirmed)
        #expect(stages.isEmpty)
        #expect(platform.calls("SetDeviceProperty").count == 1)
    }

    @Test func aLostAnswerWithAnEffectIsASuccess() async throws {
        let clock = ScriptedClock()
        let isSet = Guarded(false)
        let platform = ScriptedPlatform { form in
            if form["Action"] == "SetDeviceProperty" {
                isSet.withLock { $0 = true }
                return .failure(
                    TransportFailure(reason: .lost, mayHaveLeft: true, message: "broken"))
            }
            guard form["Action"] == "QueryDevicePropertyStatus", isSet.withLock({ $0 }) else {
                return .success(Self.standard(form))
            }
            return .success(
                #"{"Success":true,"Data":{"List":{"PropertyStatusInfo":[{"Identifier":"mode","#
                    + #""Value":"2","Time":"\#(clock.now.wall.milliseconds)"}]}}}"#)
        }
        let (result, stages) = try await send(clock, platform)
        #expect(try result.get() == .confirmed)
        #expect(stages == [.succeeded])
        #expect(platform.calls("SetDeviceProperty").count == 1)
    }

    @Test(arguments: [true, false])
    func aLostAnswerWithoutAnEffectMayHaveLeft(_ mayHaveLeft: Bool) async throws {
        let clock = ScriptedClock()
        let platform = ScriptedPlatform { form in
            form["Action"] == "SetDeviceProperty"
                ? .failure(
                    TransportFailure(reason: .lost, mayHaveLeft: mayHaveLeft, message: "broken"))
                : .success(Self.standard(form))
        }
        let (result, stages) = try await send(clock, platform)
        guard case .failure(let error) = result else {
            Issue.record("no failure: \(result)")
            return
        }
        #expect(error.certainty == (mayHaveLeft ? .mayHaveLeft : .neverLeft))
        #expect(stages.isEmpty)
        #expect(platform.calls("SetDeviceProperty").count == 1)
    }

    @Test(arguments: [
        ("Throttling.User", AckStage?.none), ("iot.check.InvalidFormattedParameter", .rejected),
        ("iot.device.SetDevicePropertyFailed", .failed),
    ])
    func aRefusalIsToldAndAThrottledCommandMayBeSentAgain(
        _ code: String, _ stage: AckStage?
    ) async throws {
        let platform = ScriptedPlatform { form in
            .success(
                form["Action"] == "SetDeviceProperty"
                    ? #"{"Success":false,"Code":"\#(code)","ErrorMessage":"words"}"#
                    : Self.standard(form))
        }
        let (result, stages) = try await send(ScriptedClock(), platform)
        #expect(stages == (stage.map { [$0] } ?? []))
        if stage == nil, case .failure(let error) = result {
            #expect(error.certainty == .neverLeft && error.isRetriable)
        } else {
            #expect(try result.get() == .confirmed)
        }
    }

    @Test func whatTheDeviceDoesNotTakeIsNotPrepared() async throws {
        let clock = ScriptedClock()
        let channel = channel(ScriptedPlatform { .success(Self.standard($0)) }, clock)
        try await channel.open()
        let service = channel.service(for: try Samples.name().deviceID, in: Samples.home)
        for (name, arguments) in [
            ("set-mode", ["mode": "fast"]), ("set-mode", [:]), ("fly", [:]),
        ] as [(CommandName, JSONObject)] {
            #expect(throws: CommunicationError.self) {
                try service.prepare(try intent(clock, name, arguments), sequence: 1)
            }
        }
        await channel.close()
    }
}
