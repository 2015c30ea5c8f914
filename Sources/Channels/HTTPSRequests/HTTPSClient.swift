internal import Basics
internal import CHTTPS
internal import DeviceDomain

/// POST requests over HTTPS by libcurl. It sends none twice, and follows no redirect.
///
/// The client's thread ends with this object, which must not be released by a completion: each request keeps it until
/// its task goes on.
package final class HTTPSClient: @unchecked Sendable {
    // The C functions may be called from any thread, and the pointer never changes.
    private let client: OpaquePointer
    private let authority: String?

    /// Bytes of an answer at most.
    private static let limit = 4 << 20

    /// - Parameter authority: a PEM file with the authorities that are trusted; `nil` for those of the system.
    /// - Throws: `unusable` if the library is not there.
    package init(authority: String? = nil) throws(TransportFailure) {
        guard let client = chttps_new() else {
            let reason =
                chttps_unavailable().map { String(cString: $0) } ?? "no thread for requests"
            throw TransportFailure(reason: .unusable, mayHaveLeft: false, message: reason)
        }
        self.client = client
        self.authority = authority
    }

    deinit { chttps_free(client) }

    /// Sends a request and waits for the answer. Cancelling the task ends it.
    package func post(_ post: HTTPSPost) async throws(TransportFailure) -> HTTPAnswer {
        let pending = PendingPost()
        let number = begin(post, pending)
        let cancelled = TransportFailure(
            reason: .cancelled, mayHaveLeft: true, message: "the request was cancelled")
        let result = await withTaskCancellationHandler {
            await pending.slot.value(ifCancelled: .failure(cancelled))
        } onCancel: {
            chttps_cancel(client, number)
        }
        return try withExtendedLifetime(self) { () throws(TransportFailure) in try result.get() }
    }

    private func begin(_ post: HTTPSPost, _ pending: PendingPost) -> UInt64 {
        let context = Unmanaged.passRetained(pending)
        let number = post.url.withCString { url in
            Self.withCString(authority) { authority in
                post.contentType.withCString { type in
                    post.body.withUnsafeBufferPointer { body in
                        var request = chttps_request(
                            url: url, body: body.baseAddress, count: body.count, type: type,
                            authority: authority,
                            connect_milliseconds: post.connectTimeout.wholeMilliseconds,
                            total_milliseconds: post.timeout.wholeMilliseconds, limit: Self.limit,
                            sent_once: post.isSentOnce)
                        return chttps_post(client, &request, completed, context.toOpaque())
                    }
                }
            }
        }
        if number == 0 {
            context.release()
            pending.slot.resolve(
                .failure(
                    TransportFailure(
                        reason: .unusable, mayHaveLeft: false,
                        message: "the request cannot be made: check the URL \(post.url)")))
        }
        return number
    }

    private static func withCString<Value>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Value
    ) -> Value {
        text.map { $0.withCString { body($0) } } ?? body(nil)
    }
}

/// A request whose answer is awaited.
private final class PendingPost: Sendable {
    let slot = AnswerSlot<Result<HTTPAnswer, TransportFailure>>()
}

/// Copies an answer and hands it over.
private func completed(_ context: UnsafeMutableRawPointer?, _ answer: UnsafePointer<chttps_answer>?)
{
    guard let context, let answer = answer?.pointee else { return }
    let pending = Unmanaged<PendingPost>.fromOpaque(context).takeRetainedValue()
    if answer.result == chttps_answered {
        let body = Array(UnsafeBufferPointer(start: answer.body, count: answer.count))
        pending.slot.resolve(
            .success(
                HTTPAnswer(
                    status: answer.status, body: body, date: String(cString: answer.date))))
    } else {
        pending.slot.resolve(
            .failure(
                TransportFailure(
                    reason: TransportFailure.Reason(answer.result),
                    mayHaveLeft: answer.may_have_left, message: String(cString: answer.message))))
    }
}

extension TransportFailure.Reason {
    fileprivate init(_ result: chttps_result) {
        switch result {
        case chttps_unreachable: self = .unreachable
        case chttps_tls_refused: self = .tlsRefused
        case chttps_timed_out: self = .timedOut
        case chttps_too_large: self = .tooLarge
        case chttps_cancelled: self = .cancelled
        case chttps_unusable: self = .unusable
        default: self = .lost
        }
    }
}
