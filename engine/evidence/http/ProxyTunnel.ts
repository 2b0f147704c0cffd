import { type IncomingMessage, request } from "node:http"
import type { Socket } from "node:net"
import { HopFailure } from "./HopFailure.ts"
import { authorizationFor, type Proxy } from "./Proxies.ts"

/** Asks a proxy, over an open connection to it, for a tunnel to a host (RFC 9110, section 9.3.6). The socket then leads there. */
export const openTunnel = async (socket: Socket, { hostname, port }: URL, proxy: Proxy, stop: AbortSignal): Promise<Socket> => {
  const authority = `${hostname}:${port === "" ? 443 : port}`
  const asking = request({
    createConnection: () => socket,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...authorizationFor(proxy) },
    signal: stop
  })
  const { answer, first, tunnel } = await new Promise<Answered>((resolve, reject) => {
    asking.on("connect", (answer, tunnel, first) => resolve({ answer, tunnel, first })).on("error", reject).end()
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

const refusalOf = (status: number, { authorization, variable }: Proxy): HopFailure | null => {
  if (status >= 200 && status < 300) return null
  if (status !== 407) return new HopFailure("refused", `the proxy answered ${status} instead of connecting`)
  return new HopFailure("refused", authorization === null ? `the proxy asks for a login, and ${variable} has none` : `the proxy refuses the login in ${variable}`)
}
