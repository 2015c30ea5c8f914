import DeviceDomain
import DeviceMessages
import Testing

@testable import Dashboard

/// What systems need to install the dashboard.
@Suite struct AppIconTests {
    @Test func aBitmapIsAFileOfItsSize() throws {
        let file = AppIcon(size: 64).png()
        #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(file[12..<16]) == Array("IHDR".utf8))
        #expect(Array(file[16..<24]) == [0, 0, 0, 64, 0, 0, 0, 64])
        // The checksum of an empty last chunk is that of its name.
        #expect(Array(file.suffix(8)) == Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
    }

    @Test func theDrawingIsWhiteOnItsGroundAndWithinTheMask() {
        var inks: [[UInt8]] = []
        let size = 40
        let file = AppIcon(size: size).png()
        // The pixels stand behind the palette: a byte for the filter, then two in a byte.
        let start = file.count - 12 - 4 - 4 - (size / 2 + 1) * size
        for y in 0..<size {
            let line = file[(start + y * (size / 2 + 1))...].dropFirst().prefix(size / 2)
            inks.append(line.flatMap { [$0 >> 4, $0 & 15] })
        }
        #expect(inks[0].allSatisfy { $0 == 0 } && inks.allSatisfy { $0[0] == 0 })
        // The ridge of the roof, the middle of the house.
        #expect(inks[10][20] == 15 && inks[25][20] < 15)
        for y in 0..<size {
            for x in 0..<size where inks[y][x] > 0 {
                let (dx, dy) = (Double(x) - 19.5, Double(y) - 19.5)
                #expect((dx * dx + dy * dy).squareRoot() < 16, "\(x), \(y)")
            }
        }
    }

    @Test func theManifestNamesFilesThatAreThere() throws {
        let manifest = try #require(try JSONReader.read(Asset.manifest.bytes).object)
        #expect(manifest["display"] == "standalone" && manifest["start_url"] == "/")
        let icons = manifest["icons"]?.array?.compactMap(\.object) ?? []
        #expect(icons.contains { $0["sizes"] == "192x192" && $0["purpose"] == "any" })
        #expect(icons.contains { $0["sizes"] == "512x512" && $0["purpose"] == "maskable" })
        for icon in icons {
            #expect(Asset.all.contains { $0.path == icon["src"]?.string })
        }
    }
}
