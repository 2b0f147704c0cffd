import { type buildConnector, Client } from "undici"
import { type ConnectOptions, openConnection } from "./Connector.ts"
import { failureOf, HopFailure } from "./HopFailure.ts"

/**
 * One kept-alive connection to one origin, carrying one request at a time. Each is an undici client of its own, so that
 * a request is known to belong to its connection: its peer, its age, its end.
 */
export interface Line {
  readonly client: Client
  /** The connected address; `null` before there is a connection. */
  readonly peer: () => string | null
  /** Whether it is open now. */
  readonly isOpen: () => boolean
  /** Told when a connection opens for the request that goes in next; in place of whoever was told before. */
  readonly whenOpened: (listener: () => void) => void
  /** Ends it and whatever goes on in it. */
  readonly close: (reason: Error) => void
}

/** Lines by origin: taken for a request and given back, or closed. */
export interface HttpConnections {
  /** An idle open line to that origin, or a new one that opens with its first request. */
  readonly take: (url: URL, fresh: boolean) => Line
  /** Only of a line whose answer was read to its end. */
  readonly giveBack: (url: URL, line: Line) => void
  readonly drop: (line: Line, reason: Error) => void
  /** Closes all lines, busy ones too. */
  readonly closeAll: () => void
}

const MAX_HEADER_BYTES = 64 * 1024

/** Idle connections are kept this long; servers close theirs after 5 s and more. */
const KEEP_ALIVE_MS = 4_000

/** `idlePerOrigin` is how many idle lines are kept to one origin. */
export const makeConnections = (options: ConnectOptions, idlePerOrigin: number): HttpConnections => {
  const idle = new Map<string, Array<Line>>()
  const all = new Set<Line>()

  const drop = (line: Line, reason: Error): void => {
    all.delete(line)
    line.close(reason)
  }

  const open = (url: URL): Line => {
    const line = makeLine(url, options)
    all.add(line)
    return line
  }

  const takeIdle = (origin: string): Line | null => {
    const line = idle.get(origin)?.pop()
    if (line === undefined || line.isOpen()) return line ?? null
    drop(line, new HopFailure("reset", "the connection was closed"))
    return takeIdle(origin)
  }

  return {
    take: (url, fresh) => (fresh ? null : takeIdle(url.origin)) ?? open(url),
    giveBack: (url, line) => {
      const lines = idle.get(url.origin) ?? []
      if (lines.length >= idlePerOrigin) return drop(line, new HopFailure("reset", "the connection is not needed"))
      lines.push(line)
      idle.set(url.origin, lines)
    },
    drop,
    closeAll: () => {
      for (const line of [...all]) drop(line, new HopFailure("reset", "the audit is over"))
      idle.clear()
    }
  }
}

const makeLine = (url: URL, options: ConnectOptions): Line => {
  const closing = new AbortController()
  let peer: string | null = null
  let isOpen = false
  let opened = (): void => undefined

  const connectFor = async (callback: buildConnector.Callback): Promise<void> => {
    const connection = await openConnection(url, options, closing.signal).catch(failureOf)
    if (connection instanceof HopFailure) return callback(connection, null)
    peer = connection.peer
    opened()
    callback(null, connection.socket)
  }

  const client = new Client(url.origin, {
    connect: (_options, callback) => void connectFor(callback),
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Time is kept by whoever sends.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  client.on("connect", () => { isOpen = true })
  client.on("disconnect", () => { isOpen = false })

  return {
    client,
    peer: () => peer,
    isOpen: () => isOpen,
    whenOpened: (listener) => { opened = listener },
    close: (reason) => {
      closing.abort(reason)
      client.destroy(reason).catch(() => undefined)
    }
  }
}
