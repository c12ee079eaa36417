/// What `heliograph help policy` says of every key.
enum PolicyHelp {
    static let text = """
        A policy is a JSON object with any of the keys below. What it does not allow is refused before any question. An absent key allows \
        everything, except messages: a policy with any key but approve refuses messages until it states messages. No key may stand twice, \
        and an unknown key is an error. Names and texts are compared byte by byte.

        networks: names of networks. A message to any network is refused by it.
          "networks": ["polkadot"]

        calls: Pallet.call, or Pallet.* for every call of a pallet. Nested calls count.
          "calls": ["Balances.transfer_keep_alive", "Staking.*"]

        destinations: every account among the arguments of calls, as SS58 addresses of any prefix or as 0x and hex.
          "destinations": ["5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"]

        signers: the accounts that may sign, written as destinations are.
          "signers": ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"]

        maximum_amount: all amounts of a transaction together, in planck. Amounts of other assets are refused by it.
          "maximum_amount": "1500000000000"

        maximum_tip: in planck.
          "maximum_tip": "0"

        fee_asset: what may pay the fee: "native" for the chain's own token, "any", or a list of "native" and encoded asset ids.
          "fee_asset": ["native", "0xc0070000"]

        mortality: "any", "mortal" for every transaction that expires, or the longest period in blocks.
          "mortality": {"maximum_period": 64}

        extensions: transaction extensions that carry data unknown to this program: "allow", "deny", or an object of allowed identifiers, \
        each with "any" or with its exact bytes (explicit part, then implicit part).
          "extensions": {"AuthorizeCall": "any", "CheckOrigin": "0x01"}

        messages: "allow", "deny", or the text that a message must start with. The text is compared as UTF-8 bytes with the message without \
        its <Bytes> tags; anything may follow it. networks and signers hold for messages, too.
          "messages": {"prefix": "login to example.org: "}

        approve: a list of such objects. scan --approve signs without a person what one of them allows and the rest of the policy does \
        not forbid. Each must have networks, calls named whole, destinations, maximum_amount and maximum_tip. If absent there, fee_asset \
        means "native", mortality means "mortal", extensions means "deny" and messages means "deny"; without signers, every key of the \
        vault may sign. messages may only be "deny" or a prefix there; a rule with a prefix may have no calls. All amounts of a payload \
        that one rule approves are held together against its maximum_amount. Nothing with a warning, no XCM location and no update is \
        approved this way.
          "approve": [{"networks": ["polkadot"],
            "calls": ["Balances.transfer_keep_alive"],
            "destinations": ["5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"],
            "maximum_amount": "1500000000000", "maximum_tip": "0", "mortality": "any"}]

        policy set warns about networks that are not in this vault and calls that no held metadata of their networks has.
        """
}
