import Basics
import DeviceDomain

/// The seed of one device, independent of how many others there are: FNV-1a over the fleet's seed
/// and the device's names, then the finalizer of SplitMix64, so that neighbours share no bits.
func deviceSeed(_ seed: UInt64, home: HomeID, device: DeviceID) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func absorb(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    withUnsafeBytes(of: seed.littleEndian) { $0.forEach(absorb) }
    home.text.utf8.forEach(absorb)
    absorb(UInt8(ascii: "/"))
    device.text.utf8.forEach(absorb)
    return SeededGenerator.mix(hash)
}
