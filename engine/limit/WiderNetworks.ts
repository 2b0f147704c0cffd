import ipaddr from "ipaddr.js"
import { isIPv4 } from "node:net"

/** A network that a client network is part of. */
export interface WiderNetwork {
  /** In CIDR notation: `198.51.0.0/16`, `2001:db8:1::/48`. */
  readonly name: string
  /** How many times the limit of an IPv4 /16 or IPv6 /48 applies to it. */
  readonly shares: number
}

/**
 * How many times the limit of a /48 applies to a /32. Hosters and tunnel brokers give a customer a /48 for nothing, and a second one
 * to anyone who asks; but a /32 is the least that a provider gets, so most of its clients have nothing to do with each other.
 */
export const PROVIDER_SHARES = 3

const [OF_IPV4, OF_IPV6] = [
  [{ bits: 16, shares: 1 }],
  [
    { bits: 32, shares: PROVIDER_SHARES },
    { bits: 48, shares: 1 }
  ]
]

/** The clients of a company, or of a proxy that is not counted in `DOCGAUGE_TRUST_PROXY`, share one of these (names of ipaddr.js). */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "linkLocal",
  "carrierGradeNat",
  "uniqueLocal",
  "deprecatedSiteLocal",
  "unspecified"
])

/** Keys of client networks end so, also those with a factor. */
const NETWORK = /(?:^| )([\d.]+\/24|[\da-f:]+\/56)$/

/**
 * The wider networks of a client network by its key, such as `192.0.2.0/24`, `2001:db8:1:200::/56` or a shared key of one; the widest
 * first. None for networks that are not public, and for keys of anything else.
 */
export const widerNetworks = (key: string): ReadonlyArray<WiderNetwork> => {
  const [, network = ""] = NETWORK.exec(key) ?? []
  const [address = ""] = network.split("/", 1)
  if (address === "" || NOT_PUBLIC.has(ipaddr.parse(address).range())) return []
  const [family, steps] = isIPv4(address) ? ([ipaddr.IPv4, OF_IPV4] as const) : ([ipaddr.IPv6, OF_IPV6] as const)
  return steps.map(({ bits, shares }) => ({
    name: `${family.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`,
    shares
  }))
}
