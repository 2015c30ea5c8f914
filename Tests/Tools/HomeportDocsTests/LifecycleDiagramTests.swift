import DeviceControl
import Foundation
import Testing

@testable import homeport_docs

@Suite struct LifecycleDiagramTests {
    private let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../docs/commands.md")

    @Test func theCommittedDiagramIsTheGeneratedOne() throws {
        let committed = try String(contentsOf: page, encoding: .utf8)
        #expect(LifecycleDiagram.refresh(committed) == committed, "run make docs")
    }

    @Test func aDocumentWithoutAPlaceForItIsLeftAlone() {
        #expect(LifecycleDiagram.refresh("# Commands") == nil)
    }

    @Test func nothingLeadsOutOfAFinalState() {
        #expect(!LifecycleExploration.transitions().contains { $0.from.isFinal })
    }

    @Test func everyStateIsReached() {
        let transitions = LifecycleExploration.transitions()
        for state in transitions.map(\.from) where state != .created {
            #expect(transitions.contains { $0.to == state })
        }
        #expect(Set(transitions.map(\.to)).count == 13)
    }
}
