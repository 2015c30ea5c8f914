/// The random numbers of the system.
///
/// That of the standard library has no size. ThreadSanitizer of Swift 6.3.1 looks at the address of such an argument all the
/// same, which may be any one, and ends the process; so this one has a size.
///
/// It is public, though no product exports it: the compiler specializes only public code across modules.
@frozen public struct SystemGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline var size: UInt8 = 0

    @inlinable public init() {}

    public mutating func next() -> UInt64 { .random(in: .min ... .max) }
}
