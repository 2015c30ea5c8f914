import Testing

@testable import MQTTClient

/// Every error says what happened, why, and what to do.
@Suite struct ErrorMessageTests {
    @Test(arguments: Int32(0)...34) func codesOfTheLibraryComeWithAdvice(code: Int32) {
        let error = MQTTError(
            MosquittoResult(code: MosquittoCode(rawValue: code)), while: "publishing to a/b")
        #expect(Self.advice(in: error.message) != nil, "\(error)")
        #expect(error.message.contains("while publishing to a/b"))
    }

    @Test(arguments: UInt8(0x80)...0xA2) func reasonsOfTheBrokerComeWithAdvice(code: UInt8) {
        let reason = MQTTReasonCode(rawValue: code)
        let error = MQTTError(
            MosquittoResult(code: MosquittoCode(rawValue: Int32(code))), while: "connected to b")
        #expect(error.message.hasSuffix(reason.advice))
        #expect(Self.advice(in: error.message) != nil, "\(error)")
    }

    @Test(arguments: [104, 110, 111, 113, 24, 12] as [Int32])
    func systemErrorsComeWithTheirTextAndAdvice(number: Int32) {
        let error = MQTTError(
            MosquittoResult(code: .systemError, systemError: number), while: "connecting to b")
        #expect(error.systemError == number)
        #expect(error.message.contains(MQTTError.text(of: number)))
        #expect(Self.advice(in: error.message) != nil, "\(error)")
    }

    /// What stands behind the last semicolon, if it is a sentence.
    private static func advice(in message: String) -> Substring? {
        guard let semicolon = message.lastIndex(of: ";") else { return nil }
        let advice = message[message.index(after: semicolon)...]
        return advice.split(separator: " ").count >= 2 ? advice : nil
    }
}
