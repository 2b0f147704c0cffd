import { connect, type Socket } from "node:net"

const DEFAULT_PORT = 5432

/** Idle time before TCP keepalive probes start, in milliseconds. */
const KEEP_ALIVE_MS = 30_000

/**
 * Connects to the server of a `postgres:` URL, and closes the connection after `silenceMs` without traffic: with a network that
 * loses every packet, or a stopped server, TCP would otherwise retransmit for many minutes while a statement hangs. `null` if
 * the URL names a Unix socket, which does not lose packets.
 */
export const silenceLimited = (url: string, silenceMs: number): (() => Socket) | null => {
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  if (host === "" || host.startsWith("/") || searchParams.has("host") || searchParams.has("port")) return null
  return () => {
    const socket = connect({
      host,
      port: port === "" ? DEFAULT_PORT : Number(port),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS
    })
    return socket.setTimeout(silenceMs, () => {
      socket.destroy(new Error(`the database server was silent for ${silenceMs / 1_000} s`))
    })
  }
}
