import { once } from "node:events"
import type { Socket } from "node:net"
import type * as Tls from "node:tls"
import {
  type Destination,
  destinationOf,
  type DestinationPolicy,
  type Lookup,
  namedFailure,
  peerFailure,
  proxyAddresses,
  proxyOf
} from "./Destination.ts"
import { failureOf, HopFailure, NO_COMMON_PROTOCOL, seconds, unlessAborted } from "./HopFailure.ts"
import type { Network } from "./Network.ts"
import { openTunnel, type Proxy } from "./Proxies.ts"
import { ipLiteral } from "./PublicAddress.ts"

/** How connections are made. */
export interface ConnectOptions extends DestinationPolicy {
  readonly network: Network
  /** For looking up, connecting and the TLS handshake together. */
  readonly connectMs: number
  /** Certificates (PEM) of authorities to trust besides the usual ones. */
  readonly authorities: ReadonlyArray<string>
}

/** What is spoken over a connection, by its name in the TLS handshake (RFC 7301). */
type Protocol = "http/1.1" | "h2"

export interface Connection {
  readonly socket: Socket
  /** The TCP connection beneath it: `socket` itself where there is no TLS. */
  readonly tcp: Socket
  /** The address it leads to; `null` behind a proxy, which does not tell. */
  readonly peer: string | null
}

/**
 * Looks up, checks, connects, checks whom it is connected to, and only then says a word (TLS or HTTP). Rejects with a
 * `HopFailure`, also when `signal` aborts; no socket is left behind then. A host that refuses HTTP/1.1 in the TLS handshake is
 * connected to once more for HTTP/2, and its origin remembered in `http2Origins`.
 */
export const openConnection = async (
  url: URL,
  options: ConnectOptions,
  signal: AbortSignal,
  http2Origins: Set<string>
): Promise<Connection> => {
  const limit = AbortSignal.timeout(options.connectMs)
  const stop = AbortSignal.any([signal, limit])
  try {
    if (http2Origins.has(url.origin)) return await connectionFor(url, "h2", options, stop)
    try {
      return await connectionFor(url, "http/1.1", options, stop)
    } catch (error) {
      if (!isOtherProtocol(error)) throw error
      const connection = await connectionFor(url, "h2", options, stop)
      http2Origins.add(url.origin)
      return connection
    }
  } catch (error) {
    if (limit.aborted) throw new HopFailure("connect_timeout", `no connection within ${seconds(options.connectMs)}`)
    throw failureOf(signal.aborted ? signal.reason : error)
  }
}

/** The alert of a TLS handshake that ended because the server speaks none of the protocols that it was offered. */
const isOtherProtocol = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === NO_COMMON_PROTOCOL

const connectionFor = async (
  url: URL,
  protocol: Protocol,
  options: ConnectOptions,
  stop: AbortSignal
): Promise<Connection> => {
  const proxy = proxyOf(url, options)
  const connecting = proxy === null ? direct(url, options, stop) : proxied(url, proxy, options, stop)
  if (url.protocol === "http:") return connecting
  // It is loaded while the connection is being made.
  const [connection, tls] = await Promise.all([connecting, import("node:tls")])
  const { hostname } = url
  return {
    ...connection,
    socket: await secured(tls, connection.socket, { hostname, protocol, authorities: options.authorities }, stop)
  }
}

const direct = async (url: URL, options: ConnectOptions, stop: AbortSignal): Promise<Connection> =>
  connected(
    await unlessAborted(
      lookedUpTwice((lookup) => destinationOf(url, options, lookup, options.network.ownAddresses), options, stop),
      stop
    ),
    options,
    stop
  )

/** A connection to a proxy; for `https:` it leads to the host itself. */
const proxied = async (url: URL, proxy: Proxy, options: ConnectOptions, stop: AbortSignal): Promise<Connection> => {
  const failure = namedFailure(url, options, options.network.ownAddresses)
  if (failure !== null) throw failure
  const { socket: toProxy, tcp } = await connectedToProxy(proxy, options, stop)
  if (url.protocol === "http:") return { socket: toProxy, tcp, peer: null }
  return { socket: await closingOnFailure(toProxy, () => openTunnel(toProxy, url, proxy, stop)), tcp, peer: null }
}

const connectedToProxy = async (
  proxy: Proxy,
  options: ConnectOptions,
  stop: AbortSignal
): Promise<Pick<Connection, "socket" | "tcp">> => {
  try {
    const destination = await unlessAborted(
      lookedUpTwice((lookup) => proxyAddresses(proxy, lookup), options, stop),
      stop
    )
    const { tcp } = await connected(destination, options, stop)
    const { hostname, protocol } = new URL(proxy.url)
    return {
      tcp,
      socket:
        protocol === "http:"
          ? tcp
          : await secured(
              await import("node:tls"),
              tcp,
              { hostname, protocol: "http/1.1", authorities: options.authorities },
              stop
            )
    }
  } catch (error) {
    if (stop.aborted) throw error
    throw new HopFailure("refused", `the proxy in ${proxy.variable} cannot be used: ${failureOf(error).message}`)
  }
}

/** A name server that is busy for the moment is asked once more; only here is that told from a name that is not. */
const lookedUpTwice = async (
  find: (lookup: Lookup) => Promise<Destination>,
  { network }: ConnectOptions,
  stop: AbortSignal
): Promise<Destination> => {
  const lookup: Lookup = (name) => network.lookup(name, stop)
  try {
    return await find(lookup)
  } catch (error) {
    if (stop.aborted || !(error instanceof Error && "code" in error && error.code === "EAI_AGAIN")) throw error
    return find(lookup)
  }
}

const connected = async (destination: Destination, options: ConnectOptions, stop: AbortSignal): Promise<Connection> => {
  const socket = options.network.dial(destination.addresses, destination.port)
  return closingOnFailure(socket, async () => {
    await once(socket, "connect", { signal: stop })
    const failure = peerFailure(socket.remoteAddress, destination)
    if (failure !== null) throw failure
    return { socket, tcp: socket, peer: socket.remoteAddress ?? "" }
  })
}

/** Reading the certificates of all authorities costs 13 ms, so that is done once for each list, not for each connection. */
const trusted = new WeakMap<ReadonlyArray<string>, Tls.SecureContext>()

const trusting = (tls: typeof Tls, authorities: ReadonlyArray<string>): Tls.SecureContext => {
  const known = trusted.get(authorities)
  if (known !== undefined) return known
  const context = tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...authorities] })
  trusted.set(authorities, context)
  return context
}

const secured = (
  tls: typeof Tls,
  socket: Socket,
  {
    authorities,
    hostname,
    protocol
  }: { readonly hostname: string; readonly protocol: Protocol; readonly authorities: ReadonlyArray<string> },
  stop: AbortSignal
): Promise<Tls.TLSSocket> =>
  closingOnFailure(socket, async () => {
    const address = ipLiteral(hostname)
    const secure = tls.connect({
      socket,
      host: address ?? hostname,
      // A certificate for an IP address is asked for without a name (RFC 6066 §3).
      ...(address === null ? { servername: hostname } : {}),
      ALPNProtocols: [protocol],
      ...(authorities.length === 0 ? {} : { secureContext: trusting(tls, authorities) })
    })
    await closingOnFailure(secure, () => once(secure, "secureConnect", { signal: stop }))
    return secure
  })

/** Closes the socket where the work fails, and stays to hear errors that come after. */
const closingOnFailure = async <A>(socket: Socket, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    socket.on("error", () => undefined)
    socket.destroy()
    throw error
  }
}
