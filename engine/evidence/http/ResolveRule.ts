import * as Result from "effect/Result"
import { withoutFinalDots } from "../Address.ts"
import { ipLiteral } from "./PublicAddress.ts"

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
