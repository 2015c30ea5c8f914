import Keychain
import Testing

@Suite struct SecretTests {
    @Test func secretsThatDifferInOneBitAreNotEqual() {
        let bytes = Array("a secret of some length".utf8)
        #expect(Secret(bytes) == Secret(bytes))
        for bit in 0..<(bytes.count * 8) {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(Secret(bytes) != Secret(other), "bit \(bit)")
        }
        #expect(Secret(bytes) != Secret(bytes.dropLast()))
        #expect(Secret([]) == Secret([]))
    }
}
