import DeviceDomain
import Testing

@testable import ZigbeeAdapter

/// What the description of a device says about its states.
@Suite struct StateMembersTests {
    @Test func theMembersAreTheProperties() {
        let exposes = DeviceExposes([
            [
                "type": "binary", "name": "contact", "property": "contact", "access": 1,
                "value_on": false, "value_off": true,
            ],
            ["type": "numeric", "name": "battery", "property": "battery", "access": 1],
            [
                "type": "switch",
                "features": [
                    [
                        "type": "binary", "name": "state", "property": "state_l1", "access": 7,
                        "value_on": "ON", "value_off": "OFF",
                    ]
                ],
            ],
        ])
        #expect(exposes.stateMembers == ["contact", "battery", "batteryPercent", "state_l1"])
    }
}
