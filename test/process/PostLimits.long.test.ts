import * as Effect from "effect/Effect"
import { afterEach, expect, it, vi } from "vitest"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { ChildMessage } from "../../engine/process/AuditTask.ts"
import { carryOutPosts } from "../../engine/process/PostWork.ts"
import { type Loopback, tcpServer } from "../evidence/LoopbackServers.ts"

const servers: Array<Loopback> = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const DRIP_MS = 1_000

it("posts to receivers that hang or drip end after ten seconds, side by side, with what is wrong", async () => {
  const silent = await tcpServer((socket) => void socket.resume())
  const stalled = await tcpServer((socket) => {
    socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello")
  })
  const dripping = await tcpServer((socket) => {
    socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n")
    const drip = setInterval(() => socket.write("x"), DRIP_MS)
    socket.on("close", () => clearInterval(drip))
  })
  servers.push(silent, stalled, dripping)
  const told: Array<ChildMessage> = []
  const posts = servers.map(({ port }) => ({ url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}" }))
  const network = { resolve: [], allowPrivate: true, allowHttp: true, userAgents: userAgents("1.2.3", null) }
  await Effect.runPromise(
    carryOutPosts({ kind: "post", posts, network }, { tell: (message) => void told.push(message) })
  )
  const [posted, end] = told
  const answers = posted?._tag === "Posted" ? posted.answers : []
  expect(answers.map(({ status }) => status)).toEqual([null, null, null])
  for (const { problem } of answers) expect(problem).toMatch(/\d s\b/)
  // One after the other they would take thirty seconds.
  expect(end?._tag === "Ended" ? end.durationMs : 0).toBeLessThan(25_000)
  await vi.waitFor(() => expect(servers.map((server) => server.open())).toEqual([0, 0, 0]))
})
