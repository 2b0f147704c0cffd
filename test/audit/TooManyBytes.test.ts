import type { RequestListener } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { AGENTS, auditOver } from "./AuditOver.ts"
import { nastySites } from "./NastySites.ts"

const MB = 1024 * 1024

/** Of what is received; the parts of the audit may keep as much as ever. */
const MOST_RECEIVED = 6 * MB

const transport = politely().pipe(
  Layer.provide(guardedHttp({ resolve: [], allowPrivate: true, allowHttp: true, userAgents: AGENTS })),
  Layer.provide(Layer.succeed(FetchLimits, limitsWith({ auditBytes: MOST_RECEIVED })))
)

/** A page of 100 bytes with 800 KB of extensions around them. */
const PADDED = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n${`1;${"e".repeat(8_000)}\r\nA\r\n`.repeat(100)}0\r\n\r\n`

/** Answers that were on their way when the audit had received all that it may, and what a machine buffers of them. */
const UNDER_WAY = 6 * PADDED.length

it(
  "an audit of a site that sends little but chunk extensions receives no more than it may, and a replay has the same report",
  { timeout: 120_000 },
  async () => {
    let sent = 0
    const padding: RequestListener = (request, response) => {
      if (request.url === "/" || request.url === "/robots.txt") return nastySites.ok(request, response)
      sent += PADDED.length
      request.socket.write(PADDED)
    }
    const server = await httpServer(padding)
    const url = `http://127.0.0.1:${server.port}`
    try {
      const live = await Effect.runPromise(auditOver(transport, url))
      const { journal, report } = Result.getOrThrow(live.result)
      expect(sent).toBeLessThan(MOST_RECEIVED + UNDER_WAY)
      expect(journal.some(({ hop }) => hop._tag === "HopFault" && hop.kind === "too_many_bytes")).toBe(true)
      expect(report.reliability.skipped.some(({ reason }) => reason === "bytes")).toBe(true)
      const archive = await Effect.runPromise(Effect.flatMap(live.archive, openArchive))
      const again = await Effect.runPromise(auditOver(replay(archive), url))
      expect(again.text).toBe(live.text)
    } finally {
      await server.close()
    }
  }
)
