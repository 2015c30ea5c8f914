// The C library's mathematics: the only thing that the physics need from outside the language.
#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// The real functions that the physics use.
enum Mathematics {
    /// The sine of an angle in radians.
    static func sine(_ angle: Double) -> Double { sin(angle) }
    /// The cosine of an angle in radians.
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    /// The exponential function.
    static func exponential(_ exponent: Double) -> Double { exp(exponent) }
    /// The angle of a vector against the x axis, in radians.
    static func angle(y: Double, x: Double) -> Double { atan2(y, x) }
}
