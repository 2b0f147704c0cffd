import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { setImmediate as nextTurn } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import {
  type ConnectionBounds,
  connectionBounds,
  descriptorAdvice,
  makeNodeServer
} from "../../../server/http/NodeServer.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"

const servers: Array<Server> = []
const sockets: Array<Socket> = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const BOUNDS: ConnectionBounds = { all: 100, perClient: 100, isClient: () => true }

const started = async (bounds: Partial<ConnectionBounds> = {}, headersMs?: number) => {
  const warnings: Array<string> = []
  const server = makeNodeServer(
    { ...BOUNDS, ...bounds },
    (message) => {
      warnings.push(message)
    },
    headersMs
  )
  servers.push(server)
  server.on("request", (_, response) => response.end("served"))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it listens on no port")
  return { server, warnings, port: address.port }
}

/** A connection whose client never closes its side. */
const connected = async (port: number, localAddress = "127.0.0.1") => {
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true })
  sockets.push(socket)
  const closed = new Promise<false>((resolve) => {
    for (const event of ["error", "end", "close"]) socket.on(event, () => resolve(false))
  })
  await once(socket, "connect")
  return { socket, closed }
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count))
  })

/** Whether a request on it is answered; if not, the server has closed it. */
const isServed = ({ closed, socket }: Awaited<ReturnType<typeof connected>>): Promise<boolean> => {
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
  return Promise.race([
    closed,
    new Promise<true>((resolve) => {
      socket.once("data", () => resolve(true))
    })
  ])
}

describe("a connection", () => {
  it.each([
    ["nothing", ""],
    ["an empty line", "\r\n"],
    ["the beginning of a request", "GET / HT"]
  ])("that sends %s is closed in time, although the client keeps its side open", async (_name, bytes) => {
    const { port, server } = await started({}, 50)
    const end = new Promise((resolve) =>
      server.once("connection", (ofServer) => ofServer.once("close", () => resolve("closed")))
    )
    const { socket } = await connected(port)
    socket.write(bytes)
    socket.resume()
    expect(await end).toBe("closed")
  })

  it("beyond those that one client may have is closed at once, while other clients are served, and its place is free when another is closed", async () => {
    const { port, server, warnings } = await started({ perClient: 2 })
    const [first, second] = [await connected(port), await connected(port)]
    expect([await isServed(first), await isServed(second)]).toEqual([true, true])
    expect(await isServed(await connected(port))).toBe(false)
    expect(await isServed(await connected(port))).toBe(false)
    expect(await isServed(await connected(port, "127.0.0.2"))).toBe(true)
    expect(warnings).toEqual([
      expect.stringMatching(/^one client address has 2 connections open: .* set DOCGAUGE_TRUST_PROXY$/)
    ])
    first.socket.destroy()
    while ((await connectionsOf(server)) > 2) await nextTurn()
    expect(await isServed(await connected(port))).toBe(true)
  })

  it("beyond those of all clients is closed at once", async () => {
    const { port, warnings } = await started({ all: 2, isClient: () => false })
    const first = [await connected(port), await connected(port)]
    expect(await isServed(await connected(port))).toBe(false)
    expect(await Promise.all(first.map(isServed))).toEqual([true, true])
    expect(warnings).toEqual(["2 connections are open: more are closed at once"])
  })
})

describe("the bounds of connections", () => {
  it("leave half of the file descriptors to the database and audits, and are 10,000 at most", () => {
    expect([256, 1_024, 20_000, 1_048_576, null].map((limit) => connectionBounds(limit, 0).all)).toEqual([
      128, 512, 10_000, 10_000, 10_000
    ])
    expect([256, 1_024, 20_000, 1_048_576, null].map((limit) => connectionBounds(limit, 0).perClient)).toEqual([
      32, 128, 256, 256, 256
    ])
  })

  it("are those of a client for public addresses only, and for none behind a trusted proxy", () => {
    const addresses = [
      "203.0.114.7",
      "8.8.8.8",
      "2606:4700::1",
      "127.0.0.1",
      "::1",
      "10.0.0.1",
      "172.17.0.1",
      "192.168.1.1",
      "fd00::1",
      "unknown"
    ]
    expect(addresses.map(connectionBounds(null, 0).isClient)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false
    ])
    expect(addresses.map(connectionBounds(null, 1).isClient)).not.toContain(true)
  })

  it("are told at start with what to do if there are few file descriptors", () => {
    expect([1_024, null].map((limit) => descriptorAdvice(limit, connectionBounds(limit, 0)))).toEqual([null, null])
    expect(descriptorAdvice(256, connectionBounds(256, 0))).toBe(
      "this process may open 256 files and connections, so it keeps at most 128 connections of clients open: allow 1,024 or more (ulimit -n, LimitNOFILE, nofile)"
    )
  })
})

describe("a service with 256 file descriptors", () => {
  /** More than there are descriptors. */
  const SILENT = 600

  it("says so at start, keeps enough for its database while clients hold as many connections as they can, and serves others when those were silent for ten seconds", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-connections-"))
    const service = new ServiceProcess({
      program: PROGRAM,
      descriptors: 256,
      env: {
        ...LIMITLESS,
        DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
        DOCGAUGE_ARCHIVES: join(folder, "archives"),
        TMPDIR: folder
      }
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const url = await service.url
      expect(service.lines.join("\n")).toContain(
        "this process may open 256 files and connections, so it keeps at most 128 connections of clients open"
      )
      const healthOver = (through: Agent | undefined): Promise<unknown> =>
        new Promise((resolve, reject) => {
          request(`${url}/healthz`, { agent: through }, (answer) => {
            resolve(json(answer))
          })
            .on("error", reject)
            .end()
        })
      const healthy = { status: "ok", database: "ok" }
      expect(await healthOver(agent)).toEqual(healthy)
      const silent = await Promise.all(Array.from({ length: SILENT }, () => connected(Number(new URL(url).port))))
      for (const { socket } of silent) socket.resume()
      expect(await healthOver(agent)).toEqual(healthy)
      await Promise.all(silent.map(({ closed }) => closed))
      // They are given a second to read why they are closed.
      await expect.poll(() => healthOver(undefined).catch(() => null)).toEqual(healthy)
      expect(service.lines.join("\n")).toContain("128 connections are open: more are closed at once")
    } finally {
      agent.destroy()
      await service.kill()
      rmSync(folder, { recursive: true })
    }
  })
})
