import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf } from "../../engine/limit/ClientAddress.ts"

const direct = (peer: string | null) => clientOf({ peer, forwardedFor: null }, 0)
const behind = (proxies: number, forwardedFor: string, peer = "10.0.0.1") =>
  clientOf({ peer, forwardedFor }, proxies).address

const octet = fc.integer({ min: 0, max: 255 })
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."))
const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16))
const groups = (count: number) =>
  fc.array(group, { minLength: count, maxLength: count }).map((parts) => parts.join(":"))

describe("the key of limits", () => {
  it("is the IPv4 address, and its /24 for the quota", () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        const [one, two, three] = address.split(".")
        expect(direct(address)).toEqual({ address, rateKey: address, network: `${one}.${two}.${three}.0/24` })
      })
    )
  })

  it("is the /64 of an IPv6 address, whose other bits may change freely", () => {
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (prefix, one, other) => {
        expect(direct(`${prefix}:${one}`).rateKey).toBe(direct(`${prefix}:${other}`).rateKey)
        expect(direct(`${prefix}:${one}`).network).toBe(direct(`${prefix}:${other}`).network)
      })
    )
  })

  it("differs for IPv6 addresses of different /64", () => {
    expect(direct("2001:db8:1:2::1").rateKey).toBe("2001:db8:1:2::/64")
    expect(direct("2001:db8:1:3::1").rateKey).toBe("2001:db8:1:3::/64")
  })

  it("is the /56 of an IPv6 address for the quota", () => {
    expect(direct("2001:db8:1:2ff::1").network).toBe("2001:db8:1:200::/56")
    expect(direct("2001:db8:1:201::1").network).toBe("2001:db8:1:200::/56")
    expect(direct("2001:db8:1:300::1").network).toBe("2001:db8:1:300::/56")
  })

  it("is the IPv4 address of an IPv4-mapped IPv6 address", () => {
    expect(direct("::ffff:192.0.2.7")).toEqual(direct("192.0.2.7"))
    expect(direct("::ffff:c000:207")).toEqual(direct("192.0.2.7"))
  })

  it("is the same for all spellings of an address", () => {
    expect(direct("2001:DB8:0:0::1")).toEqual(direct("2001:db8::1"))
    expect(direct("fe80::1%eth0")).toEqual(direct("fe80::1"))
  })

  it("is the same for all connections without an address", () => {
    expect(direct(null).rateKey).toBe("unknown")
    expect(direct("").rateKey).toBe("unknown")
  })
})

describe("X-Forwarded-For", () => {
  it("is ignored without a trusted proxy", () => expect(behind(0, "203.0.113.9")).toBe("10.0.0.1"))

  it("is trusted as far as our proxies wrote it", () => {
    const header = "198.51.100.1, 203.0.113.9, 10.0.0.2"
    expect(behind(1, header)).toBe("10.0.0.2")
    expect(behind(2, header)).toBe("203.0.113.9")
    expect(behind(3, header)).toBe("198.51.100.1")
  })

  it("ends where there are no more entries", () => expect(behind(5, "203.0.113.9")).toBe("203.0.113.9"))

  it.each([
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    [" 203.0.113.9 ", "203.0.113.9"]
  ])("is read with ports, brackets and blanks: %j", (entry, address) => expect(behind(1, entry)).toBe(address))

  it.each(["unknown", "_hidden", "", "0x7f000001", "2130706433", "203.0.113", "203.0.113.9.1", "x".repeat(10_000)])(
    "that is no address counts for nothing: %j",
    (entry) => expect(behind(1, entry)).toBe("10.0.0.1")
  )

  it("ends at what is no address: our proxies wrote nothing left of it", () =>
    expect(behind(3, "198.51.100.1, unknown, 203.0.113.9")).toBe("203.0.113.9"))

  it("cannot be forged, because what a client sends is left of what proxies append", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), ipv4, fc.integer({ min: 1, max: 1 }), (forged, real, proxies) => {
        expect(behind(proxies, `${forged}, ${real}`)).toBe(real)
      })
    )
  })

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.option(fc.string()),
        fc.option(fc.string()),
        fc.integer({ min: 0, max: 20 }),
        (peer, forwardedFor, proxies) => {
          expect(clientOf({ peer, forwardedFor }, proxies).rateKey).not.toBe("")
        }
      )
    )
  })
})
