import { connect, type Socket } from "node:net"

const DEFAULT_PORT = 5432

/** Idle time before TCP keepalive probes start, in milliseconds. */
const KEEP_ALIVE_MS = 30_000

/**
 * Connects to the server that a `postgres:` URL names, and ends the connection where nothing goes either way for
 * `silenceMs`: a network that loses every packet, or a server that has stopped, would otherwise hold a statement for as
 * long as TCP sends again, which is many minutes. `null` where the URL names no host by name or number, but a Unix
 * socket: that does not lose packets.
 */
export const silenceLimited = (url: string, silenceMs: number): (() => Socket) | null => {
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  if (host === "" || host.startsWith("/") || searchParams.has("host") || searchParams.has("port")) return null
  return () => {
    const socket = connect({ host, port: port === "" ? DEFAULT_PORT : Number(port), noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS })
    return socket.setTimeout(silenceMs, () => { socket.destroy(new Error(`the database server was silent for ${silenceMs / 1_000} s`)) })
  }
}
