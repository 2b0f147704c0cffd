import { readFileSync } from "node:fs"
import type { Server } from "node:http"
import { isPublicAddress } from "../../engine/evidence/http/PublicAddress.ts"
import { clientOf } from "../../engine/limit/ClientAddress.ts"

/** Maximum numbers of open connections; more are closed at once. */
export interface ConnectionBounds {
  readonly all: number
  /** Of one client: an IPv4 address, or the /64 of an IPv6 address. */
  readonly perClient: number
  /** Whether connections from this address, in its canonical form, are those of one client. */
  readonly isClient: (address: string) => boolean
}

/** With this many, a service needs 100 MB more than without any. */
const MOST_CONNECTIONS = 10_000

/** Enough for the browsers of an office that share one address. */
const MOST_OF_CLIENT = 256

/** With fewer file descriptors, a busy service could run out of connections. */
const FEW_DESCRIPTORS = 1_024

/**
 * Half of the file descriptors are for connections, the others for the database, audit processes, archives and requests of our own. A trusted
 * proxy has the connections of all clients; so may have an address that is not public: a proxy on the same machine or in the same network, or
 * the gateway of a container. Such connections are bounded only all together.
 */
export const connectionBounds = (descriptors: number | null, trustedProxies: number): ConnectionBounds => {
  const all = Math.min(MOST_CONNECTIONS, Math.floor((descriptors ?? Number.POSITIVE_INFINITY) / 2))
  return {
    all,
    perClient: Math.min(MOST_OF_CLIENT, Math.ceil(all / 4)),
    isClient: (address) => trustedProxies === 0 && isPublicAddress(address)
  }
}

/** What an operator should do about the file descriptors; `null`: nothing. */
export const descriptorAdvice = (descriptors: number | null, { all }: ConnectionBounds): string | null =>
  descriptors === null || descriptors >= FEW_DESCRIPTORS
    ? null
    : `this process may open ${descriptors} files and connections, so it keeps at most ${all} connections of clients open: allow 1,024 or more (ulimit -n, LimitNOFILE, nofile)`

/** Maximum number of open files and connections of this process; `null`: not known, as on systems other than Linux, or unlimited. */
export const descriptorLimit = (): number | null => {
  try {
    const [, soft] = /^Max open files +(\d+)/mu.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

/** Closes connections beyond the bounds as they are made. `warn` is called with the first of each kind. */
export const boundConnections = (
  server: Server,
  { all, isClient, perClient }: ConnectionBounds,
  warn: (message: string) => void
): void => {
  const ofClients = new Map<string, number>()
  server.maxConnections = all
  server.once("drop", () => warn(`${all} connections are open: more are closed at once`))
  let warned = false
  server.on("connection", (socket) => {
    const { address, rateKey } = clientOf({ peer: socket.remoteAddress ?? null, forwardedFor: null }, 0)
    if (!isClient(address)) return
    const open = ofClients.get(rateKey) ?? 0
    if (open >= perClient) {
      socket.destroy()
      if (!warned)
        warn(
          `one client address has ${perClient} connections open: more are closed at once. If it is a proxy of yours, set DOCGAUGE_TRUST_PROXY`
        )
      warned = true
      return
    }
    ofClients.set(rateKey, open + 1)
    socket.once("close", () => {
      const left = (ofClients.get(rateKey) ?? 1) - 1
      if (left === 0) ofClients.delete(rateKey)
      else ofClients.set(rateKey, left)
    })
  })
}
