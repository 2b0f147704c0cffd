import ipaddr from "ipaddr.js"
import { isIPv4, isIPv6 } from "node:net"

/** Who asks, as far as limits are concerned. */
export interface Client {
  /** The address in its canonical spelling; `unknown` where the connection has none. */
  readonly address: string
  /** What rates go by: an IPv4 address, the /64 of an IPv6 one. */
  readonly rateKey: string
  /** What the site quota goes by: the /24 of an IPv4 address, the /56 of an IPv6 one. */
  readonly network: string
}

/** What is known of a request's way here. */
export interface Connection {
  /** The peer of the socket; `null` where it has none. */
  readonly peer: string | null
  /** `X-Forwarded-For`, repeated ones joined by commas; `null` where it is missing. */
  readonly forwardedFor: string | null
}

const UNKNOWN: Client = { address: "unknown", rateKey: "unknown", network: "unknown" }

/** The most proxies that are ever believed. */
const MOST_PROXIES = 16

/**
 * The client of a request that came through `trustedProxies` proxies of ours. Each appended the address that it saw, so
 * that many entries from the right are true; whatever stands left of them a client may have made up.
 */
export const clientOf = ({ forwardedFor, peer }: Connection, trustedProxies: number): Client => {
  let address = peer === null ? null : parseAddress(peer)
  let rest = forwardedFor ?? ""
  for (let hop = 0; hop < Math.min(trustedProxies, MOST_PROXIES) && rest !== ""; hop += 1) {
    const comma = rest.lastIndexOf(",")
    const seen = parseAddress(rest.slice(comma + 1))
    // A proxy of ours would not have written that, so it is not from one.
    if (seen === null) break
    address = seen
    rest = comma < 0 ? "" : rest.slice(0, comma)
  }
  return address === null ? UNKNOWN : describe(address)
}

const describe = (address: ipaddr.IPv4 | ipaddr.IPv6): Client => {
  const text = address.toString()
  return address instanceof ipaddr.IPv4
    ? { address: text, rateKey: text, network: `${text.slice(0, text.lastIndexOf("."))}.0/24` }
    : { address: text, rateKey: prefixOf(address.parts, 0xffff, 64), network: prefixOf(address.parts, 0xff00, 56) }
}

/** The first four groups of an IPv6 address, `lastMask` laid over the fourth. */
const prefixOf = ([one = 0, two = 0, three = 0, four = 0]: ReadonlyArray<number>, lastMask: number, bits: number): string =>
  `${[one, two, three, four & lastMask].map((group) => group.toString(16)).join(":")}::/${bits}`

/** `192.0.2.1:8080`, `[2001:db8::1]`, `[2001:db8::1]:8080`: an address with what may stand around it. */
const DRESSED = /^(?:\[([^\]]{2,45})\]|(\d[\d.]{6,14}))(?::\d{1,5})?$/

/** IPv4 within IPv6 is IPv4; a zone does not count. */
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  const trimmed = text.trim()
  if (trimmed.length > 64) return null
  const [, bracketed, dotted] = DRESSED.exec(trimmed) ?? []
  const [bare = ""] = (bracketed ?? dotted ?? trimmed).split("%", 1)
  if (isIPv4(bare)) return ipaddr.IPv4.parse(bare)
  return isIPv6(bare) ? ipaddr.process(bare) : null
}
