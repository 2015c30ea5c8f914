import Alink
import DeviceDomain
import Testing

@testable import AlibabaAdapter

@Suite struct SignatureTests {
    private static let common = [
        "Version": "2018-01-20", "Format": "JSON", "AccessKeyId": "testid",
        "RegionId": "cn-shanghai", "SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0",
        "SignatureNonce": "15215528852396", "Timestamp": "2026-01-02T03:04:05Z",
        "SignatureType": "", "IotInstanceId": "iot-cn-0pp1n8t0001", "ProductKey": "a1B2c3D4e5F",
    ]

    // Signatures that Alibaba's own Python SDK has made of the same parameters.
    @Test(arguments: [
        (
            [
                "Action": "SetDeviceProperty", "DeviceName": "vac-000001",
                "Items": #"{"suction":1,"room":"厨房 *~"}"#,
            ], "TWr6vP9OKDzmQmXY55hWXiuCh3s="
        ),
        (
            [
                "Action": "InvokeThingService", "DeviceName": "vac-000001", "Identifier": "clean",
                "Args": #"{"room":4}"#,
            ], "j1ztDcvxA5yuXen7NRsB6ve8EJw="
        ),
        (
            ["Action": "QueryDevicePropertyStatus", "DeviceName": "vac-000001"],
            "iKzC9wSFqz/DgVeewt6v7xhM2SI="
        ),
        (
            [
                "Action": "BatchGetDeviceState", "DeviceName.1": "vac-000001",
                "DeviceName.2": "pool_000002",
            ], "TReulK5ZqSue+xPqYOJjF17ny3o="
        ),
        (
            ["Action": "QueryDevice", "PageSize": "50", "CurrentPage": "1"],
            "LvMnMi4Ded2dhGsFJFWnMdOu3eQ="
        ),
    ])
    func signaturesAreThoseOfTheSDK(_ parameters: [String: String], _ signature: String) {
        let all = Self.common.merging(parameters) { $1 }
        #expect(PlatformSignature.sign(all, secret: "testsecret") == signature)
    }

    @Test func onlyUnreservedCharactersStayAsTheyAre() {
        #expect(
            PlatformSignature.encode("aZ09-_.~ *+/厨\u{1}") == "aZ09-_.~%20%2A%2B%2F%E5%8E%A8%01")
    }

    @Test func aLoginNamesKeyInstanceAndGroup() {
        let login = SubscriptionLogin(
            client: "c1", key: AccessKey(id: "testid", secret: "testsecret"), instance: "",
            group: "DEFAULT_GROUP", at: Timestamp(milliseconds: 1_735_786_000_000))
        #expect(
            login.user
                == "c1|authMode=aksign,signMethod=hmacsha256,timestamp=1735786000000,"
                + "authId=testid,iotInstanceId=,consumerGroupId=DEFAULT_GROUP|")
        #expect(login.password == "f6ZL6qZ6KS9Qu7Sqrzqn+K4TfDTaWbQdmGKo4dBK29U=")
    }

    @Test func aKeyIsNeverPrinted() {
        let key = AccessKey(id: "testid", secret: "testsecret")
        #expect("\(key)" == "<redacted>")
        #expect(String(reflecting: key) == "<redacted>")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("testsecret"))
    }

    @Test func whatTheOtherEndSendsBackIsHidden() {
        let text = ForeignText(
            "wrong a+b/c= and a%2Bb%2Fc%3D and a%252Bb%252Fc%253D\nline", hiding: ["a+b/c=", ""])
        #expect(
            text.description == "wrong <redacted> and <redacted> and <redacted> line")
    }
}
