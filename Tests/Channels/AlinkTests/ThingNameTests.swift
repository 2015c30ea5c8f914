import Alink
import DeviceDomain
import Testing

@Suite struct ThingNameTests {
    // The digits: printf PRODUCTKEY/DEVICENAME | sha256sum
    @Test(arguments: [
        ("vac-000001", "vac-000001-705569"), ("VAC-000001", "vac-000001-59c226"),
        ("pool_000002", "pool-000002-a81344"), ("a.b@c:D", "a-b-c-d-857e0c"), ("_x", "x-a9cc98"),
        ("__", "67e83a"),
    ])
    func theIDIsMadeOfTheNameAndADigest(_ device: String, _ id: String) throws {
        let key = try #require(ProductKey("a1B2c3D4e5F"))
        let name = try #require(ThingName(product: key, device: device))
        #expect(name.deviceID.text == id)
        #expect(name.description == "a1B2c3D4e5F/\(device)")
    }

    @Test(arguments: ["", "a b", "a/b", "ä", String(repeating: "x", count: 65)])
    func otherNamesAreRefused(_ device: String) throws {
        let key = try #require(ProductKey("a1B2c3D4e5F"))
        #expect(ThingName(product: key, device: device) == nil)
    }

    @Test(arguments: ["", "a b", "../x", "a.b"]) func otherProductsAreRefused(_ key: String) {
        #expect(ProductKey(key) == nil)
    }

    @Test(arguments: [
        ("WorkMode", "work-mode"), ("work_mode", "work-mode"), ("RGBColor", "rgb-color"),
        ("block:Mode2", "block-mode2"), ("pm25", "pm25"), ("WIFI_Tx_Rate", "wifi-tx-rate"),
        ("suction", "suction"), ("__", ""),
    ])
    func identifiersBecomeKebabCase(_ identifier: String, _ name: String) {
        #expect(identifier.kebabCase == name)
    }
}
