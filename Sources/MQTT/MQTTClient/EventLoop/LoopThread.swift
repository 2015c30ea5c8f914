private import CMosquittoShims
private import Glibc

/// Detached threads that run one Swift closure.
enum LoopThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Throws `resourcesExhausted` if the system cannot create a thread.
    static func start(
        name: String, _ run: @escaping @Sendable () -> Void
    ) throws(MQTTError) {
        let body = Unmanaged.passRetained(
            Body {
                // The kernel limits a thread's name to 15 bytes.
                cmosquitto_name_thread(String(name.prefix(15)))
                run()
            })
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, enter, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw MQTTError(
                .resourcesExhausted,
                "no thread for \(name) (\(MQTTError.text(of: code))): raise the limit of threads",
                systemError: code)
        }
        pthread_detach(thread)
    }

    private static let enter:
        @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
            enterThread

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }
}

private func enterThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { LoopThread.run(context) }
    return nil
}
