import Alink
import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import HTTPSRequests
import HomeportTesting
import Testing

@testable import AlibabaAdapter

/// The devices of a platform, scripted at its API and its subscription, keep the contract of a channel.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    @Test func itKeepsTheContract() async throws {
        let violations = await ChannelConformance(of: try CloudPeer()).violations()
        #expect(violations.isEmpty, "\(violations)")
    }
}

/// Time that passes a thousand times as fast, with the machine's wall clock.
private struct HurriedClock: CommandClock {
    private let machine = MachineClock()

    var now: Moment {
        let now = machine.now
        return Moment(wall: now.wall, elapsed: now.elapsed * 1000)
    }

    func sleep(until elapsed: Duration) async { await machine.sleep(until: elapsed / 1000) }
}

/// A platform with one vacuum, which carries out what is set.
private final class CloudPeer: ChannelPeer, PlatformTransport, SubscriptionConnector {
    private struct State {
        var isLost = false
        var sendsGarbage = false
        var received = 0
        var mode = 0
        var setAt = 1000
        var subscriptions: [AsyncStream<SubscriptionEvent>.Continuation] = []
    }

    let home = Samples.home
    let controller = ControllerID.literal("me")
    let device: DeviceID
    let command = CommandName(rawValue: "set-mode")
    let arguments: JSONObject = ["mode": "turbo"]
    private let state = Guarded(State())

    init() throws { device = try Samples.name().deviceID }

    func makeChannel() async throws -> any CommunicationChannel {
        let configuration = AlibabaChannelConfiguration(
            id: .literal("cloud"), home: home, region: "cn-shanghai", products: ["pk"],
            key: AccessKey(id: "testid", secret: "testsecret"))
        return AlibabaChannel(
            configuration, transport: self, connector: self, clock: HurriedClock())
    }

    func receivedCommands() async throws -> Int { state.withLock { $0.received } }

    func loseLink() async throws {
        let subscriptions = state.withLock { state in
            defer { state.subscriptions = [] }
            state.isLost = true
            return state.subscriptions
        }
        for subscription in subscriptions { subscription.yield(.ended("the network is down")) }
    }

    func restoreLink() async throws { state.withLock { $0.isLost = false } }

    func sendGarbage() async throws {
        let subscriptions = state.withLock { state in
            state.sendsGarbage = true
            return state.subscriptions
        }
        for (subscription, name) in subscriptions.flatMap({ [($0, "vac-1"), ($0, "ghost")] }) {
            for topic in ["thing/event/property/post", "thing/downlink/reply/message"] {
                let message = RawSubscribedMessage(
                    delivery: 1, topic: "/pk/\(name)/\(topic)", body: Array("{\"items\":".utf8),
                    messageID: "", generated: nil)
                subscription.yield(.message(message))
            }
        }
    }

    // MARK: The API

    func post(_ post: FormPost) async throws(TransportFailure) -> HTTPAnswer {
        let form = String(decoding: post.form, as: UTF8.self)
        let answer = state.withLock { state in
            state.isLost ? nil : Self.answer(form, &state)
        }
        guard let answer else {
            throw TransportFailure(
                reason: .unreachable, mayHaveLeft: false, message: "the network is down")
        }
        return HTTPAnswer(status: 200, body: Array(answer.utf8))
    }

    private static func answer(_ form: String, _ state: inout State) -> String {
        let action = form.split(separator: "&").first { $0.hasPrefix("Action=") }?.dropFirst(7)
        switch action {
        case "GetThingModelTsl":
            let text = String(decoding: JSONWriter.write(.string(Samples.model)), as: UTF8.self)
            return #"{"Success":true,"Data":{"TslStr":\#(text)}}"#
        case "QueryDevice":
            let garbage = state.sendsGarbage ? #",{"DeviceName":7},"ghost",null"# : ""
            return #"{"Success":true,"Total":1,"PageCount":1,"Data":{"DeviceInfo":["#
                + #"{"DeviceName":"vac-1","DeviceStatus":"ONLINE"}\#(garbage)]}}"#
        case "QueryDevicePropertyStatus":
            let garbage = state.sendsGarbage ? #",{"Identifier":"power","Time":"x"},7"# : ""
            return #"{"Success":true,"Data":{"List":{"PropertyStatusInfo":[{"Identifier":"mode","#
                + #""Value":"\#(state.mode)","Time":"\#(state.setAt)"}\#(garbage)]}}}"#
        case "SetDeviceProperty":
            state.received += 1
            state.mode = 2
            state.setAt = max(state.setAt + 1, MachineClock.wallTime.milliseconds)
            return #"{"Success":true,"Data":{"MessageId":"\#(state.received)"}}"#
        default: return #"{"Success":false,"Code":"iot.odd"}"#
        }
    }

    // MARK: The subscription

    func connect(
        _ login: SubscriptionLogin
    ) throws(SubscriptionUnavailable) -> any SubscriptionConnection {
        let (events, source) = AsyncStream.makeStream(of: SubscriptionEvent.self)
        state.withLock { state in
            if state.isLost {
                source.yield(.ended("the network is down"))
            } else {
                source.yield(.attached)
                state.subscriptions.append(source)
            }
        }
        return CloudSubscription(events: events, source: source)
    }
}

private struct CloudSubscription: SubscriptionConnection {
    let events: AsyncStream<SubscriptionEvent>
    let source: AsyncStream<SubscriptionEvent>.Continuation

    func accept(_ delivery: UInt64) {}
    func stop() { source.finish() }
}
