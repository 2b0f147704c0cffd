import { ipLiteral } from "../../engine/evidence/PublicAddress.ts"

/*
 * Where a browser may be sent with a code: https anywhere, http on the client's own machine (RFC 8252, 7.3), and schemes
 * of apps (RFC 8252, 7.1).
 */

/** How a browser gets to a redirect address. */
export type RedirectKind =
  /** The client's own machine: at once. */
  | "loopback"
  /** Another host or an app: by way of a page that names it. */
  | "elsewhere"

const LONGEST = 512

/** Schemes that well-known apps register. Any other has to be a reversed domain name with two dots or more (RFC 8252, 7.1): operating systems and browsers have none of that form. */
const APP_SCHEMES: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

/** What kind of address it is; `null` where no browser is sent there. */
export const redirectKind = (address: string): RedirectKind | null => {
  const url = address.length > LONGEST || /[\s\\#]/.test(address) ? null : URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return null
  if (url.protocol === "https:") return isLoopback(url.hostname) ? "loopback" : "elsewhere"
  if (url.protocol === "http:") return isLoopback(url.hostname) ? "loopback" : null
  return APP_SCHEMES.has(url.protocol) || /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}:$/.test(url.protocol) ? "elsewhere" : null
}

/** Whether an address that is asked for is a registered one: character by character, but for the port of an http loopback address. */
export const matchesRedirect = (asked: string, registered: ReadonlyArray<string>): boolean =>
  redirectKind(asked) !== null && registered.some((address) => asked === address || withoutPort(asked) === withoutPort(address))

/** The address with its port taken out, where RFC 8252 lets it vary; as it is where it must not. */
const withoutPort = (address: string): string => {
  const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/.exec(address)
  return loopback === null ? address : `${loopback[1]}${address.slice(loopback[0].length)}`
}

const isLoopback = (hostname: string): boolean => {
  const literal = ipLiteral(hostname)
  return literal === null ? hostname === "localhost" : literal === "::1" || literal === "127.0.0.1"
}
