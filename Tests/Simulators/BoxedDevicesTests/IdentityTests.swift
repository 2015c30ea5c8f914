import DeviceDomain
import DeviceMessages
import ProvisioningProtocol
import TestSupport
import Testing

@testable import BoxedDevices

@Suite struct BoxedIdentityTests {
    @Test func theFactoryIsAFunctionOfSeedHomeAndNumber() throws {
        let home = try HomeID("home-1")
        let first = BoxedIdentity(number: 1, home: home, seed: 1)
        #expect(BoxedIdentity(number: 1, home: home, seed: 1).code == first.code)
        #expect(BoxedIdentity(number: 1, home: home, seed: 2).code != first.code)
        #expect(BoxedIdentity(number: 1, home: try HomeID("home-2"), seed: 1).code != first.code)
    }

    @Test func everyDeviceHasItsOwnNamesAndAddress() throws {
        let home = try HomeID("home-1")
        let all = (1...BoxedFleet.limit).map { BoxedIdentity(number: $0, home: home, seed: 3) }
        #expect(Set(all.map(\.address)).count == all.count)
        #expect(Set(all.map(\.serial)).count == all.count)
        #expect(Set(all.map(\.code.name)).count == all.count)
        #expect(all.allSatisfy { $0.address.hasPrefix("127.") && $0.address != "127.0.0.1" })
        #expect(Set(all.prefix(2).map(\.code.security)) == [.proofOfPossession, .password])
        #expect(all[0].code.username == nil)
        #expect(all[1].code.username == "wifiprov")
    }
}

@Suite struct BoxedRecordTests {
    @Test func damagedRecordsAreNotReadAsOthers() throws {
        var record = BoxedRecord()
        record.port = 4711
        record.usedTokens = [try #require(ClaimToken(rawValue: "t"))]
        #expect(BoxedRecord(json: record.json) == record)
        for length in 0..<record.json.count {
            #expect(BoxedRecord(json: Array(record.json.prefix(length))) == nil)
        }
        #expect(BoxedRecord(json: Array(#"{"usedTokens":[],"member":{}}"#.utf8)) == nil)
        #expect(BoxedRecord(json: Array(#"{"usedTokens":[],"claim":{}}"#.utf8)) == nil)
    }

    @Test func aDamagedFileIsSaid() throws {
        let folder = try TemporaryFolder()
        let store = BoxedStore(folder: folder.path)
        #expect(try store.load() == BoxedRecord())
        var record = BoxedRecord()
        record.port = 1
        try store.save(record)
        #expect(try store.load() == record)
        #expect(folder.names == ["box.json"])
        try folder.file("box.json", "{")
        #expect(throws: BoxedDeviceError.self) { try store.load() }
    }
}
