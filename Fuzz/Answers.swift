import Provisioning

/// Feeds bytes to the reader of an access point's HTTP answers; the first byte says into how many parts the
/// connection cuts what follows.
///
/// What must hold: nothing crashes, the limits are kept, and it is read the same however it is cut.
func fuzzAnswers(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = answer(in: [bytes[...]])
    let size = max(1, bytes.count / (Int(choice) + 1))
    let parts = stride(from: 0, to: bytes.count, by: size).map {
        bytes[$0..<min($0 + size, bytes.count)]
    }
    let cut = answer(in: parts)
    guard let cut, let whole else {
        // What comes behind a whole answer is refused only where it comes with it.
        precondition(whole == nil, "an answer that comes at once is lost when it is cut")
        return
    }
    precondition(cut == whole, "an answer depends on how it is cut")
}

private let largestBody = 4096

private func answer(in parts: [ArraySlice<UInt8>]) -> HTTPAnswer? {
    var reader = HTTPAnswerReader(largestBody: largestBody)
    for part in parts {
        do {
            guard let answer = try reader.receive(part) else { continue }
            return checked(answer)
        } catch {
            precondition(!error.reason.isEmpty)
            return nil
        }
    }
    return reader.ended().map(checked)
}

private func checked(_ answer: HTTPAnswer) -> HTTPAnswer {
    precondition((200...599).contains(answer.status))
    precondition(answer.body.count <= largestBody)
    return answer
}
