/// What the handles of an event loop share: it drives one of them at a time.
final class MosquittoPorts {
    let inbox = MosquittoInbox()
    let intake = SocketIntake()
    let outlet = SocketOutlet()
}
