import Glibc
import Provisioning
import ProvisioningProtocol
import TestSupport
import Testing

/// Setup codes are read from pictures that `qrencode` has made, by `zbarimg`.
@Suite(.timeLimit(.minutes(1))) struct SetupCodePictureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func label(_ name: String) -> String {
        #"{"ver":"v1","name":"\#(name)","pop":"abcd1234","transport":"softap","security":1}"#
    }

    /// Runs `qrencode`, which must succeed, and returns what it prints.
    @discardableResult
    private func qrencode(_ arguments: String...) async throws -> String {
        let run = try await ChildProcess.runToEnd("qrencode", arguments)
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    /// The file name is what else might be an option, or mean something to the library that reads pictures.
    @Test(
        arguments: ["label.png", "-S.png", "png:label", "label [0].png", "标签 %d.png"],
        ["PROV_ab12cd", "PROV_厨房", "café: a b"])
    func aPictureIsReadWhateverItsNameAndThatOfTheDevice(
        file: String, device: String
    ) async throws {
        let text = Self.label(device)
        let path = "\(folder.path)/\(file)"
        try await qrencode("-o", path, text)
        let code = try await SetupCode.read(path)
        #expect(code == (try SetupCode(text: text)))
        #expect(code.name == device)
    }

    @Test func severalCodesInAPictureAreOneWhereOnlyOneIsASetupCode() async throws {
        let label = try await modules(Self.label("PROV_one"))
        let address = try await modules("https://device.example/manual")
        try folder.append(QRPicture(besides: [label, address, label]).file, to: "label")
        #expect(try await SetupCode.read("\(folder.path)/label").name == "PROV_one")
        let other = try await modules(Self.label("PROV_two"))
        try folder.append(QRPicture(besides: [label, other]).file, to: "labels")
        try await refuse("labels", "PROV_one, PROV_two")
        try folder.append(QRPicture(besides: [address]).file, to: "address")
        try await refuse("address", "setup code cannot be used")
    }

    @Test func aPictureWithoutAReadableCodeIsSaidToBeSo() async throws {
        let picture = try await QRPicture(besides: [modules(Self.label("PROV_one"))])
        try folder.append(picture.file, to: "sharp")
        #expect(try await SetupCode.read("\(folder.path)/sharp").name == "PROV_one")
        try folder.append(picture.blurred(over: 4).file, to: "blurred")
        try await refuse("blurred", "take a sharper picture")
        try folder.append(QRPicture(besides: [[[false]]]).file, to: "blank")
        try await refuse("blank", "take a sharper picture")
    }

    @Test func aPictureThatIsCutOffIsSaidToHoldNoCode() async throws {
        try await qrencode("-o", "\(folder.path)/whole.png", Self.label("PROV_one"))
        try folder.append(Array(folder.contents(of: "whole.png").dropLast(60)), to: "cut.png")
        try await refuse("cut.png", "take a sharper picture")
    }

    /// As a text, in a file and in a picture.
    @Test(arguments: ["MT:Y.K9042C00KA0648G00", "34970112332"])
    func theCodeOfAMatterDeviceNamesItsOption(code: String) async throws {
        try folder.file("label.txt", code)
        try await qrencode("-o", "\(folder.path)/label.png", code)
        for argument in [code, "\(folder.path)/label.txt", "\(folder.path)/label.png"] {
            let error = await #expect(throws: SetupCodeFailure.self) {
                try await SetupCode.read(argument)
            }
            #expect(error?.message.contains("--matter") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains(code) == false)
        }
    }

    @Test(arguments: ["", "\n", "\u{FEFF}", " \r\n\t"])
    func theTextOfACodeMayBeInAFile(before: String) async throws {
        try folder.file("label.txt", before + Self.label("PROV_one") + "\r\n")
        #expect(try await SetupCode.read("\(folder.path)/label.txt").name == "PROV_one")
        try folder.file("wrong", before + "{}")
        try await refuse("wrong", "setup code cannot be used")
        try folder.file("large", before + "{" + String(repeating: " ", count: 4096))
        try await refuse("large", "is not a picture")
    }

    @Test func whatIsNoPictureIsSaidToBeSo() async throws {
        for name in ["text.png", "text.txt"] {
            try folder.file(name, "no code")
            try await refuse(name, "\(name): the setup code cannot be used")
        }
        try folder.append([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1], to: "program.txt")
        try await refuse("program.txt", "is not a picture")
        _ = try folder.folder("folder.png")
        try await refuse("folder.png", "is not a regular file")
        try await refuse("missing.png", "No such file or directory")
    }

    /// Whoever opens a pipe waits for its writer.
    @Test func aPipeIsRefused() async throws {
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        try await refuse("pipe", "\(pipe) is not a regular file")
        let error = await #expect(throws: SetupCodeFailure.self) {
            _ = try await MatterSetupCode.read(pipe)
        }
        #expect(error?.message.contains("\(pipe) is not a regular file") == true)
    }

    private func modules(_ text: String) async throws -> [[Bool]] {
        // Two characters are a module.
        try await qrencode("-t", "ASCII", text).split(separator: "\n").map { line in
            line.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { $0.element == "#" }
        }
    }

    private func refuse(_ file: String, _ reason: String) async throws {
        let error = await #expect(throws: SetupCodeFailure.self) {
            try await SetupCode.read("\(folder.path)/\(file)")
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("abcd1234") == false)
    }
}

/// A grey picture of QR codes.
private struct QRPicture {
    private static let scale = 4
    private let rows: [[Int]]

    private init(rows: [[Int]]) { self.rows = rows }

    /// Codes side by side, each given as its dark modules, on white ground.
    init(besides codes: [[[Bool]]]) {
        let height = codes.map(\.count).max() ?? 0
        let lines = (0..<height).map { row in
            codes.flatMap { code in
                row < code.count ? code[row] : code[0].map { _ in false }
            }
        }
        rows = lines.flatMap { line in
            let pixels = line.flatMap { Array(repeating: $0 ? 0 : 255, count: Self.scale) }
            return Array(repeating: pixels, count: Self.scale)
        }
    }

    /// Each pixel becomes the mean of those around it, so many in each direction.
    func blurred(over reach: Int) -> QRPicture {
        let across = rows.map { Self.means($0, reach) }
        return QRPicture(rows: Self.turned(Self.turned(across).map { Self.means($0, reach) }))
    }

    private static func means(_ line: [Int], _ reach: Int) -> [Int] {
        line.indices.map { index in
            let around = line[max(0, index - reach)...min(line.count - 1, index + reach)]
            return around.reduce(0, +) / around.count
        }
    }

    private static func turned(_ rows: [[Int]]) -> [[Int]] {
        rows[0].indices.map { column in rows.map { $0[column] } }
    }

    /// A file of the format PGM.
    var file: [UInt8] {
        Array("P5\n\(rows[0].count) \(rows.count)\n255\n".utf8) + rows.joined().map(UInt8.init)
    }
}
