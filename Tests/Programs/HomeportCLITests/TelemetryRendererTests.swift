import Homeport
import Testing

@testable import HomeportCLI

/// Samples of a device whose names and texts would steer a terminal, or end a line or field.
@Suite struct TelemetryRendererTests {
    private let sample = RecordedSample(
        at: Timestamp(milliseconds: 0),
        values: ["a\n\u{1B},\u{301}b": 1, "m": "\u{9B}\"\u{301}\n\\"])

    @Test func whatATerminalObeysIsEscapedForPeople() throws {
        let line = try renderer(nil).line(for: sample)
        let values = #"  a\u000a\u001b,\#u{301}b=1 m=\u009b"\#u{301}\u000a\"#
        #expect(line?.hasSuffix(values) == true, "\(line ?? "none")")
    }

    @Test func itIsEscapedInTheHeaderAndTheCellsOfCSV() throws {
        var csv = try renderer(.csv)
        csv.learn([sample])
        #expect(csv.header == #"at,"a\u000a\u001b,\#u{301}b",m"#)
        #expect(csv.line(for: sample) == #"1970-01-01T00:00:00.000Z,1,"\u009b""\#u{301}\u000a\""#)
    }

    @Test func itIsEscapedInTheKeysAndTextsOfTheLineProtocol() throws {
        let line = try renderer(.line).line(for: sample)
        let fields = #"a\\u000a\\u001b\,\#u{301}b=1,m="\\u009b\"\#u{301}\\u000a\\""#
        #expect(line == "telemetry,home=home-1,device=lamp-1 \(fields) 0")
    }

    private func renderer(_ form: TelemetryForm?) throws -> TelemetryRenderer {
        TelemetryRenderer(form: form, device: try DeviceID("lamp-1"), home: try HomeID("home-1"))
    }
}
