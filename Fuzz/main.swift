import Glibc

/// What libFuzzer calls with every input; FUZZ_TARGET says what that is for: `mqtt`, what the client reads,
/// `outbound`, what it sends, `provisioning`, what both sides of provisioning read, `answers`, what comes over
/// HTTP from an access point, or the messages of the protocol.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: length))
    switch target {
    case "mqtt": fuzzMQTT(input)
    case "outbound": fuzzOutbound(input)
    case "provisioning": fuzzProvisioning(input)
    case "answers": fuzzAnswers(input)
    default: fuzz(input)
    }
    return 0
}

private let target = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""

/// libFuzzer's own loop.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runDriver(&count, &arguments, testOneInput)
