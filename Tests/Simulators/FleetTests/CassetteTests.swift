import DeviceDomain
import MQTTClient
import Testing

@testable import Fleet

/// The lines of a cassette.
@Suite struct CassetteTests {
    private func entry(_ payload: [UInt8], qos: MQTTQoS = .exactlyOnce) throws -> CassetteEntry {
        CassetteEntry(
            offset: 1234,
            message: MQTTMessage(
                topic: try MQTTTopic("a/\"b\"/ü"), payload: payload, qos: qos, retain: true))
    }

    @Test(
        arguments: [
            Array("{\"at\":1}".utf8), Array("ü\n\u{0}\u{7F}".utf8), [], [0xFF, 0x00, 0xC3],
            [0xED, 0xA0, 0x80],
        ] as [[UInt8]])
    func aMessageComesBackAsItWas(payload: [UInt8]) throws {
        for qos in MQTTQoS.allCases {
            let entry = try entry(payload, qos: qos)
            #expect(!entry.bytes.contains(UInt8(ascii: "\n")))
            #expect(try CassetteEntry(line: entry.bytes) == entry)
        }
    }

    @Test func linesAreThoseOfTheInterface() throws {
        let text = String(decoding: try entry(Array("x".utf8)).bytes, as: UTF8.self)
        #expect(
            text
                == #"{"t":1234,"topic":"a/\"b\"/ü","qos":2,"retain":true,"payload":"x"}"#)
        let binary = String(decoding: try entry([0xFF]).bytes, as: UTF8.self)
        #expect(binary.hasSuffix(#""payload64":"/w=="}"#))
        let head = CassetteHead(startedAt: Timestamp(milliseconds: 5))
        #expect(String(decoding: head.bytes, as: UTF8.self) == #"{"v":1,"startedAt":5}"#)
        #expect(try CassetteHead(line: head.bytes) == head)
    }

    @Test(arguments: [
        "", "{}", #"{"v":2,"startedAt":5}"#, #"{"v":1}"#, "[]", "startedAt",
    ])
    func anotherFirstLineIsRefused(line: String) {
        #expect(throws: FleetError.self) { try CassetteHead(line: Array(line.utf8)) }
    }

    @Test(arguments: [
        ("{", "unexpected"), (#"{"t":-1}"#, "t is no number"),
        (#"{"t":1,"topic":"a","qos":3,"retain":false,"payload":""}"#, "qos is not 0, 1 or 2"),
        (#"{"t":1,"topic":"a","qos":1,"payload":""}"#, "retain is not"),
        (#"{"t":1,"topic":"a","qos":1,"retain":true}"#, "neither payload"),
        (#"{"t":1,"topic":"a","qos":1,"retain":true,"payload64":"?"}"#, "payload64 is not base64"),
        (#"{"t":1,"topic":"a/#","qos":1,"retain":true,"payload":""}"#, "a/#"),
    ])
    func aWrongLineIsExplained(line: String, words: String) {
        do throws(FleetError) {
            _ = try CassetteEntry(line: Array(line.utf8))
            Issue.record("\(line) was taken")
        } catch {
            #expect(error.code == .unusableFile)
            #expect(words == "unexpected" || error.message.contains(words), "\(error.message)")
        }
    }
}

/// Stamps that are moved into the time of playing.
@Suite struct RestampingTests {
    private func restamped(_ payload: String, speed: Double = 1) -> String {
        let restamping = Restamping(
            recordedAt: Timestamp(milliseconds: 1000), playedAt: Timestamp(milliseconds: 500_000),
            speed: speed)
        return String(decoding: restamping.restamped(Array(payload.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"at":1000}"#, #"{"at":500000}"#),
        (
            #"{ "n":1 ,"at" : 1500,"b":[{"at":900}]}"#,
            #"{ "n":1 ,"at" : 500500,"b":[{"at":499900}]}"#
        ),
        (#"{"at":-5}"#, #"{"at":498995}"#),
    ])
    func integerMembersNamedAtAreMoved(payload: String, moved: String) {
        #expect(restamped(payload) == moved)
    }

    @Test(arguments: [
        #"{"at":"1000"}"#, #"{"at":1000.5}"#, #"{"at":1e3}"#, #"{"At":1000,"late":1000}"#,
        #"["at",1000]"#,
        #"{"text":"\"at\":1000"}"#, #"{"at":1000"#, "\"at\":1000", "at 1000", "", #"{"at":null}"#,
        #"{"at":99999999999999999999}"#,
    ])
    func everythingElseStays(payload: String) {
        #expect(restamped(payload) == payload)
    }

    @Test func stampsComeCloserTogetherWithTheSpeed() {
        #expect(restamped(#"{"at":61000}"#, speed: 60) == #"{"at":501000}"#)
    }
}
