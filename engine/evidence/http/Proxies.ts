import * as Result from "effect/Result"
import ipaddr from "ipaddr.js"
import { withoutFinalDots } from "../Address.ts"
import { failureOf, HopFailure } from "./HopFailure.ts"
import { ipLiteral } from "./PublicAddress.ts"
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** A proxy that requests are sent through. */
export interface Proxy {
  /** `http:` or `https:`, without user and password. */
  readonly url: string
  /** The value of `Proxy-Authorization`: a secret. `null` where the proxy asks for no login. */
  readonly authorization: string | null
  /** The environment variable that names it. */
  readonly variable: string
}

/** The proxies of the environment, as plain data: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case; the lower one first, as curl has it. */
export interface Proxies {
  readonly https: Proxy | null
  readonly http: Proxy | null
  /** The entries of `NO_PROXY`. */
  readonly exceptions: ReadonlyArray<string>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads them. The failure names the variable and never quotes its value, which may contain a password. */
export const proxiesOf = (environment: Environment): Result.Result<Proxies, string> => {
  const https = proxyIn(environment, "HTTPS_PROXY")
  if (Result.isFailure(https)) return Result.fail(https.failure)
  const http = proxyIn(environment, "HTTP_PROXY")
  if (Result.isFailure(http)) return Result.fail(http.failure)
  const exceptions = (given(environment, "NO_PROXY")?.value ?? "").split(/[\s,]+/).filter((entry) => entry !== "")
  return Result.succeed({ https: https.success, http: http.success, exceptions })
}

/** The proxy for a URL; `null` where it is contacted directly, as are the names and addresses of this machine. */
export const proxyFor = (url: URL, proxies: Proxies | undefined): Proxy | null => {
  if (proxies === undefined || isLoopbackHost(url.hostname)) return null
  const proxy = url.protocol === "https:" ? proxies.https : proxies.http
  return proxy === null || proxies.exceptions.some((entry) => isExcepted(url, entry)) ? null : proxy
}

/** The header that logs in to a proxy. */
export const authorizationFor = ({ authorization }: Proxy): Readonly<Record<string, string>> =>
  authorization === null ? {} : { "proxy-authorization": authorization }

/** The logins of the proxies, which a proxy's own error page may echo. */
export const proxyAuthorizations = (proxies: Proxies | undefined): ReadonlyArray<string> =>
  [proxies?.https, proxies?.http].flatMap((proxy) => proxy?.authorization ?? [])

/** A proxy that asks for another login (RFC 9110, section 15.5.8). */
export const loginRefusal = ({ authorization, variable }: Proxy): HopFailure =>
  new HopFailure(
    "refused",
    authorization === null
      ? `the proxy asks for a login, and ${variable} has none`
      : `the proxy refuses the login in ${variable}`
  )

const given = (
  environment: Environment,
  name: string
): { readonly variable: string; readonly value: string } | null => {
  const variable = [name.toLowerCase(), name].find((candidate) => (environment[candidate] ?? "").trim() !== "")
  return variable === undefined ? null : { variable, value: (environment[variable] ?? "").trim() }
}

const proxyIn = (environment: Environment, name: string): Result.Result<Proxy | null, string> => {
  const found = given(environment, name)
  if (found === null) return Result.succeed(null)
  const { value, variable } = found
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    return Result.fail(`${variable} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`)
  }
  const login = loginOf(url)
  if (login === null)
    return Result.fail(
      `${variable} has a user name or password with a % that is not followed by two hexadecimal digits. Write it as %25`
    )
  url.username = ""
  url.password = ""
  return Result.succeed({
    url: url.href,
    authorization: login === "" ? null : `Basic ${Buffer.from(login, "utf8").toString("base64")}`,
    variable
  })
}

/** `user:password`; empty where there is none; `null` where it cannot be decoded. */
const loginOf = ({ password, username }: URL): string | null => {
  try {
    return username === "" && password === "" ? "" : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    return null
  }
}

/** Whether one entry of `NO_PROXY` names a URL's host: `*`, a name with all names below it, an address or a range; with a port or without. */
const isExcepted = ({ hostname, port: ownPort, protocol }: URL, entry: string): boolean => {
  if (entry === "*") return true
  const own = ipLiteral(hostname) ?? withoutFinalDots(hostname)
  if (ipaddr.isValidCIDR(entry)) {
    const range = ipaddr.parseCIDR(entry)
    const address = ipaddr.isValid(own) ? ipaddr.parse(own) : null
    return address !== null && address.kind() === range[0].kind() && address.match(range)
  }
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry) ?? []
  const name = ipLiteral(host) ?? withoutFinalDots(host.toLowerCase().replace(/^\*?\./, ""))
  const isPort = port === undefined || port === (ownPort === "" ? (protocol === "https:" ? "443" : "80") : ownPort)
  return isPort && (own === name || own.endsWith(`.${name}`))
}

/** Whether a host of a URL is a name or an address of this machine itself. */
export const isLoopbackHost = (hostname: string): boolean => {
  const literal = ipLiteral(hostname)
  if (literal !== null) return ipaddr.parse(literal).range() === "loopback"
  const name = withoutFinalDots(hostname.toLowerCase())
  return name === "localhost" || name.endsWith(".localhost")
}

/** Asks a proxy, over an open connection to it, for a tunnel to a host (RFC 9110, section 9.3.6). The socket then leads there. */
export const openTunnel = async (
  socket: Socket,
  { hostname, port }: URL,
  proxy: Proxy,
  stop: AbortSignal
): Promise<Socket> => {
  // Few audits need it.
  const { request } = await import("node:http")
  const authority = `${hostname}:${port === "" ? 443 : port}`
  const asking = request({
    createConnection: () => socket,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...authorizationFor(proxy) },
    signal: stop
  })
  const { answer, first, tunnel } = await new Promise<Answered>((resolve, reject) => {
    const onError = (error: Error): void =>
      reject(
        stop.aborted
          ? error
          : new HopFailure(
              "refused",
              `the proxy ${new URL(proxy.url).host} did not connect to the site: ${failureOf(error).message}`
            )
      )
    asking
      .on("connect", (answer, tunnel, first) => resolve({ answer, tunnel, first }))
      .on("error", onError)
      .end()
  })
  const failure = refusalOf(answer.statusCode ?? 0, proxy)
  if (failure !== null) throw failure
  // The other end may speak first.
  if (first.length > 0) tunnel.unshift(first)
  return tunnel
}

interface Answered {
  readonly answer: IncomingMessage
  readonly tunnel: Socket
  /** What came after the head. */
  readonly first: Buffer
}

const refusalOf = (status: number, proxy: Proxy): HopFailure | null => {
  if (status >= 200 && status < 300) return null
  return status === 407
    ? loginRefusal(proxy)
    : new HopFailure("refused", `the proxy answered ${status} instead of connecting`)
}
