import Alink
import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import HTTPSRequests
import Testing

@testable import AlibabaAdapter

/// A product, its devices and commands to them.
enum Samples {
    static let home = HomeID.literal("villa")
    static let model = """
        {"properties":[
         {"identifier":"power","accessMode":"rw","dataType":{"type":"bool"}},
         {"identifier":"mode","accessMode":"rw","dataType":{"type":"enum","specs":{"0":"quiet","2":"turbo"}}}],
         "services":[
          {"identifier":"clean","callType":"async","inputData":[{"identifier":"room","dataType":{"type":"int"}}],
           "outputData":[{"identifier":"minutes","dataType":{"type":"int"}}]},
          {"identifier":"locate","callType":"sync"}],
         "events":[{"identifier":"Stuck","type":"alert","outputData":[
          {"identifier":"side","dataType":{"type":"enum","specs":{"0":"left","1":"right"}}}]}]}
        """

    static func product() throws -> ThingProduct {
        ThingProduct(try #require(ProductKey("pk")), try ThingModel(Array(model.utf8)))
    }

    static func name(_ device: String = "vac-1") throws -> ThingName {
        let product = try #require(ProductKey("pk"))
        return try #require(ThingName(product: product, device: device))
    }

    /// A home with one device that is online and reported `mode` 0 at 1000 ms.
    static func cloudHome() throws -> CloudHome {
        var cloud = CloudHome(home)
        let product = try product()
        _ = cloud.list(
            [ListedDevice(name: try name(), status: .online)], of: [product.key: product],
            at: Timestamp(milliseconds: 500))
        _ = cloud.report(["mode": timed(0, 1000)], of: try name().deviceID)
        return cloud
    }

    static func timed(_ value: JSONValue, _ milliseconds: Int) -> SubscribedMessage.TimedValue {
        SubscribedMessage.TimedValue(value: value, at: Timestamp(milliseconds: milliseconds))
    }

    static func commandID(_ seed: UInt64 = 1) -> CommandID {
        var generator = SeededGenerator(seed: seed)
        return CommandID(at: Timestamp(milliseconds: 0), using: &generator)
    }

    /// `set-mode mode=turbo`, sent at 5000 ms.
    static func setMode(_ id: CommandID = commandID()) throws -> CloudCommand {
        let property = try #require(product().model.property("mode"))
        return CloudCommand(
            id: id, device: try name().deviceID, name: try name(),
            watch: .property(property, asked: "turbo", since: Timestamp(milliseconds: 1000)),
            sentAt: Timestamp(milliseconds: 5000), expiresAt: Timestamp(milliseconds: 35_000),
            messageID: nil)
    }

    /// `clean room=4`, sent at 5000 ms.
    static func clean(_ id: CommandID = commandID()) throws -> CloudCommand {
        let service = try #require(product().model.service("clean"))
        return CloudCommand(
            id: id, device: try name().deviceID, name: try name(),
            watch: .service(service, arguments: #"{"room":4}"#),
            sentAt: Timestamp(milliseconds: 5000), expiresAt: Timestamp(milliseconds: 35_000),
            messageID: nil)
    }
}

/// Time that passes only while somebody waits, and then at once; but a day never passes.
final class ScriptedClock: CommandClock {
    private struct State {
        var now = Moment(wall: Timestamp(milliseconds: 1_800_000_000_000), elapsed: .zero)
        var waits: [Duration] = []
    }

    private let state = Guarded(State())

    var now: Moment { state.withLock { $0.now } }

    /// How long was waited, in order.
    var waits: [Duration] { state.withLock { $0.waits } }

    func sleep(until elapsed: Duration) async {
        guard !Task.isCancelled else { return }
        let duration = elapsed - now.elapsed
        guard duration < .seconds(86_400) else {
            // Until the task is cancelled.
            _ = await AnswerSlot<Bool>().value(ifCancelled: false)
            return
        }
        state.withLock { state in
            state.now.wall = state.now.wall.advanced(by: duration)
            state.now.elapsed += duration
            state.waits.append(duration)
        }
        await Task.yield()
    }
}

/// A platform that answers as a script says.
final class ScriptedPlatform: PlatformTransport {
    typealias Answer = @Sendable ([String: String]) -> Result<String, TransportFailure>

    private struct State {
        var forms: [[String: String]] = []
        var posts: [FormPost] = []
    }

    private let state = Guarded(State())
    private let answer: Answer

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// The parameters of the calls, in order.
    var forms: [[String: String]] { state.withLock { $0.forms } }

    /// The requests, in order.
    var posts: [FormPost] { state.withLock { $0.posts } }

    /// The calls of an action.
    func calls(_ action: String) -> [[String: String]] { forms.filter { $0["Action"] == action } }

    func post(_ post: FormPost) async throws(TransportFailure) -> HTTPAnswer {
        let text = String(decoding: post.form, as: UTF8.self)
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]).percentDecoded)
        }
        let form = Dictionary(pairs) { first, _ in first }
        state.withLock { state in
            state.forms.append(form)
            state.posts.append(post)
        }
        let body = try answer(form).get()
        let status = body.hasPrefix("HTTP 400 ") ? 400 : 200
        let text200 = status == 400 ? String(body.dropFirst(9)) : body
        return HTTPAnswer(status: status, body: Array(text200.utf8))
    }
}

extension String {
    fileprivate var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
