import * as Result from "effect/Result"
import { HopFailure } from "./HopFailure.ts"
import { nameFault, withoutFinalDots } from "../Address.ts"
import { type Proxies, type Proxy, proxyFor } from "./Proxies.ts"
import { ipLiteral, isPublicAddress, isReservedName, isWithin } from "./PublicAddress.ts"

/**
 * A mapping of a name to an address by the operator, as curl's `--resolve`, with one address per rule. The address is trusted,
 * even if it is private.
 */
export interface ResolveRule {
  /** A host name in lower case, or `*` for every name; never an IP address, which is what it is. */
  readonly host: string
  /** The port in the audited address. */
  readonly port: number
  /** The IP address to connect to, canonical, without brackets. */
  readonly address: string
  /** The port to connect to. */
  readonly toPort: number
}

const SHAPE = /^([^:[\]]+):(\d{1,5}):(\[[^[\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

/** Reads `HOST:PORT:ADDRESS[:PORT]`, IPv6 addresses in brackets. The failure says in one clause what is wrong. */
export const parseResolveRule = (text: string): Result.Result<ResolveRule, string> => {
  const [, host, port, target, toPort = port] = SHAPE.exec(text.trim()) ?? []
  if (host === undefined || port === undefined || target === undefined || toPort === undefined) {
    return Result.fail("expected HOST:PORT:ADDRESS or HOST:PORT:ADDRESS:PORT, with IPv6 addresses in brackets")
  }
  if (host !== "*" && ipLiteral(host) !== null)
    return Result.fail(`HOST must be a name or *, and ${host} is an IP address`)
  const name = host === "*" ? host : URL.parse(`http://${host}/`)?.hostname
  if (name === undefined || (host !== "*" && name.includes("*"))) return Result.fail(`${host} is not a host name`)
  const address = ipLiteral(target)
  if (address === null) return Result.fail(`${target} is not an IP address`)
  if (!isPort(port) || !isPort(toPort)) return Result.fail("ports go from 1 to 65535")
  return Result.succeed({ host: withoutFinalDots(name), port: Number(port), address, toPort: Number(toPort) })
}

const isPort = (text: string): boolean => Number(text) >= 1 && Number(text) <= 65_535

/**
 * The rule that says where `hostname:port` leads: the first that names it, else the first for every name. An IP address
 * in any spelling is led nowhere else.
 */
export const ruleFor = (rules: ReadonlyArray<ResolveRule>, hostname: string, port: number): ResolveRule | null => {
  const forPort = rules.filter((rule) => rule.port === port)
  // Most audits have no rule, and this is asked four times for each request.
  if (forPort.length === 0 || ipLiteral(hostname) !== null) return null
  const name = withoutFinalDots(hostname.toLowerCase())
  return forPort.find((rule) => rule.host === name) ?? forPort.find((rule) => rule.host === "*") ?? null
}

/** What may be connected to. */
export interface DestinationPolicy {
  /** Names that the operator maps to addresses. */
  readonly resolve: ReadonlyArray<ResolveRule>
  /** Connect to addresses that are not public, too, and to this machine. */
  readonly allowPrivate: boolean
  /** Never connect to these, as `parseRange` gives them, unless `resolve` maps a name to one. */
  readonly refusedRanges?: ReadonlyArray<string> | undefined
  /** Send `http://` requests, too. */
  readonly allowHttp: boolean
  /** Proxies to send requests through. They look names up themselves, so that only the names are checked. */
  readonly proxies?: Proxies | undefined
}

/** The checked addresses of a host, to connect to. */
export interface Destination {
  /** IP addresses in canonical spelling, at least one. */
  readonly addresses: ReadonlyArray<string>
  readonly port: number
  /** Whether the operator chose the addresses; otherwise they were checked to be public. */
  readonly trusted: boolean
}

/** All addresses of a name; rejects with an error of the system's, and once the signal aborts. */
export type Lookup = (name: string, signal?: AbortSignal) => Promise<ReadonlyArray<string>>

/** What is wrong with the text of a URL: scheme, user info, port, host name; `null` if nothing. */
export const addressFailure = (url: URL, policy: DestinationPolicy): HopFailure | null => {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return new HopFailure("bad_address", "only http and https URLs are fetched")
  if (url.protocol === "http:" && !policy.allowHttp) return new HopFailure("bad_address", "plain http is not allowed")
  if (url.username !== "" || url.password !== "")
    return new HopFailure("bad_address", "the URL contains a user name or password")
  if (url.port !== "" && Number(url.port) < 1024)
    return new HopFailure("bad_address", "only default ports and those from 1024 on are contacted")
  const fault = nameFault(withoutFinalDots(url.hostname))
  return fault === null ? null : new HopFailure("bad_address", `the URL is not valid: ${fault}`)
}

/** The addresses of this machine, as `Network` has them. */
export type OwnAddresses = () => ReadonlySet<string>

/** Resolves a URL's host. Rejects with a `HopFailure` if any of its addresses is not public, is this machine's or is refused. */
export const destinationOf = async (
  url: URL,
  policy: DestinationPolicy,
  lookup: Lookup,
  own: OwnAddresses
): Promise<Destination> => {
  const failure = addressFailure(url, policy)
  if (failure !== null) throw failure
  const port = portOf(url)
  const rule = ruleFor(policy.resolve, url.hostname, port)
  if (rule !== null) return { addresses: [rule.address], port: rule.toPort, trusted: true }
  const hostFault = hostFailure(url, policy, own)
  if (hostFault !== null) throw hostFault
  const literal = ipLiteral(url.hostname)
  const addresses = literal === null ? await lookedUp(withoutFinalDots(url.hostname), lookup) : [literal]
  const fault = addresses.map((address) => addressFault(address, policy, own)).find((found) => found !== null)
  if (fault !== undefined) throw notPublic(`the name leads to an address that ${fault}`)
  return { addresses, port, trusted: policy.allowPrivate }
}

/** The proxy for a URL; `null` where it is contacted directly, as by a rule of the operator's. */
export const proxyOf = (url: URL, { proxies, resolve }: DestinationPolicy): Proxy | null =>
  ruleFor(resolve, url.hostname, portOf(url)) === null ? proxyFor(url, proxies) : null

/** What is wrong with a URL that a proxy is to look up: its text, a reserved name, an address that is not public. */
export const namedFailure = (url: URL, policy: DestinationPolicy, own: OwnAddresses): HopFailure | null =>
  addressFailure(url, policy) ?? hostFailure(url, policy, own)

/** The addresses of a proxy, which the operator chose. */
export const proxyAddresses = async (proxy: Proxy, lookup: Lookup): Promise<Destination> => {
  const url = new URL(proxy.url)
  const literal = ipLiteral(url.hostname)
  return {
    addresses: literal === null ? await lookedUp(withoutFinalDots(url.hostname), lookup) : [literal],
    port: portOf(url),
    trusted: true
  }
}

const hostFailure = ({ hostname }: URL, policy: DestinationPolicy, own: OwnAddresses): HopFailure | null => {
  if (!policy.allowPrivate && isReservedName(hostname)) return notPublic("the name is reserved for private use")
  const literal = ipLiteral(hostname)
  const fault = literal === null ? null : addressFault(literal, policy, own)
  return fault === null ? null : notPublic(`it is an address that ${fault}`)
}

/** Why an address must not be contacted. It does not tell strangers which addresses are ours. */
const addressFault = (
  address: string,
  { allowPrivate, refusedRanges = [] }: DestinationPolicy,
  own: OwnAddresses
): string | null => {
  if (!allowPrivate && !isPublicAddress(address)) return "is not public"
  return isWithin(address, refusedRanges) || (!allowPrivate && own().has(address)) ? "docgauge does not contact" : null
}

/** Checks whom we are connected to, against what was dialled. `null` where all is well. */
export const peerFailure = (peer: string | undefined, destination: Destination): HopFailure | null => {
  if (peer === undefined) return new HopFailure("reset", "the connection ended before the answer did")
  const canonical = ipLiteral(peer) ?? peer
  return destination.addresses.includes(canonical) && (destination.trusted || isPublicAddress(canonical))
    ? null
    : notPublic("the connection led to an address that is not public")
}

const notPublic = (message: string): HopFailure => new HopFailure("not_public", message)

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port))

const lookedUp = async (name: string, lookup: Lookup): Promise<ReadonlyArray<string>> => {
  const answers = await lookup(name)
  if (answers.length === 0) throw new HopFailure("dns", "no such host")
  return answers.map((answer) => ipLiteral(answer) ?? answer)
}
