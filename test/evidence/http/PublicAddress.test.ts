import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  ipLiteral,
  isPublicAddress,
  isReservedName,
  isWithin,
  parseRange
} from "../../../engine/evidence/http/PublicAddress.ts"

const octet = fc.integer({ min: 0, max: 255 })
const ipv4 = fc.tuple(octet, octet, octet, octet)
const dotted = ipv4.map((octets) => octets.join("."))

const hex = (octets: ReadonlyArray<number>): string =>
  `${((octets[0] ?? 0) * 256 + (octets[1] ?? 0)).toString(16)}:${((octets[2] ?? 0) * 256 + (octets[3] ?? 0)).toString(16)}`

const numberOf = (octets: ReadonlyArray<number>): number => octets.reduce((sum, part) => sum * 256 + part, 0)

describe("isPublicAddress", () => {
  it.each([
    "8.8.8.8",
    "93.184.216.34",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "198.17.0.1",
    "198.20.0.1",
    "2606:4700:4700::1111",
    "[2a00:1450:4001:800::200e]",
    "2001:4860:4860::8888",
    "2003::1"
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "[::1]",
    "::ffff:8.8.8.8",
    "::8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "example.com",
    "1.2.3.4.5",
    "not an address"
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false))

  it("judges the address, not its spelling", () => {
    fc.assert(
      fc.property(ipv4, (octets) => {
        const plain = isPublicAddress(octets.join("."))
        expect(isPublicAddress(String(numberOf(octets)))).toBe(plain)
        expect(isPublicAddress(`0x${numberOf(octets).toString(16)}`)).toBe(plain)
        expect(isPublicAddress(octets.map((part) => `0${part.toString(8)}`).join("."))).toBe(plain)
        expect(isPublicAddress(`${octets.join(".")}.`)).toBe(plain)
      })
    )
  })

  it("refuses every IPv6 address that carries an IPv4 one", () => {
    fc.assert(
      fc.property(ipv4, (octets) => {
        const inner = hex(octets)
        for (const address of [
          `::ffff:${inner}`,
          `::${inner}`,
          `64:ff9b::${inner}`,
          `2002:${inner}::1`,
          `2001:0:4136:e378:8000:63bf:${inner}`
        ]) {
          expect(isPublicAddress(address)).toBe(false)
        }
      })
    )
  })

  it("refuses every IPv6 address outside of 2000::/3", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre(((groups[0] ?? 0) & 0xe000) !== 0x2000)
        expect(isPublicAddress(groups.map((group) => group.toString(16)).join(":"))).toBe(false)
      })
    )
  })

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === "boolean"))
  })
})

describe("ipLiteral", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["0177.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["0", "0.0.0.0"],
    ["１２７.0.0.1", "127.0.0.1"],
    ["127。0。0。1", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["127.0.0.1..", "127.0.0.1"],
    ["0x7f.1...", "127.0.0.1"],
    ["[::1]", "::1"],
    ["::1", "::1"],
    ["[0:0:0:0:0:0:0:1]", "::1"],
    ["[::FFFF:127.0.0.1]", "::ffff:7f00:1"]
  ])("%s is the address %s", (host, address) => expect(ipLiteral(host)).toBe(address))

  it.each([
    "example.com",
    "localhost",
    "1.example",
    "dead.beef.cafe",
    "1.2.3.4.5",
    "256.1.1.1",
    "",
    "a/../127.0.0.1",
    "x@127.0.0.1",
    "127.0.0.1:80",
    "999.2.3.4.。",
    "010.2.3.4.。"
  ])("%s is no address", (host) => expect(ipLiteral(host)).toBeNull())

  it("is the identity on dotted addresses", () => {
    fc.assert(
      fc.property(dotted, (address) => {
        expect(ipLiteral(address)).toBe(address)
      })
    )
  })
})

describe("isReservedName", () => {
  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost..",
    "app.localhost",
    "printer.local",
    "metadata.google.internal",
    "router.home.arpa",
    "ｌocalhost",
    "api.default.svc",
    "hidden.onion",
    "docs.example.test",
    "docs.invalid",
    "docs.example",
    "example...",
    "wiki",
    "WIKI.",
    "mylocalhost"
  ])("%s is reserved", (host) => expect(isReservedName(host)).toBe(true))
  it.each([
    "example.com",
    "example.com.",
    "local.example.com",
    "thelocal.se",
    "test.dev",
    "onion.example.org",
    "[2606:4700::1111]",
    "2606:4700::1111",
    "8.8.8.8"
  ])("%s is not", (host) => expect(isReservedName(host)).toBe(false))
})

describe("a range of addresses", () => {
  it.each([
    ["203.0.113.0/24", "203.0.113.0/24"],
    [" 203.0.113.7/24 ", "203.0.113.7/24"],
    ["203.0.113.7", "203.0.113.7/32"],
    ["2001:DB8:64::/96", "2001:DB8:64::/96"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["0.0.0.0/0", "0.0.0.0/0"]
  ])("is read from %j", (text, range) => {
    expect(parseRange(text)).toEqual(Result.succeed(range))
  })

  it.each([
    "",
    "203.0.113.0/33",
    "203.0.113.0/-1",
    "203.0.113.0/",
    "203.0.113/24",
    "10/8",
    "2001:db8::/129",
    "docs.example.com",
    "fe80::1%eth0",
    "203.0.113.1-203.0.113.9"
  ])("is not %j, which is quoted beside examples", (text) => {
    expect(parseRange(text)).toEqual(
      Result.fail(
        `${JSON.stringify(text.trim())} is not a range of addresses, such as 203.0.113.0/24 or 2001:db8:64::/96`
      )
    )
  })

  it.each([
    ["203.0.113.255", "203.0.113.7/24", true],
    ["203.0.114.0", "203.0.113.7/24", false],
    ["::ffff:203.0.113.255", "203.0.113.0/24", true],
    ["2001:db8:64::a9fe:a9fe", "2001:db8:64::/96", true],
    ["2001:db8:64::1:a9fe:a9fe", "2001:db8:64::/96", false],
    ["203.0.113.1", "::ffff:0:0/96", false],
    ["fe80::1%eth0", "fe80::/10", true],
    ["203.0.113.1", "2001:db8::/32", false]
  ])("%s within %s: %s", (address, range, expected) => {
    expect(isWithin(address, [range])).toBe(expected)
  })

  it("is one of several, or of none", () => {
    expect([isWithin("203.0.113.1", ["10.0.0.0/8", "203.0.113.0/24"]), isWithin("203.0.113.1", [])]).toEqual([
      true,
      false
    ])
  })
})
