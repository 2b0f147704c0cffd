import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf } from "../../engine/limit/ClientAddress.ts"
import { networkBounds, widerNetworks } from "../../engine/limit/ClientQuotas.ts"
import { sharedKey } from "../../engine/limit/LimitSettings.ts"

const keyOf = (address: string): string => clientOf({ peer: address, forwardedFor: null }, 0).network
const namesOf = (key: string): ReadonlyArray<string> => widerNetworks(key).map(({ name }) => name)

describe("the wider networks of a client", () => {
  it("are the /16 of an IPv4 address, and the /32 and /48 of an IPv6 address, the widest first", () => {
    expect(namesOf(keyOf("198.51.100.7"))).toEqual(["198.51.0.0/16"])
    expect(namesOf(keyOf("::ffff:198.51.100.7"))).toEqual(["198.51.0.0/16"])
    expect(namesOf(keyOf("2001:db8:1:2ff::1"))).toEqual(["2001:db8::/32", "2001:db8:1::/48"])
    expect(namesOf(keyOf("2a00::1"))).toEqual(["2a00::/32", "2a00::/48"])
  })

  it("are those of its network if many users share that", () => {
    expect(namesOf(sharedKey(10, `mcp ${keyOf("198.51.100.7")}`))).toEqual(["198.51.0.0/16"])
    expect(namesOf(sharedKey(10, `mcp ${keyOf("2001:db8:1:2ff::1")}`))).toEqual(["2001:db8::/32", "2001:db8:1::/48"])
  })

  it("are none if its network is private or of this machine, or there is no address", () => {
    const addresses = [
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.1",
      "192.168.1.1",
      "127.0.0.1",
      "169.254.1.1",
      "100.64.0.1",
      "100.127.255.1",
      "0.0.0.1",
      "fc00::1",
      "fdff:1:2:3::1",
      "fe80::1",
      "fec0::1",
      "::1",
      "::"
    ]
    expect(addresses.filter((address) => namesOf(keyOf(address)).length > 0)).toEqual([])
    expect(["unknown", "mcp grant 0.0.0.0", "10x mcp unknown"].flatMap(namesOf)).toEqual([])
  })

  it("are the same for two addresses exactly if those have the bits in common", () => {
    const address = fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 })
      .map((groups) => [0x2a00, ...groups.slice(1)])
    const written = (groups: ReadonlyArray<number>): string => groups.map((group) => group.toString(16)).join(":")
    fc.assert(
      fc.property(address, address, (one, other) => {
        const [ofOne, ofOther] = [namesOf(keyOf(written(one))), namesOf(keyOf(written(other)))]
        expect(ofOne.map((name, index) => name === ofOther[index])).toEqual([
          one[1] === other[1],
          one[1] === other[1] && one[2] === other[2]
        ])
      })
    )
  })
})

describe("the limits of wider networks", () => {
  it("are one share for a /48 or /16, and three for a /32", () => {
    expect(networkBounds(100, 2, "2001:db8:1:200::/56")).toEqual([
      { network: "2001:db8::/32", limit: 300 },
      { network: "2001:db8:1::/48", limit: 100 }
    ])
    expect(networkBounds(100, 2, "198.51.100.0/24")).toEqual([{ network: "198.51.0.0/16", limit: 100 }])
  })

  it("are never below that of one client network", () => {
    expect(networkBounds(1, 4, "198.51.100.0/24")).toEqual([{ network: "198.51.0.0/16", limit: 4 }])
    expect(networkBounds(1, 4, sharedKey(10, "mcp 198.51.100.0/24"))).toEqual([{ network: "198.51.0.0/16", limit: 40 }])
    expect(networkBounds(1, null, "198.51.100.0/24")).toEqual([{ network: "198.51.0.0/16", limit: 1 }])
  })

  it("are none if they are off", () => {
    expect(networkBounds(null, 2, "198.51.100.0/24")).toEqual([])
  })
})
