import DeviceDomain

/// What became of an assertion of a scenario.
package struct AssertionOutcome: Hashable, Sendable {
    /// What the scenario calls it.
    package let name: String
    /// What it is about, such as `online-share`.
    package let metric: String
    /// Whether what was found is within its bounds.
    package let passed: Bool
    /// What was found, in the unit of the metric; `nil` where there was nothing to measure.
    package let found: Double?
    /// For people: what was expected, when and of what devices, and, where it failed, at which device and instant.
    package let text: String

    package init(name: String, metric: String, passed: Bool, found: Double?, text: String) {
        self.name = name
        self.metric = metric
        self.passed = passed
        self.found = found
        self.text = text
    }

    /// As a report has it.
    var members: JSONObject {
        [
            "name": .string(name), "metric": .string(metric), "passed": .boolean(passed),
            "found": found.map(JSONValue.number) ?? .null, "text": .string(text),
        ]
    }
}
