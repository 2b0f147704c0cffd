import { ipLiteral } from "../../engine/evidence/http/PublicAddress.ts"

/*
 * Allowed redirect URIs: https on any host, http on the client's own machine (RFC 8252, 7.3), and schemes
 * of apps (RFC 8252, 7.1).
 */

/** How a browser is redirected. */
export type RedirectKind =
  /** To a loopback address: directly. */
  | "loopback"
  /** To another host or an app: via a page that names it. */
  | "elsewhere"

const LONGEST = 512

/** Schemes that well-known apps register. Any other must be a reversed domain name with at least two dots (RFC 8252, 7.1); schemes of operating systems and browsers never have this form. */
const APP_SCHEMES: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

/** The kind of a redirect URI; `null`: not allowed. */
export const redirectKind = (address: string): RedirectKind | null => {
  const url = address.length > LONGEST || /[\s\\#]/.test(address) ? null : URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return null
  if (url.protocol === "https:") return isLoopback(url.hostname) ? "loopback" : "elsewhere"
  if (url.protocol === "http:") return isLoopback(url.hostname) ? "loopback" : null
  return APP_SCHEMES.has(url.protocol) || /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,}:$/.test(url.protocol)
    ? "elsewhere"
    : null
}

/** Whether a requested redirect URI is registered: equal character by character, except the port of an http loopback URI. */
export const matchesRedirect = (asked: string, registered: ReadonlyArray<string>): boolean =>
  redirectKind(asked) !== null &&
  registered.some((address) => asked === address || withoutPort(asked) === withoutPort(address))

/** The URI without its port if RFC 8252 lets the port vary, otherwise unchanged. */
const withoutPort = (address: string): string => {
  const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/.exec(address)
  return loopback === null ? address : `${loopback[1]}${address.slice(loopback[0].length)}`
}

const isLoopback = (hostname: string): boolean => {
  const literal = ipLiteral(hostname)
  return literal === null ? hostname === "localhost" : literal === "::1" || literal === "127.0.0.1"
}
