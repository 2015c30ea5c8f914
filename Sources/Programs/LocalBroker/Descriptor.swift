import Glibc

/// A file descriptor that is closed at the end of its owner's life.
struct Descriptor: ~Copyable {
    /// The number that the kernel gave, -1 where opening failed.
    let number: Int32

    /// Takes over what a system call returned.
    init(_ number: Int32) {
        self.number = number
    }

    /// Whether there is a descriptor at all.
    var isOpen: Bool { number >= 0 }

    deinit {
        if number >= 0 { close(number) }
    }
}
