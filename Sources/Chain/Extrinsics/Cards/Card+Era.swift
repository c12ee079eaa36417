import Cards
import SubstratePrimitives

extension Card {
    init(_ era: Era, indent: Int = 0, isDerived: Bool = false) {
        switch era {
        case .immortal: self.init(.eraImmortal, "Immortal", indent: indent, isDerived: isDerived)
        case .mortal(let era):
            self.init(
                .eraMortal, era.text, indent: indent,
                fields: [.init("phase", .number(Int(era.phase))), .init("period", .number(Int(era.period)))], isDerived: isDerived)
        }
    }
}
