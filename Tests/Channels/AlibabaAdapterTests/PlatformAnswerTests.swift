import DeviceDomain
import DeviceMessages
import HTTPSRequests
import Testing

@testable import AlibabaAdapter

@Suite struct PlatformAnswerTests {
    private func failure(_ status: Int, _ body: String) -> PlatformFailure? {
        do throws(PlatformFailure) {
            _ = try PlatformAnswer.members(
                of: HTTPAnswer(status: status, body: Array(body.utf8)), hiding: [])
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (400, "Throttling.User", PlatformFailure.Proof.throttled), (429, "Throttling", .throttled),
        (200, "iot.messagebroker.RateLimit", .throttled),
        (404, "InvalidAccessKeyId.NotFound", .credentials),
        (400, "SignatureDoesNotMatch", .credentials),
        (400, "InvalidTimeStamp.Expired", .credentials),
        (200, "iot.messagebroker.OFFLINE", .refused(.notReady)),
        (200, "iot.device.NoneDeviceProperties", .refused(.badArguments)),
        (200, "iot.common.RamActionPermissionDeny", .refused(.forbidden)),
        (200, "iot.prod.NotExistedProduct", .refused(.unknownCommand)),
        (200, "iot.device.SetDevicePropertyFailed", .failed),
        (200, "iot.messagebroker.TIMEOUT", .unknown),
        (200, "iot.system.SystemException", .unknown), (500, "InternalError", .unknown),
        (403, "NoPermission", .refused(.badRequest)), (200, "iot.other.Odd", .failed),
    ])
    func codesSayWhetherTheCallWasCarriedOut(
        _ status: Int, _ code: String, _ proof: PlatformFailure.Proof
    ) {
        let failure = failure(
            status, #"{"Success":false,"Code":"\#(code)","ErrorMessage":"words"}"#)
        #expect(failure?.proof == proof)
        #expect(failure?.text == "\(code): words")
    }

    @Test(arguments: [
        (502, "<html>", PlatformFailure.Proof.unknown), (200, "", .unknown), (200, "[]", .unknown),
        (429, "slow down", .throttled), (404, "nothing here", .refused(.badRequest)),
        (503, "{}", .unknown), (200, #"{"Success":false}"#, .unknown),
    ])
    func answersThatAreNotThePlatformsProveLittle(
        _ status: Int, _ body: String, _ proof: PlatformFailure.Proof
    ) {
        #expect(failure(status, body)?.proof == proof)
    }

    @Test func aSuccessHasMembers() {
        #expect(failure(200, #"{"Success":true,"Code":""}"#) == nil)
    }

    @Test func idsBeyondADoubleAreReadDigitByDigit() throws {
        let body = Array(
            #"{"Success":true,"Data":{"x":"\"MessageId\":1","MessageId": 9007199254740995}}"#.utf8)
        let members = try #require(JSONReader.read(body).object)
        #expect(PlatformAnswer.messageID(in: members, of: body) == "9007199254740995")
        let reply = Array(#"{"data":{"requestId":1},"requestId":1234567890123456789}"#.utf8)
        #expect(JSONDigits.text(of: "requestId", in: reply) == "1234567890123456789")
        #expect(JSONDigits.text(of: "nothing", in: reply) == nil)
        #expect(JSONDigits.text(of: "a", in: Array(#"{"a"#.utf8)) == nil)
    }

    @Test func datesOfHTTPAreRead() {
        #expect(
            HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")?.time == Timestamp("1994-11-06T08:49:37Z"))
        #expect(HTTPDate("yesterday") == nil)
    }
}
