import SubstratePrimitives

/// What a person should look at twice before taking part in a group.
public enum GroupWarning: Sendable, Equatable {
    /// The proposal calls a host contact otherwise.
    case renamed(contact: ExactText, proposed: ExactText)
    /// A key that nobody compared here has the name of a contact with another key, or one that may be taken
    /// for it.
    case borrowed(name: ExactText, contact: ExactText)
    /// A key that nobody compared here has the name that a group of this vault gives to another key, or one
    /// that may be taken for it.
    case borrowedMember(name: ExactText, member: ExactText, group: ExactText, isOwn: Bool)
    /// Two members whose names may be taken for each other.
    case alike(ExactText, ExactText)
    /// A host contact has a name that this vault uses for something else, or one that looks like such a name.
    case nameStandsFor(ExactText, other: ExactText)
    /// A group of this vault already has this label, or a name that looks like it. `name` is the name that
    /// the new group gets here.
    case labelTaken(label: ExactText, name: ExactText)
    /// A member of a record has a name that cannot be one, and stands under its number.
    case notAName(member: Int, name: ExactText)
    /// The account is a key of this vault, which signs alone until the group is active here; its address.
    /// `seed` gives the key, and still does so afterwards; nil for an imported key, whose secret goes.
    case takesKey(address: ExactText, seed: ExactText?)
    /// All members must sign.
    case allSign(Int)
    /// A whole key existed. It stands on every screen of a dealt group, for ever.
    case dealt
    /// The key came from an older group, whose shares go on signing.
    case reshared
    /// A record of a group that the key came from is not in this vault, so that its origin is unknown.
    case originUnknown
    /// The new group needs fewer members than the old one.
    case thresholdLowered(old: Int, new: Int)
    /// This vault gave its share of the old group on before, to so many other proposals; `again` are members
    /// of this one whom one of them named.
    case shareGiven(proposals: Int, again: [ExactText])

    /// What programs read.
    public var code: String {
        switch self {
        case .renamed: "group_member_renamed"
        case .borrowed, .borrowedMember: "group_name_borrowed"
        case .alike: "group_names_alike"
        case .nameStandsFor: "group_name_taken"
        case .labelTaken: "group_label_taken"
        case .notAName: "group_not_a_name"
        case .takesKey: "group_takes_key"
        case .allSign: "group_all_sign"
        case .dealt: "group_dealt"
        case .reshared: "group_reshared"
        case .originUnknown: "group_origin_unknown"
        case .thresholdLowered: "group_threshold_lowered"
        case .shareGiven: "group_share_given"
        }
    }

    /// Names are those of messages and of the vault, in quotation marks that they cannot end.
    public var line: String {
        switch self {
        case .renamed(let contact, let proposed):
            """
            your contact \(contact.quoted) is called \(proposed.quoted) in the \
            proposal
            """
        case .borrowed(let name, let contact):
            """
            \(name.quoted) is NOT your contact \(contact.quoted): it has another \
            host key
            """
        case .borrowedMember(let name, let member, let group, let isOwn):
            """
            \(name.quoted) is NOT \(isOwn ? "this machine, " : "")the member \
            \(member.quoted) of \(group): it has another host key
            """
        case .alike(let one, let other):
            "the members \(one.quoted) and \(other.quoted) have names that look alike"
        case .nameStandsFor(let name, let other): "the name \(name.quoted) looks like \(other)"
        case .labelTaken(let label, let name):
            """
            its label \(label.quoted) is the name of something else in this vault, or no name: \
            here the group is called \(name.quoted)
            """
        case .notAName(let member, let name):
            """
            the record calls member \(member) \(name.quoted), which cannot be a name: here it \
            is called "member \(member)"
            """
        case .takesKey(let address, nil):
            """
            the imported key of \(address) becomes the group's: its secret is removed from this vault, \
            and only the group signs then. Keep the record and every seed
            """
        case .takesKey(let address, let seed?):
            """
            the key of \(address) becomes the group's: this vault signs for it with the group only, and \
            whoever has the seed \(seed.quoted) still signs alone
            """
        case .allSign(let members):
            "all \(members) members must sign: one lost seed loses everything that the group holds"
        case .dealt:
            "dealt: a whole key existed; whoever has its seed or secret signs alone, and the dealer saw every share"
        case .reshared:
            "reshared: enough old shares still sign until they are destroyed, and an old seed is an old share"
        case .originUnknown:
            "whether a whole key existed is unknown here: the record of a group that it came from is missing"
        case .thresholdLowered(let old, let new):
            "fewer than before: \(new) members of the new group sign together, and \(old) of the old one"
        case .shareGiven(let proposals, let again):
            "this machine gave its share on before, for "
                + (proposals == 1 ? "another proposal" : "\(proposals) other proposals")
                + ": the machines there can have the key too, also if that reshare never ended"
                + (again.isEmpty ? "" : "; named again: " + again.map(\.quoted).joined(separator: ", "))
        }
    }
}

extension ExactText { fileprivate var quoted: String { text.inQuotationMarks } }
