import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@testable import LocalServices

/// The lines of the control socket.
@Suite struct ControlLineTests {
    private static let requests: [ControlRequest] = [
        .status(target: nil), .status(target: "home-1/pool-1"), .faults,
        .clear(target: "all", fault: nil),
        .clear(target: "sweeper-1", fault: "stuck"), .pause, .resume, .step(nil),
        .step(.milliseconds(1500)),
        .inject(target: "home-1/all", fault: "offline", settings: [:], lasting: nil),
        .inject(
            target: "sweeper-1", fault: "slow", settings: ["delayMs": 5],
            lasting: .milliseconds(1500)),
        .inject(
            target: "feeder:north", fault: "offline", settings: [:], lasting: nil, share: 0.25),
        .clear(target: "all", fault: "mute", share: 0.5),
    ]
    private static let replies: [ControlReply] = [
        .done, .refused("no device\nof this name"),
        .world(
            WorldReading(
                instant: Timestamp(milliseconds: 1_782_036_000_250), speed: 0.01, isPaused: true)),
        .boxed(
            BoxedLine(
                device: "home-1/boxed-1", accessPoint: "http://127.16.0.1:1",
                label: ["ver": "v1"])),
        .device(
            ControlledDevice(
                device: "home-1/pool-1", kind: "pool-robot", isOnline: false, activity: "idle",
                broker: "mqtt://127.0.0.1:1883",
                faults: [
                    PresentFault(name: FaultName(rawValue: "mute"), settings: [:], until: nil),
                    PresentFault(
                        name: FaultName(rawValue: "slow"), settings: ["delayMs": 5],
                        until: Timestamp(milliseconds: 7)),
                ])),
        .device(
            ControlledDevice(
                device: "home-1/pool-1", kind: "pool-robot", isOnline: true, activity: "idle",
                broker: nil, faults: [])),
        .fault(
            PossibleFault(
                name: FaultName(rawValue: "slow"), kinds: [.poolRobot, .energyStore],
                effect: "is slow",
                lasts: true,
                parameters: [
                    FaultParameter(name: "delayMs", unit: "ms", range: 1...600_000, usual: 3000)
                ])),
        .fault(
            PossibleFault(
                name: FaultName(rawValue: "reboot"), kinds: [], effect: "starts anew", lasts: false,
                parameters: [])),
    ]

    @Test(arguments: requests)
    func aRequestIsReadAsItWasWritten(request: ControlRequest) throws {
        #expect(try ControlRequest(line: request.line) == request)
        #expect(!request.line.contains(UInt8(ascii: "\n")))
    }

    @Test(arguments: replies)
    func aReplyIsReadAsItWasWritten(reply: ControlReply) throws {
        #expect(try ControlReply(line: reply.line) == reply)
        #expect(!reply.line.contains(UInt8(ascii: "\n")))
    }

    @Test func theLinesAreWhatOtherProgramsRead() {
        #expect(
            Self.requests.map { String(decoding: $0.line, as: UTF8.self) } == [
                #"{"request":"status"}"#,
                #"{"request":"status","target":"home-1/pool-1"}"#,
                #"{"request":"faults"}"#,
                #"{"request":"clear","target":"all"}"#,
                #"{"fault":"stuck","request":"clear","target":"sweeper-1"}"#,
                #"{"request":"pause"}"#, #"{"request":"resume"}"#, #"{"request":"step"}"#,
                #"{"forMs":1500,"request":"step"}"#,
                #"{"fault":"offline","request":"inject","target":"home-1/all"}"#,
                #"{"fault":"slow","forMs":1500,"request":"inject","settings":{"delayMs":5},"target":"sweeper-1"}"#,
                #"{"fault":"offline","request":"inject","share":0.25,"target":"feeder:north"}"#,
                #"{"fault":"mute","request":"clear","share":0.5,"target":"all"}"#,
            ])
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"request":7}"#, #"{"request":"status","target":7}"#,
        #"{"request":"dance"}"#, #"{"request":"inject"}"#,
        #"{"request":"inject","target":"all","fault":7}"#,
        #"{"request":"inject","target":"all","fault":"mute","forMs":0}"#,
        #"{"request":"inject","target":"all","fault":"mute","forMs":0.5}"#,
        #"{"request":"inject","target":"all","fault":"mute","forMs":9007199254740991}"#,
        #"{"request":"inject","target":"all","fault":"mute","settings":[]}"#,
        #"{"request":"clear","target":"all","target":"all"}"#,
        #"{"request":"clear","target":"all","share":0}"#,
        #"{"request":"clear","target":"all","share":1.5}"#,
        #"{"request":"inject","target":"all","fault":"mute","share":"half"}"#,
    ])
    func aWrongRequestIsAnError(line: String) {
        let error = #expect(throws: LocalServicesError.self) {
            try ControlRequest(line: Array(line.utf8))
        }
        #expect(error?.description.isEmpty == false)
    }

    @Test(arguments: [
        #"{"reply":"device"}"#, #"{"reply":"refused"}"#, #"{"reply":"boxed","device":"a"}"#,
        #"{"reply":"device","device":"a/b","kind":"k","presence":"away","activity":"x","faults":[]}"#,
        #"{"reply":"device","device":"a/b","kind":"k","presence":"online","activity":"x"}"#,
        #"{"reply":"device","device":"a/b","kind":"k","presence":"online","activity":"x","faults":[1]}"#,
        #"{"reply":"device","device":"a/b","kind":"k","presence":"online","activity":"x","broker":7,"faults":[]}"#,
        #"{"reply":"fault","fault":"f","kinds":[7],"effect":"e","lasts":true,"parameters":[]}"#,
        #"{"reply":"fault","fault":"f","kinds":[],"effect":"e","lasts":1,"parameters":[]}"#,
        #"{"reply":"fault","fault":"f","kinds":[],"effect":"e","lasts":true}"#,
        #"{"reply":"fault","fault":"f","kinds":[],"effect":"e","lasts":true,"parameters":[{"name":"p","unit":"%","minimum":2,"maximum":1,"usual":1}]}"#,
    ])
    func aWrongReplyIsAnError(line: String) {
        #expect(throws: LocalServicesError.self) { try ControlReply(line: Array(line.utf8)) }
    }

    /// Three thousand spoiled lines: a typed error, or a value that is stable.
    @Test func spoiledLinesAreRefusedOrStable() throws {
        var generator = SeededGenerator(seed: 11)
        var refused = 0
        for number in 0..<3_000 {
            let request = Self.requests[number % Self.requests.count]
            let reply = Self.replies[number % Self.replies.count]
            do throws(LocalServicesError) {
                let read = try ControlRequest(line: generator.spoiled(request.line))
                #expect(try ControlRequest(line: read.line) == read)
                let answer = try ControlReply(line: generator.spoiled(reply.line))
                #expect(try ControlReply(line: answer.line) == answer)
            } catch {
                #expect(!error.description.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 1_500, "the mutations must hurt")
    }

    @Test(arguments: 1...20)
    func linesAreTheSameHoweverTheyAreCut(size: Int) throws {
        let whole = Self.requests.flatMap { $0.line + [UInt8(ascii: "\n")] }
        var reader = LineReader(limit: ControlRequest.limit)
        var read: [[UInt8]] = []
        for start in stride(from: 0, to: whole.count, by: size) {
            reader.append(Array(whole[start..<min(start + size, whole.count)]))
            while let line = try reader.next() { read.append(line) }
        }
        #expect(read == Self.requests.map(\.line))
    }

    @Test func aLineThatIsTooLongIsAnError() throws {
        var reader = LineReader(limit: 4)
        reader.append(Array("1234\n1234\n".utf8))
        for _ in 0..<2 { #expect(try reader.next() == Array("1234".utf8)) }
        #expect(try reader.next() == nil)
        reader.append(Array("12345".utf8))
        #expect(throws: LocalServicesError.self) { try reader.next() }
    }
}
