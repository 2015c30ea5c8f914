import Connectivity
import DeviceDomain
import TestSupport
import Testing

@testable import MatterAdapter

@Suite struct CommandTests {
    private func names(_ attributes: String) -> Set<String> {
        Set(devices(node("1", attributes))[0].commands.all.map(\.specification.name.rawValue))
    }

    @Test func devicesTakeWhatTheirTypesAskFor() {
        #expect(
            names(Sample.light)
                == ["turn-on", "turn-off", "set-brightness", "set-color-temp", "set-color"])
        #expect(names(Sample.plug) == ["turn-on", "turn-off"])
        #expect(names(Sample.lock) == ["lock", "unlock"])
        #expect(names(Sample.cover) == ["open", "close", "stop", "set-position"])
        #expect(
            names(Sample.thermostat)
                == ["set-heating-setpoint", "set-cooling-setpoint", "set-mode"])
        #expect(
            names(Sample.robot)
                == [
                    "start-cleaning", "pause", "resume", "return-to-dock", "set-clean-mode",
                    "locate",
                ])
        #expect(names(Sample.evse) == ["enable", "disable"])
        #expect(names(#""1/29/0":[{"0":770}],"1/6/0":true,"1/3/0":0"#).isEmpty)
    }

    private static let requestCases: [(String, String, JSONObject, [String])] = [
        (
            Sample.light, "turn-on", [:],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":6,"command_name":"On","payload":{}}}"#
            ]
        ),
        (
            Sample.light, "set-brightness", ["brightness": 120],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":8,"command_name":"MoveToLevelWithOnOff","payload":{"level":120,"optionsMask":0,"optionsOverride":0,"transitionTime":0}}}"#
            ]
        ),
        (
            Sample.lock, "unlock", ["pin": "123"],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":257,"command_name":"UnlockDoor","payload":{"PINCode":"MTIz"},"timed_request_timeout_ms":5000}}"#
            ]
        ),
        (
            Sample.cover, "set-position", ["position": 30],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":258,"command_name":"GoToLiftPercentage","payload":{"liftPercent100thsValue":7000}}}"#
            ]
        ),
        (
            Sample.thermostat, "set-heating-setpoint", ["heating-setpoint": 21.5],
            [
                #"{"command":"write_attribute","args":{"node_id":7,"attribute_path":"1/513/18","value":2150}}"#
            ]
        ),
        (
            Sample.thermostat, "set-mode", ["mode": "cool"],
            [
                #"{"command":"write_attribute","args":{"node_id":7,"attribute_path":"1/513/28","value":3}}"#
            ]
        ),
        (
            Sample.robot, "start-cleaning", ["rooms": [4_294_967_295, "Hall"]],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":336,"command_name":"SelectAreas","payload":{"newAreas":[4294967295,2]}}}"#,
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":84,"command_name":"ChangeToMode","payload":{"newMode":2}}}"#,
            ]
        ),
        (
            Sample.robot, "set-clean-mode", ["mode": "deep-clean"],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":85,"command_name":"ChangeToMode","payload":{"newMode":5}}}"#
            ]
        ),
        (
            Sample.evse, "enable", [:],
            [
                #"{"command":"device_command","args":{"node_id":7,"endpoint_id":1,"cluster_id":153,"command_name":"EnableCharging","payload":{"chargingEnabledUntil":null,"maximumChargeCurrent":32000,"minimumChargeCurrent":6000},"timed_request_timeout_ms":5000}}"#
            ]
        ),
    ]

    @Test(arguments: requestCases)
    func requestsAreThoseOfTheServer(
        attributes: String, name: String, arguments: JSONObject, texts: [String]
    ) throws {
        #expect(try requests(node("7", attributes), name, arguments) == texts)
    }

    private static let limitCases: [(String, String, JSONObject)] = [
        (Sample.light, "set-brightness", ["brightness": 251]),
        (Sample.light, "set-brightness", ["brightness": 1]),
        (Sample.light, "set-color-temp", ["color-temp": 149]),
        (Sample.lock, "unlock", [:]),
        (Sample.cover, "set-position", ["position": 101]),
        (Sample.thermostat, "set-heating-setpoint", ["heating-setpoint": 29]),
        (Sample.thermostat, "set-mode", ["mode": "auto"]),
        (Sample.robot, "start-cleaning", ["rooms": [3]]),
        (Sample.robot, "set-clean-mode", ["mode": "mop"]),
        (Sample.light, "lock", [:]),
    ]

    @Test(arguments: limitCases)
    func theLimitsOfTheDeviceAreKept(
        attributes: String, name: String, arguments: JSONObject
    ) throws {
        // Without a feature map a thermostat that heats and cools is taken to change by itself.
        let isAutomatic = name == "set-mode"
        let attributes =
            isAutomatic
            ? attributes.replacing(#""1/513/65532":null"#, with: #""1/513/65532":3"#) : attributes
        let error = #expect(throws: CommunicationError.self) {
            try requests(node("7", attributes), name, arguments)
        }
        #expect(error?.code == .cannotExpress)
    }

    @Test func largeNumbersOfNodesAreWrittenExactly() throws {
        let texts = try requests(node("18446744073709551615", Sample.plug), "turn-off")
        #expect(texts[0].contains(#""node_id":18446744073709551615,"#))
    }
}
