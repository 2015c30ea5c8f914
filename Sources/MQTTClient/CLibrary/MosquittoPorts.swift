/// What the handles of an event loop share. A call into the library is never made inside another one, so
/// each has all of it to itself; an owner's handler runs only when the inbox is empty.
final class MosquittoPorts {
    let inbox = MosquittoInbox()
    let intake = SocketIntake()
    let outlet = SocketOutlet()
}
