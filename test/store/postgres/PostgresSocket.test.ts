import { once } from "node:events"
import type { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { silenceLimited } from "../../../engine/store/postgres/PostgresClient.ts"
import { tcpServer } from "../../evidence/LoopbackServers.ts"

const connected = (url: string, silenceMs: number): Socket => {
  const connect = silenceLimited(url, silenceMs)
  if (connect === null) throw new Error(`${url} names a Unix socket`)
  return connect()
}

describe("a connection to PostgreSQL", () => {
  it("is closed if the server does not respond", async () => {
    const server = await tcpServer((socket) => {
      socket.resume()
    })
    try {
      const socket = connected(`postgres://user@127.0.0.1:${server.port}/runs`, 200)
      socket.write("SELECT 1")
      const [error]: ReadonlyArray<unknown> = await once(socket, "close").then(
        () => [null],
        (failure: unknown) => [failure]
      )
      expect(error).toMatchObject({ message: "the database server was silent for 0.2 s" })
    } finally {
      await server.close()
    }
  })

  it("stays open while it has traffic", async () => {
    const server = await tcpServer((socket) => {
      setInterval(() => {
        if (socket.writable) socket.write("row")
      }, 50).unref()
    })
    try {
      const socket = connected(`postgres://user@127.0.0.1:${server.port}/runs`, 5_000)
      let received = 0
      socket.on("data", ({ length }) => {
        received += length
      })
      await expect.poll(() => received, { timeout: 10_000 }).toBeGreaterThan(30)
      expect(socket.destroyed).toBe(false)
      socket.destroy()
    } finally {
      await server.close()
    }
  })

  it.each(["postgres:///runs", "postgres:///runs?host=/var/run/postgresql", "postgres://%2Fvar%2Frun/runs"])(
    "is left to the driver where the address is a Unix socket: %s",
    (url) => expect(silenceLimited(url, 1_000)).toBeNull()
  )
})
