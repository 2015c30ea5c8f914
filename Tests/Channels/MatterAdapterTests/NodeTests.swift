import DeviceDomain
import TestSupport
import Testing

@testable import MatterAdapter

@Suite struct NodeTests {
    @Test(
        arguments: [
            (Sample.light, "light"), (Sample.plug, "plug"), (Sample.lock, "lock"),
            (Sample.cover, "cover"), (Sample.thermostat, "climate"),
            (Sample.robot, "sweeping-robot"), (Sample.evse, "evse"),
            (#""1/29/0":[{"0":24}]"#, "energy-store"), (#""1/29/0":[{"0":23}]"#, "solar"),
            (#""1/29/0":[{"0":43}]"#, "fan"), (#""1/29/0":[{"0":21}]"#, "sensor"),
            (#""1/29/0":[{"0":17},{"0":770}]"#, "sensor"),
            (#""1/29/0":[{"0":9999}]"#, "matter-device"), ("", "matter-device"),
        ])
    func theFirstKnownTypeIsTheKind(attributes: String, kind: String) {
        let all = devices(node("7", attributes))
        #expect(all.map(\.profile.kind.rawValue) == [kind])
        #expect(all.allSatisfy { !$0.profile.model.rawValue.isEmpty && !$0.profile.name.isEmpty })
    }

    @Test(arguments: ["1", "9007199254740993", "18446744073709551615"])
    func idsHaveTheNumberOfTheNode(number: String) {
        let all = devices(node(number, Sample.light))
        #expect(all.map(\.id.text) == ["house-\(number)"])
        #expect(all.map { String($0.place.node) } == [number])
    }

    @Test func namesAndSerialNumbersAreThoseOfTheDevice() {
        let lamp = devices(node("1", Sample.light))[0].profile
        #expect(lamp.name == "Desk" && lamp.model.rawValue == "Lamp" && lamp.serial == "SN-1")
        #expect(lamp.firmware == "1.2.3")
        #expect(devices(node("1", Sample.plug))[0].profile.name == "Energy Plug")
        #expect(devices(node("1", Sample.lock))[0].profile.serial == nil)
    }

    @Test func aBridgeAndEachOfItsDevicesAreDevices() {
        let hub = node("5", Sample.bridge)
        let all = devices(hub)
        #expect(all.map(\.id.text) == ["house-5", "house-5-3", "house-5-4"])
        #expect(all.map(\.profile.kind.rawValue) == ["matter-bridge", "light", "sensor"])
        #expect(all.map(\.profile.name) == ["Hub", "Porch", "Contact"])
        #expect(all.map { $0.isReachable(in: hub) } == [true, true, false])
        let gone = node("5", available: false, Sample.bridge)
        #expect(devices(gone).allSatisfy { !$0.isReachable(in: gone) })
    }

    @Test func aBridgeBelowABridgeIsOne() {
        let below = #""6/29/0":[{"0":19,"1":1},{"0":14,"1":1}],"6/57/5":"Gateway","6/57/17":true"#
        let all = devices(node("5", "\(Sample.bridge),\(below)"))
        #expect(all.map(\.id.text).last == "house-5-6")
        #expect(all.last?.profile.kind.rawValue == "matter-bridge")
    }

    @Test func valuesAreThoseOfPeople() {
        let lamp = state(node("1", Sample.light))
        #expect(lamp["state"] == "OFF" && lamp["brightness"] == 100 && lamp["color_temp"] == 250)
        let plug = state(node("1", Sample.plug))
        #expect(plug["power"] == -850 && plug["voltage"] == 231.5 && plug["energy"] == 2.5)
        #expect(plug["current"] == .null)
        let lock = state(node("1", Sample.lock))
        #expect(lock["lock_state"] == "locked" && lock["battery"] == 85.5)
        #expect(lock["state"] == "LOCK", "not that of the On/Off cluster beside it")
        let cover = state(node("1", Sample.cover))
        #expect(cover["position"] == 75 && cover["moving"] == "stopped")
        let hall = state(node("1", Sample.thermostat))
        #expect(hall["local_temperature"] == 21.5 && hall["heating_setpoint"] == 20)
        #expect(hall["mode"] == "heat" && hall["state"] == nil)
        let robot = state(node("1", Sample.robot))
        #expect(robot["activity"] == "docked" && robot["error"] == "Brush tangled")
        #expect(robot["clean_mode"] == "vacuum" && robot["current_room"] == "Hall")
        #expect(robot["batteryPercent"] == 100)
        #expect(state(node("1", Sample.evse))["sessionEnergyKWh"] == 1.5)
    }

    @Test(
        arguments: [
            (#""1/29/0":[{"0":770}],"1/1026/0":-1250"#, "temperature", -12.5),
            (#""1/29/0":[{"0":775}],"1/1029/0":4567"#, "humidity", 45.67),
            (#""1/29/0":[{"0":773}],"1/1027/0":1013"#, "pressure", 1013),
            (#""1/29/0":[{"0":262}],"1/1024/0":20001"#, "illuminance", 100),
            (#""1/29/0":[{"0":262}],"1/1024/0":0"#, "illuminance", 0),
            (#""1/29/0":[{"0":774}],"1/1028/0":25"#, "flow", 2.5),
            (#""1/29/0":[{"0":44}],"1/1037/0":612.5,"1/1037/8":0"#, "co2", 612.5),
        ])
    func measurementsHaveUnitsOfPeople(attributes: String, name: String, value: Double) {
        #expect(state(node("1", attributes))[name] == .number(value))
    }

    @Test func aContactIsOpenWhenItsValueIsFalse() {
        let door = state(node("1", #""1/29/0":[{"0":21}],"1/69/0":false"#))
        #expect(door["contact"] == false)
        let leak = state(node("1", #""1/29/0":[{"0":67}],"1/69/0":true"#))
        #expect(leak["water_leak"] == true)
    }

    @Test func whatWasNeverHeardIsNullOrAbsent() {
        let lamp = state(
            node("1", #""1/29/0":[{"0":256}],"1/6/0":{"TLVValue":null,"Reason":null}"#))
        #expect(lamp == ["state": .null])
        #expect(state(node("1", #""1/29/0":[{"0":256}]"#)).isEmpty)
    }
}
