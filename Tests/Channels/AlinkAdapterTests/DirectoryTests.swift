import Alink
import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import AlinkAdapter

@Suite struct DirectoryTests {
    private let directory = AlinkDirectory()

    init() throws {
        directory.add(Sample.lamp.deviceID, Sample.products.values.first)
    }

    private func payload(_ name: String, _ arguments: JSONObject) throws -> String {
        String(decoding: try directory.payload(of: try intent(name, arguments)), as: UTF8.self)
    }

    private func refusal(of intent: CommandIntent) -> CommunicationError? {
        do throws(CommunicationError) {
            _ = try directory.payload(of: intent)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (
                "set-power", ["Power": true],
                #""params":{"Power":1},"method":"thing.service.property.set"}"#
            ),
            (
                "set-level", ["Level": 21],
                #""params":{"Level":21.0},"method":"thing.service.property.set"}"#
            ),
            (
                "set-mode", ["Mode": "turbo"],
                #""params":{"Mode":1},"method":"thing.service.property.set"}"#
            ),
            ("clean", ["room": 4], #""params":{"room":4},"method":"thing.service.clean"}"#),
        ] as [(String, JSONObject, String)])
    func aCommandIsWrittenAsItsTypesWant(
        name: String, arguments: JSONObject, end: String
    ) throws {
        #expect(try payload(name, arguments).hasSuffix(end))
    }

    @Test func idsAreDecimalAndDiffer() throws {
        let ids = try (0..<200).map { _ in
            try AlinkRequest(payload: Array(payload("clean", ["room": 1]).utf8)).id
        }
        #expect(Set(ids).count == 200)
        #expect(ids.allSatisfy { UInt32($0) != nil })
    }

    @Test func whatAlinkHasNoWordsForIsRefused() throws {
        let intents = try [
            intent("clean", ["room": 1], isDryRun: true),
            intent("clean", ["room": 1], ifRevision: 3), intent("fly"),
            intent("clean", ["room": 77]), intent("clean"),
        ]
        for refused in intents {
            let error = refusal(of: refused)
            #expect(error?.code == .cannotExpress)
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func aDeviceThatHasGoneTakesNothing() throws {
        directory.remove(Sample.lamp.deviceID)
        #expect(refusal(of: try intent("clean", ["room": 1])) != nil)
        directory.add(Sample.lamp.deviceID, nil)
        #expect(refusal(of: try intent("clean", ["room": 1])) != nil)
    }
}
