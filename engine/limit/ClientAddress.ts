import ipaddr from "ipaddr.js"
import { isIPv4, isIPv6 } from "node:net"

/** The client of a request, for limits. */
export interface Client {
  /** The IP address in its canonical form; `unknown` if the connection has none. */
  readonly address: string
  /** The key of rate limits: an IPv4 address, or the /64 of an IPv6 address. */
  readonly rateKey: string
  /** The key of site quotas: the /24 of an IPv4 address, or the /56 of an IPv6 address. */
  readonly network: string
}

/** What a request says about its sender. */
interface ClientConnection {
  /** The socket's peer; `null` if it has none. */
  readonly peer: string | null
  /** `X-Forwarded-For`, repeated ones joined by commas; `null` where it is missing. */
  readonly forwardedFor: string | null
}

const UNKNOWN: Client = { address: "unknown", rateKey: "unknown", network: "unknown" }

/** Maximum number of trusted proxies. */
const MOST_PROXIES = 16

/**
 * The client of a request that came through `trustedProxies` proxies of ours. Each proxy appended the address that it saw, so we
 * trust that many entries from the right; a client may have forged the entries before them.
 */
export const clientOf = ({ forwardedFor, peer }: ClientConnection, trustedProxies: number): Client => {
  let address = peer === null ? null : parseAddress(peer)
  let rest = forwardedFor ?? ""
  for (let hop = 0; hop < Math.min(trustedProxies, MOST_PROXIES) && rest !== ""; hop += 1) {
    const comma = rest.lastIndexOf(",")
    const seen = parseAddress(rest.slice(comma + 1))
    // Our proxies never write such a value, so it came from somewhere else.
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

/** The first four groups of an IPv6 address, the fourth masked by `lastMask`. */
const prefixOf = (
  [one = 0, two = 0, three = 0, four = 0]: ReadonlyArray<number>,
  lastMask: number,
  bits: number
): string => `${[one, two, three, four & lastMask].map((group) => group.toString(16)).join(":")}::/${bits}`

/** `192.0.2.1:8080`, `[2001:db8::1]`, `[2001:db8::1]:8080`: an address with optional brackets and port. */
const DRESSED = /^(?:\[([^\]]{2,45})\]|(\d[\d.]{6,14}))(?::\d{1,5})?$/

/** IPv4-mapped IPv6 counts as IPv4; a zone is ignored. */
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  const trimmed = text.trim()
  if (trimmed.length > 64) return null
  const [, bracketed, dotted] = DRESSED.exec(trimmed) ?? []
  const [bare = ""] = (bracketed ?? dotted ?? trimmed).split("%", 1)
  if (isIPv4(bare)) return ipaddr.IPv4.parse(bare)
  return isIPv6(bare) ? ipaddr.process(bare) : null
}
