import Basics
import DeviceDomain
import History
import TestSupport

extension SeededGenerator {
    /// The samples of a device, as devices and broken devices send them: steady stamps and some that jump, values
    /// with few decimals and with all, texts, booleans, signals that come and go.
    mutating func samples(_ count: Int, from start: Int = 1_764_000_000_000) -> [RecordedSample] {
        var at = start
        var boot = 1
        var n = 0
        return (0..<count).map { _ in
            at +=
                Int.random(in: 0..<20, using: &self) == 0
                ? Int.random(in: -9_000_000...9_000_000, using: &self) : 5_000
            n += 1
            if Int.random(in: 0..<50, using: &self) == 0 { (boot, n) = (boot + 1, 1) }
            let isCounted = Int.random(in: 0..<30, using: &self) != 0
            return RecordedSample(
                at: Timestamp(milliseconds: at), values: values(),
                boot: isCounted ? BootID(rawValue: "b\(boot)") : nil, n: isCounted ? n : nil)
        }
    }

    private mutating func values() -> JSONObject {
        var values: JSONObject = [
            "power-w": .number(
                (Double.random(in: -5_000...5_000, using: &self) * 10).rounded() / 10),
            "steady": 21.5,
        ]
        if Bool.random(using: &self) {
            values["exact"] = .number(Double.random(in: -1...1, using: &self))
        }
        if Int.random(in: 0..<9, using: &self) == 0 {
            values["huge"] = .number(Double.random(in: -1e300...1e300, using: &self))
        }
        values["mode"] = ["auto", "off", .null, true, 7, [1, "two"]].randomElement(using: &self)
        return values
    }
}
