import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { WARCParser } from "warcio"
import type { Recorded } from "../../../engine/evidence/archive/Archive.ts"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { openArchive } from "../../../engine/evidence/archive/Replay.ts"
import type { HopAnswer, HopMeta } from "../../../engine/evidence/Transport.ts"
import { archiveBytes } from "./ArchiveBytes.ts"
import { RUN } from "./ArchivedRun.ts"

const KB = 1024
const LIMIT = 20 * KB * KB

const meta: HopMeta = { peer: "203.0.113.7", sentAt: Date.UTC(2026, 10, 21), firstByteMs: null, attempts: 1 }

const asking = (path: string, asked: Partial<Asked> = {}): Asked => ({
  method: "GET",
  url: `https://docs.example.com${path}`,
  accept: "*/*",
  agent: "docgauge",
  ...asked
})

/** Bytes that no compression shortens, the same for the same seed. */
const noise = (bytes: number, seed = 1): Uint8Array =>
  new Uint8Array(
    createHash("shake256", { outputLength: Math.max(1, bytes) })
      .update(String(seed))
      .digest()
  ).subarray(0, bytes)

const answer = (body: Uint8Array, over: Partial<HopAnswer> = {}): HopAnswer => ({
  _tag: "HopAnswer",
  status: 200,
  headers: [["content-type", "text/html"]],
  body,
  cut: false,
  wireBytes: body.length,
  meta,
  ...over
})

const recorded = (path: string, hop: HopAnswer, over: Partial<Recorded> = {}): Recorded => ({
  request: { asked: asking(path), limitBytes: LIMIT },
  hop,
  askedBy: ["A1"],
  ...over
})

const redirect = (body: Uint8Array): HopAnswer => answer(body, { status: 302, headers: [["location", "/there"]] })

const replayed = Effect.fnUntraced(function* (exchanges: ReadonlyArray<Recorded>, mostBytes: number) {
  const bytes = yield* archiveBytes(RUN, exchanges, mostBytes)
  const archive = yield* openArchive(bytes)
  const hop = (path: string, limitBytes = LIMIT) => archive.send({ asked: asking(path), limitBytes })
  return { bytes, hop }
})

describe("an archive with a size limit", () => {
  const exchange = fc.record({
    size: fc.integer({ min: 0, max: 120 * KB }),
    status: fc.constantFrom(200, 206, 302, 404, 503),
    noisy: fc.boolean(),
    askedBy: fc.constantFrom(undefined, [], ["A1"], ["A1", "B2", "C3"]),
    callers: fc.constantFrom(undefined, ["site/base"], ["site/sample"])
  })

  it("is never larger than that, whatever was recorded", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 300 * KB }),
        async (list, room) => {
          const exchanges = list.map(({ askedBy, callers, noisy, size, status }, index) =>
            recorded(
              `/${index}`,
              answer(noisy ? noise(size, index) : new Uint8Array(size), { status, headers: [["location", "/there"]] }),
              { ...(callers === undefined ? {} : { callers }), askedBy: askedBy ?? [] }
            )
          )
          const mostBytes = 400 * KB + room
          expect((await Effect.runPromise(archiveBytes(RUN, exchanges, mostBytes))).length).toBeLessThanOrEqual(
            mostBytes
          )
        }
      ),
      { numRuns: 40 }
    )
  )

  it.effect("is the same as without one where it fits", () =>
    Effect.gen(function* () {
      const exchanges = [recorded("/a", answer(noise(50 * KB))), recorded("/b", answer(new Uint8Array(9_000 * KB)))]
      expect(yield* archiveBytes(RUN, exchanges, 100 * KB)).toEqual(yield* archiveBytes(RUN, exchanges))
    })
  )

  it.effect("gives up what was never read first: a replay of followed redirects and long error pages cannot tell", () =>
    Effect.gen(function* () {
      const page = answer(noise(40 * KB, 2))
      const exchanges = [
        recorded("/moved", redirect(noise(900 * KB, 3))),
        recorded("/missing", answer(noise(900 * KB, 4), { status: 404 })),
        recorded("/", page)
      ]
      const { bytes, hop } = yield* replayed(exchanges, 700 * KB)
      expect(bytes.length).toBeLessThanOrEqual(700 * KB)
      expect(yield* hop("/moved")).toMatchObject({ _tag: "HopAnswer", status: 302, cut: false, bodyBytes: 900 * KB })
      const missing = yield* hop("/missing")
      expect(missing).toMatchObject({ _tag: "HopAnswer", status: 404, cut: false, bodyBytes: 900 * KB })
      expect(missing._tag === "HopAnswer" && missing.body).toEqual(noise(900 * KB, 4).subarray(0, 512 * KB))
      expect(yield* hop("/")).toEqual(page)
    })
  )

  it.effect("then cuts what fewest criteria lean on, the largest first, and the base page and robots.txt last", () =>
    Effect.gen(function* () {
      const exchanges = [
        recorded("/", answer(noise(100 * KB, 1)), { askedBy: [], callers: ["site/base"] }),
        recorded("/robots.txt", answer(noise(100 * KB, 2)), { askedBy: [], callers: ["site/robots"] }),
        recorded("/signal", answer(noise(30 * KB, 3)), { askedBy: [] }),
        recorded("/one", answer(noise(90 * KB, 4)), { askedBy: ["A1"] }),
        recorded("/one-longer", answer(noise(100 * KB, 5)), { askedBy: ["A1"] }),
        recorded("/three", answer(noise(110 * KB, 6)), { askedBy: ["A1", "A2", "A3"] })
      ]
      const kindAt = Effect.fnUntraced(function* (mostBytes: number) {
        const { hop } = yield* replayed(exchanges, mostBytes)
        const hops = yield* Effect.forEach(["/signal", "/one-longer", "/one", "/three", "/", "/robots.txt"], (path) =>
          hop(path)
        )
        return hops.map((one) => (one._tag === "HopFault" ? one.kind : "whole"))
      })
      expect(yield* kindAt(545 * KB)).toEqual(["whole", "whole", "whole", "whole", "whole", "whole"])
      expect(yield* kindAt(535 * KB)).toEqual(["archive_cut", "whole", "whole", "whole", "whole", "whole"])
      expect(yield* kindAt(480 * KB)).toEqual(["archive_cut", "archive_cut", "whole", "whole", "whole", "whole"])
      expect(yield* kindAt(400 * KB)).toEqual(["archive_cut", "archive_cut", "archive_cut", "whole", "whole", "whole"])
      expect(yield* kindAt(320 * KB)).toEqual([
        "archive_cut",
        "archive_cut",
        "archive_cut",
        "archive_cut",
        "whole",
        "whole"
      ])
    })
  )

  it("records what it cut, as WARC has it, and how long the body was", async () => {
    const bytes = await Effect.runPromise(archiveBytes(RUN, [recorded("/long", answer(noise(500 * KB)))], 100 * KB))
    const seen: Array<unknown> = []
    for await (const record of new WARCParser([bytes])) {
      if (record.warcType !== "response") continue
      const facts: unknown = JSON.parse(record.warcHeader("WARC-JSON-Metadata") ?? "{}")
      seen.push(record.warcHeader("WARC-Truncated"), facts, (await record.readFully(false)).length)
    }
    expect(seen).toEqual([
      "length",
      { wireBytes: 500 * KB, shortened: { bytes: 500 * KB, cut: false, unread: false } },
      16 * KB
    ])
  })

  it.effect("answers a smaller fetch limit from the beginning that it holds, as the site did", () =>
    Effect.gen(function* () {
      const { hop } = yield* replayed([recorded("/long", answer(noise(500 * KB)))], 100 * KB)
      expect(yield* hop("/long", 4 * KB)).toMatchObject({
        _tag: "HopAnswer",
        cut: true,
        body: noise(500 * KB).subarray(0, 4 * KB)
      })
      expect(yield* hop("/long", 17 * KB)).toMatchObject({ _tag: "HopFault", kind: "archive_cut" })
    })
  )
})
