import { once } from "node:events"
import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { BEYOND, freePort } from "./FreePort.ts"

describe("a free port", () => {
  it("is none that the system hands out by itself, so that no other server gets it before its own", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const handedOut = typeof address === "object" && address !== null ? address.port : 0
    server.close()
    expect(handedOut).toBeGreaterThanOrEqual(BEYOND)
    for (const port of await Promise.all(Array.from({ length: 20 }, freePort))) expect(port).toBeLessThan(BEYOND)
  })

  it("is given once only, and can be listened on", async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort))
    expect(new Set(ports).size).toBe(ports.length)
    const server = createServer().listen(ports[0], "127.0.0.1")
    await once(server, "listening")
    server.close()
  })
})
