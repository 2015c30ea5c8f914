internal import Connectivity
internal import DequeModule

/// What is to be done beside the call that finds it out; ``CommandInvoker/run()`` does it.
final class WorkQueue {
    /// Whether the work is done.
    enum Operation {
        /// The invoker was not started yet.
        case idle
        /// ``CommandInvoker/run()`` runs, or is about to.
        case running
        /// It has ended, or is about to.
        case stopped
    }

    var operation = Operation.idle
    private let workAvailable: StreamSource<Void>
    private var pending: Deque<InvokerWork> = []

    /// - Parameter workAvailable: is told whenever there is something to do.
    init(telling workAvailable: StreamSource<Void>) { self.workAvailable = workAvailable }

    /// Adds something to do.
    func enqueue(_ work: InvokerWork) {
        pending.append(work)
        workAvailable.send(())
    }

    /// What is to be done next; `nil` if nothing is.
    func next() -> InvokerWork? { pending.popFirst() }
}
