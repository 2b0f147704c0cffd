import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { freePort } from "./FreePort.ts"

describe("a free port", () => {
  it("is none that the system hands out by itself, so that no other server gets it before its own", async () => {
    const [lowest = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").trim().split(/\s+/).map(Number)
    for (const port of await Promise.all(Array.from({ length: 20 }, freePort))) expect(port).toBeLessThan(lowest)
  })

  it("is given once only, and can be listened on", async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort))
    expect(new Set(ports).size).toBe(ports.length)
    const server = createServer().listen(ports[0], "127.0.0.1")
    await once(server, "listening")
    server.close()
  })
})
