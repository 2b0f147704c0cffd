import ipaddr from "ipaddr.js"
import * as Result from "effect/Result"
import { withoutFinalDots } from "../Address.ts"

/**
 * Which hosts an audit may connect to. A host is judged by what it is (an address in any spelling, a reserved name), an
 * address by its range. Whatever is not known to be public is not.
 */

/** Special ranges that `ipaddr.js` classifies as unicast. */
const NOT_PUBLIC_IPV4 = [
  "168.63.129.16/32", // the platform address of Azure's virtual machines
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT relays
  "192.88.99.0/24", // 6to4 relays
  "192.175.48.0/24" // AS112
].map((range) => ipaddr.IPv4.parseCIDR(range))

/** What is special within 2000::/3, outside of which nothing is public. */
const NOT_PUBLIC_IPV6 = [
  "2001::/23", // IETF assignments: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: any IPv4 address within
  "2620:4f:8000::/48", // AS112
  "3fff::/20" // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range))

const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * True for an IPv4 or IPv6 address that is public unicast. Takes any spelling, with or without brackets; addresses with
 * a zone and addresses that carry an IPv4 address within (mapped, 6to4, NAT64, Teredo) are not public.
 */
export const isPublicAddress = (address: string): boolean => {
  const canonical = ipLiteral(address)
  if (canonical === null || canonical.includes("%")) return false
  const parsed = ipaddr.parse(canonical)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv4
    ? !NOT_PUBLIC_IPV4.some((range) => parsed.match(range))
    : parsed.match(GLOBAL_UNICAST_IPV6) && !NOT_PUBLIC_IPV6.some((range) => parsed.match(range))
}

const HOST_DELIMITER = /[/\\?#@\s]/

/** `ipaddr.js` throws and catches an error for each name, which takes 10 µs and is asked four times for each request. */
const FOUR_NUMBERS = /^\d+\.\d+\.\d+\.\d+$/

/**
 * The canonical address (`127.0.0.1`, `2001:db8::1`: no brackets) that a host is another spelling of: decimal, octal,
 * hexadecimal, shortened, full-width digits, bracketed, with final dots. `null` for a name.
 *
 * Parses hosts as the URL standard does, so that it agrees with the code that connects.
 */
export const ipLiteral = (host: string): string | null => {
  if (HOST_DELIMITER.test(host)) return null
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  if (ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare).toString()
  if (host.includes(":")) return null
  const hostname = withoutFinalDots(URL.parse(`http://${withoutFinalDots(host)}/`)?.hostname ?? "")
  return FOUR_NUMBERS.test(hostname) && ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : null
}

/** What a range is written as: `ADDRESS/BITS`. */
const CIDR = /^[^/%]+\/\d{1,3}$/

const isRange = (text: string): boolean =>
  CIDR.test(text) && (ipaddr.IPv6.isValidCIDR(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text))

/** Parses a range in CIDR notation, or one address as the range of it alone. Fails with one clause that quotes what is wrong. */
export const parseRange = (text: string): Result.Result<string, string> => {
  const given = text.trim()
  const range = given.includes("/") ? given : `${given}/${given.includes(":") ? 128 : 32}`
  return isRange(range)
    ? Result.succeed(range)
    : Result.fail(`${JSON.stringify(given)} is not a range of addresses, such as 203.0.113.0/24 or 2001:db8:64::/96`)
}

/** Whether an address is in one of the ranges, which `parseRange` gave; an IPv4 address in IPv6 (`::ffff:10.0.0.1`) is also in those of IPv4. */
export const isWithin = (address: string, ranges: ReadonlyArray<string>): boolean => {
  if (ranges.length === 0) return false
  const forms = [ipaddr.parse(address), ipaddr.process(address)]
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return forms.some((form) => form.kind() === network.kind() && form.match(network, bits))
  })
}

/** Names that lead into a private network or nowhere (RFC 2606, 6761, 6762, 7686, 8375, ICANN), and all names below them. */
const RESERVED_NAMES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
  "onion",
  "test",
  "invalid",
  "example"
]

/** True for a name that is, or ends in, a reserved one (`localhost`, `x.internal`), or has no dot: search domains complete those. */
export const isReservedName = (host: string): boolean => {
  const name = withoutFinalDots(URL.parse(`http://${withoutFinalDots(host)}/`)?.hostname ?? host.toLowerCase())
  return (
    RESERVED_NAMES.some((reserved) => name === reserved || name.endsWith(`.${reserved}`)) ||
    (!name.includes(".") && ipLiteral(name) === null)
  )
}

/** True for a host that leads nowhere on the internet: an address that is not public, or a reserved name. */
export const isPrivateHost = (host: string): boolean => {
  const literal = ipLiteral(host)
  return literal === null ? isReservedName(host) : !isPublicAddress(literal)
}
