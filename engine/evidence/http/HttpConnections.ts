import type { Socket } from "node:net"
import { type buildConnector, Client } from "undici"
import { type Connection, type ConnectOptions, openConnection } from "./Connector.ts"
import { failureOf, HopFailure } from "./HopFailure.ts"

/**
 * One kept-alive connection to one origin, carrying one request at a time. Each is an undici client of its own, so that
 * a request is known to belong to its connection: its peer, its age, its end.
 */
export interface PooledConnection {
  readonly client: Client
  /** The connected address; `null` before there is a connection. */
  readonly peer: () => string | null
  /** Whether it is open now. */
  readonly isOpen: () => boolean
  /** Sets the listener for the connection of the next request, replacing the previous one. */
  readonly whenOpened: (listener: () => void) => void
  /** Sets the listener that is called whenever the parser takes bytes, of HTTP/2 soon after it, replacing the previous one. */
  readonly whenRead: (listener: () => void) => void
  /** Bytes that came over TCP so far, TLS included. */
  readonly received: () => number
  /**
   * Bytes that the parser took so far, without TLS. Counts those of TLS, too, once they are more than what may wait to be decrypted:
   * records can be mostly padding.
   */
  readonly taken: () => number
  /** The last response is complete, so the next bytes begin another. */
  readonly expectHead: () => void
  /** Closes it and its running request. */
  readonly close: (reason: Error) => void
}

/** Connections by origin: taken for a request and given back, or closed. */
export interface HttpConnections {
  /** An idle open connection to that origin, or a new one that opens with its first request. */
  readonly take: (url: URL, fresh: boolean) => PooledConnection
  /** Only of a connection whose answer was read to its end. */
  readonly giveBack: (url: URL, connection: PooledConnection) => void
  readonly drop: (connection: PooledConnection, reason: Error) => void
  /** Closes all connections, busy ones too. */
  readonly closeAll: () => void
}

/** Of the head of an answer. */
export const MAX_HEADER_BYTES = 64 * 1024

/** What was received and waits to be decrypted and parsed, at most: 140 KB were seen. */
const WAITING_BYTES = 256 * 1024

/** Idle connections are kept this long; servers close theirs after 5 s and more. */
const KEEP_ALIVE_MS = 4_000

/** `idlePerOrigin` is how many idle connections are kept to one origin. */
export const makeConnections = (options: ConnectOptions, idlePerOrigin: number): HttpConnections => {
  const idle = new Map<string, Array<PooledConnection>>()
  const all = new Set<PooledConnection>()
  const http2Origins = new Set<string>()

  const drop = (connection: PooledConnection, reason: Error): void => {
    all.delete(connection)
    connection.close(reason)
  }

  const open = (url: URL): PooledConnection => {
    const connection = makePooledConnection(url, options, http2Origins)
    all.add(connection)
    return connection
  }

  const takeIdle = (origin: string): PooledConnection | null => {
    const connection = idle.get(origin)?.pop()
    if (connection === undefined || connection.isOpen()) return connection ?? null
    drop(connection, new HopFailure("reset", "the connection was closed"))
    return takeIdle(origin)
  }

  return {
    take: (url, fresh) => (fresh ? null : takeIdle(url.origin)) ?? open(url),
    giveBack: (url, connection) => {
      const connections = idle.get(url.origin) ?? []
      if (connections.length >= idlePerOrigin)
        return drop(connection, new HopFailure("reset", "the connection is not needed"))
      connection.expectHead()
      connections.push(connection)
      idle.set(url.origin, connections)
    },
    drop,
    closeAll: () => {
      for (const connection of [...all]) drop(connection, new HopFailure("reset", "the audit is over"))
      idle.clear()
    }
  }
}

const makePooledConnection = (url: URL, options: ConnectOptions, http2Origins: Set<string>): PooledConnection => {
  const closing = new AbortController()
  let isOpen = false
  let opened = (): void => undefined
  let beforeRead = (): void => undefined
  let open: Connection | null = null
  const unfolder = new HeadUnfolder()

  const connectFor = async (callback: buildConnector.Callback): Promise<void> => {
    // A request that a server refuses over HTTP/2 undici sends again, but what came is counted by the connection.
    const isRefused = open !== null && isHttp2(open)
    const connection = isRefused
      ? new HopFailure("reset", "the connection was closed")
      : await openConnection(url, options, closing.signal, http2Origins).catch(failureOf)
    if (connection instanceof HopFailure) return callback(connection, null)
    open = connection
    opened()
    const read = (): void => beforeRead()
    callback(
      null,
      isHttp2(connection) ? looking(connection.socket, read) : unfolding(connection.socket, unfolder, read)
    )
  }

  const client = new Client(url.origin, {
    connect: (_options, callback) => void connectFor(callback),
    pipelining: 1,
    // What the connection agreed on is spoken, with one stream at a time: a connection carries one request.
    h2Options: { maxConcurrentStreams: 1, pingInterval: 0 },
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The sender measures time.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  client.on("connect", () => {
    isOpen = true
  })
  client.on("disconnect", () => {
    isOpen = false
  })

  return {
    client,
    peer: () => open?.peer ?? null,
    isOpen: () => isOpen,
    whenOpened: (listener) => {
      opened = listener
    },
    whenRead: (listener) => {
      beforeRead = listener
    },
    received: () => open?.tcp.bytesRead ?? 0,
    taken: () =>
      open === null
        ? 0
        : Math.max(open.socket.bytesRead - open.socket.readableLength, open.tcp.bytesRead - WAITING_BYTES),
    expectHead: () => unfolder.expectHead(),
    close: (reason) => {
      closing.abort(reason)
      client.destroy(reason).catch(() => undefined)
    }
  }
}

/** Whether undici speaks HTTP/2 over it. */
const isHttp2 = ({ socket }: Connection): boolean => "alpnProtocol" in socket && socket.alpnProtocol === "h2"

/** How often we look what came over HTTP/2, in milliseconds. */
const LOOK_MS = 10

/** The socket. HTTP/2 takes its bytes from the system's handle, without a `read` that could tell. */
const looking = (socket: Socket, afterRead: () => void): Socket => {
  const timer = setInterval(afterRead, LOOK_MS).unref()
  return socket.once("close", () => clearInterval(timer))
}

/** The socket, whose `read` gives what is unfolded: undici takes its bytes so. */
const unfolding = (socket: Socket, unfolder: HeadUnfolder, beforeRead: () => void): Socket => {
  const read = socket.read.bind(socket)
  socket.read = (size?: number): unknown => {
    beforeRead()
    if (socket.destroyed) return null
    const chunk: unknown = read(size)
    return Buffer.isBuffer(chunk) ? unfolder.unfold(chunk) : chunk
  }
  return socket
}

const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * Unfolds header lines of one connection's responses (RFC 9112 §5.2: a line break before a blank is a space), which
 * undici's parser refuses. Bodies pass untouched.
 */
export class HeadUnfolder {
  #inHead = true
  /** The line that is read has a character. */
  #lineHasText = false
  /** A line break that ended the last chunk: the next one tells whether it is one. */
  #held = NOTHING

  /** The next chunk begins a response. */
  expectHead(): void {
    this.#inHead = true
    this.#lineHasText = false
  }

  /** What the parser may read of these bytes now; the bytes themselves are changed. */
  unfold(chunk: Buffer): Buffer {
    if (!this.#inHead) return chunk
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = NOTHING
    for (let at = 0; at < bytes.length && this.#inHead; at++) {
      const byte = bytes[at]
      if (byte === LF) this.#inHead = this.#endLine(bytes, at)
      else if (byte !== CR) this.#lineHasText = true
      else if (at === bytes.length - 1) this.#held = bytes.subarray(at)
    }
    return bytes.subarray(0, bytes.length - this.#held.length)
  }

  /** Whether the head goes on behind the line break at `at`. */
  #endLine(bytes: Buffer, at: number): boolean {
    if (!this.#lineHasText) return false
    const start = bytes[at - 1] === CR ? at - 1 : at
    const next = bytes[at + 1]
    if (next === undefined) this.#held = bytes.subarray(start)
    else if (next === SPACE || next === TAB) bytes.fill(SPACE, start, at + 1)
    else this.#lineHasText = false
    return true
  }
}
