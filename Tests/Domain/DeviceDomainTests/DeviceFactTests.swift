import DeviceDomain
import Testing

/// What devices say, typed.
@Suite struct DeviceFactTests {
    @Test(
        arguments: [
            (.stuck, ["code": "TRAPPED"], .stuck(code: "TRAPPED")),
            (.stuck, ["code": 4], .stuck(code: nil)),
            (
                .cleaningFinished, ["cleanedAreaM2": 21.5, "cleaningSeconds": 90],
                .cleaningFinished(areaM2: 21.5, duration: .seconds(90))
            ),
            (.cleaningFinished, [:], .cleaningFinished(areaM2: nil, duration: nil)),
            (.docked, [:], .docked),
            (
                .programFinished, ["program": "walls", "minutes": 3],
                .programFinished(.walls, duration: .seconds(180))
            ),
            (.programFinished, ["program": "moon"], .programFinished(nil, duration: nil)),
            (.lowBattery, ["batteryPercent": 9], .lowBattery(percent: 9)),
            (.filterFull, ["filterPercent": 100], .filterFull(percent: 100)),
            (.outOfWater, [:], .outOfWater),
            (.gridLost, [:], .gridLost),
            (.gridRestored, [:], .gridRestored),
            (.overTemperature, ["temperatureC": 61.5], .overTemperature(celsius: 61.5)),
            (.fault, ["code": "BIN_FULL"], .fault(code: "BIN_FULL")),
            (.literal("brush-stuck"), ["side": "left"], .other(.literal("brush-stuck"))),
        ] as [(EventName, JSONObject, DeviceFact)])
    func eachEventOfTheProtocolHasItsFact(name: EventName, detail: JSONObject, expected: DeviceFact)
    {
        #expect(DeviceFact(name, detail) == expected)
    }

    @Test func aSampleHasTheNumbersOfItsKind() {
        let robot = SweepingRobot.Sample(["batteryPercent": 71, "x": 1.25, "y": "left"])
        #expect(robot.batteryPercent == 71)
        #expect(robot.x == 1.25)
        #expect(robot.y == nil)
        #expect(robot.headingDeg == nil)
        let pool = PoolRobot.Sample(["depthM": 1.5, "waterTemperatureC": 24])
        #expect(pool.depthM == 1.5)
        #expect(pool.waterTemperatureC == 24)
        let store = EnergyStore.Sample(["gridPowerW": -230, "stateOfChargePercent": 55])
        #expect(store.gridPowerW == -230)
        #expect(store.stateOfChargePercent == 55)
    }
}
