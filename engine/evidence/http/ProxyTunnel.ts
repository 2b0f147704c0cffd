import { type IncomingMessage, request } from "node:http"
import type { Socket } from "node:net"
import { failureOf, HopFailure } from "./HopFailure.ts"
import { authorizationFor, loginRefusal, type Proxy } from "./Proxies.ts"

/** Asks a proxy, over an open connection to it, for a tunnel to a host (RFC 9110, section 9.3.6). The socket then leads there. */
export const openTunnel = async (
  socket: Socket,
  { hostname, port }: URL,
  proxy: Proxy,
  stop: AbortSignal
): Promise<Socket> => {
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
