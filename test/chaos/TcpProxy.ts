import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy on a loopback port, whose line to the server behind it can be broken. */
export interface TcpProxy {
  readonly port: number
  /** Forwards again; connections that were stalled go on, with all that was sent into them meanwhile. */
  readonly open: () => void
  /** Ends all connections, and new ones at once. */
  readonly cut: () => void
  /** Keeps connections and takes new ones, but forwards nothing, as a network does that loses every packet. */
  readonly stall: () => void
  /** Forwards what the server sends from now on `millis` milliseconds later. */
  readonly delay: (millis: number) => void
  readonly close: () => Promise<void>
}

type State = "open" | "cut" | "stalled"

/** Does things `delayMs()` milliseconds later, none before one that was given earlier, also where the delay has become shorter. */
const inOrder = (delayMs: () => number): ((work: () => void) => void) => {
  const waiting: Array<() => void> = []
  let dueAt = 0
  return (work) => {
    const now = performance.now()
    dueAt = Math.max(dueAt, now + delayMs())
    if (waiting.length === 0 && dueAt <= now) return work()
    waiting.push(work)
    setTimeout(() => waiting.shift()?.(), dueAt - now)
  }
}

/** A proxy to a port on loopback. `usualMs`: how many milliseconds later what the server sends arrives, as over a longer line. */
export const makeTcpProxy = async (toPort: number, usualMs = 0): Promise<TcpProxy> => {
  let state: State = "open"
  let delayMs = usualMs
  const sockets = new Set<Socket>()
  /** Clients that came while the line was stalled, and are not connected further. */
  const waiting = new Set<Socket>()

  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
  }
  const link = (client: Socket): void => {
    const server = connect(toPort, "127.0.0.1")
    keep(server)
    for (const [from, to] of [
      [client, server],
      [server, client]
    ] as const) {
      const later = from === server ? inOrder(() => delayMs) : (work: () => void) => work()
      from.on("data", (bytes) => later(() => to.write(bytes)))
      from.on("close", () => later(() => to.destroy()))
    }
  }
  const proxy = createServer((client) => {
    keep(client)
    if (state === "cut") client.destroy()
    else if (state === "open") link(client)
    else {
      waiting.add(client)
      client.on("close", () => waiting.delete(client))
    }
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const address = proxy.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    open: () => {
      state = "open"
      delayMs = usualMs
      for (const client of waiting) link(client)
      waiting.clear()
      for (const socket of sockets) socket.resume()
    },
    cut: () => {
      state = "cut"
      endAll()
    },
    stall: () => {
      state = "stalled"
      for (const socket of sockets) socket.pause()
    },
    delay: (millis) => {
      delayMs = millis
    },
    close: async () => {
      endAll()
      proxy.close()
      await once(proxy, "close")
    }
  }
}
