import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { WARCParser, WARCRecord, WARCSerializer } from "warcio"
import { normalise } from "../../../engine/evidence/Address.ts"
import { ArchiveError, type Recorded, type RunInfo } from "../../../engine/evidence/archive/Archive.ts"
import { type Asked, FAULT_KINDS } from "../../../engine/evidence/Exchange.ts"
import { defaultLimits, FetchLimits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { writeArchive } from "../../../engine/evidence/archive/Recording.ts"
import { openArchive, replay } from "../../../engine/evidence/archive/Replay.ts"
import { type Hop, type HopAnswer, type HopFault, type HopMeta, Transport } from "../../../engine/evidence/Transport.ts"
import { archiveBytes } from "./ArchiveBytes.ts"
import { RUN } from "./ArchivedRun.ts"

const run: RunInfo = { ...RUN, parameters: { sample: 20, canonicalOrigin: null, note: "zwei\r\nZeilen, grün" } }

const LIMIT = 100_000

/** Without what belongs to one run and not to the evidence. */
const meta: HopMeta = {
  peer: "203.0.113.7",
  sentAt: Date.UTC(2026, 10, 21, 10, 0, 0, 123),
  firstByteMs: null,
  attempts: 1
}

const asking = (path: string, asked: Partial<Asked> = {}): Asked => ({
  method: "GET",
  url: `https://docs.example.com${path}`,
  accept: "*/*",
  agent: "docgauge",
  ...asked
})

const answer = (over: Partial<HopAnswer> = {}): HopAnswer => ({
  _tag: "HopAnswer",
  status: 200,
  headers: [["content-type", "text/html"]],
  body: new TextEncoder().encode("<h1>Hi</h1>"),
  cut: false,
  wireBytes: 11,
  meta,
  ...over
})

const CURSOR = { id: "cursor", userAgent: "Mozilla/5.0 Chrome/139.0.0.0" }

const recorded = (asked: Asked, hop: Hop): Recorded => ({ request: { asked, limitBytes: LIMIT }, hop })

const reopened = (exchanges: ReadonlyArray<Recorded>) => Effect.flatMap(archiveBytes(run, exchanges), openArchive)

const replayed = Effect.fnUntraced(function* (asked: Asked, hop: Hop, limitBytes = LIMIT) {
  const archive = yield* reopened([recorded(asked, hop)])
  return yield* archive.send({ asked, limitBytes })
})

describe("what was recorded", () => {
  const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
  const name = fc.oneof(
    token,
    fc.constantFrom(
      "content-encoding",
      "content-length",
      "transfer-encoding",
      "x-orig-content-encoding",
      "set-cookie",
      "__proto__"
    )
  )
  const value = fc.oneof(
    fc.constantFrom("", "gzip", "chunked", "7"),
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/\p{C}/gu, "").trim())
  )
  const anAsked = fc
    .record({
      path: fc.webPath(),
      accept: fc.constantFrom("*/*", "text/markdown", "text/html, */*;q=0.1"),
      agent: fc.constantFrom("docgauge" as const, "browser" as const),
      body: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined })
    })
    .map(({ accept, agent, body, path }) => {
      const url = normalise(`https://docs.example.com${path}`) ?? ""
      return asking("", { url, accept, agent, ...(body === undefined ? {} : { method: "POST" as const, body }) })
    })
  const anAnswer = fc
    .record({
      status: fc.integer({ min: 200, max: 599 }),
      headers: fc.array(fc.tuple(name, value)),
      body: fc.oneof(
        fc.uint8Array({ maxLength: 500 }),
        fc.string().map((text) => new TextEncoder().encode(`\r\n\r\n${text}`))
      ),
      cut: fc.boolean(),
      wireBytes: fc.nat()
    })
    .map(answer)
  const aFault = fc
    .record({ kind: fc.constantFrom(...FAULT_KINDS), message: fc.stringMatching(/^[ -~]{0,80}$/) })
    .map((fault): HopFault => ({ _tag: "HopFault", meta: { ...meta, peer: null }, ...fault }))

  it("comes back as it was", () =>
    fc.assert(
      fc.asyncProperty(anAsked, fc.oneof(anAnswer, aFault), async (asked, hop) => {
        expect(await Effect.runPromise(replayed(asked, hop))).toEqual(hop)
      }),
      { numRuns: 60 }
    ))

  it.effect("comes with the run it was recorded in", () =>
    Effect.map(reopened([]), (archive) => {
      expect(archive.run).toEqual(run)
    })
  )

  it.effect("is a transport", () =>
    Effect.gen(function* () {
      const archive = yield* reopened([recorded(asking("/"), answer())])
      const hop = yield* Effect.flatMap(Transport, ({ send }) => send({ asked: asking("/"), limitBytes: LIMIT })).pipe(
        Effect.provide(replay(archive))
      )
      expect(hop).toEqual(answer())
    })
  )

  it.effect("gives the same archive whatever the order, and again when a replay is recorded", () =>
    Effect.gen(function* () {
      const exchanges = [
        recorded(asking("/b"), answer()),
        recorded(asking("/a"), answer({ status: 404 })),
        recorded(asking("/a", { accept: "text/markdown" }), answer()),
        recorded(asking("/a", { agent: "browser" }), answer()),
        recorded(asking("/a", { sentAs: CURSOR }), answer({ status: 403 })),
        recorded(asking("/c", { sentAs: CURSOR }), {
          _tag: "HopFault",
          kind: "reset",
          message: "it was reset",
          meta
        }),
        recorded(asking("/c"), { _tag: "HopFault", kind: "stalled", message: "it stalled", meta })
      ]
      const bytes = yield* archiveBytes(run, exchanges)
      expect(yield* archiveBytes(run, [...exchanges].reverse())).toEqual(bytes)
      const archive = yield* openArchive(bytes)
      const again = yield* Effect.forEach(archive.asked, (asked) =>
        Effect.map(archive.send({ asked, limitBytes: LIMIT }), (hop) =>
          recorded(asked, hop._tag === "HopFault" ? { ...hop, meta } : hop)
        )
      )
      expect(again.length).toBe(7)
      expect(yield* archiveBytes(run, again)).toEqual(bytes)
    })
  )

  it.effect("is cut where the limit is smaller now", () =>
    Effect.map(replayed(asking("/"), answer({ body: new Uint8Array(5_000).fill(1), wireBytes: 700 }), 1_000), (hop) => {
      expect(hop).toMatchObject({ cut: true, wireBytes: 700, body: new Uint8Array(1_000).fill(1) })
    })
  )

  it.effect("answers nothing else", () =>
    Effect.gen(function* () {
      const archive = yield* reopened([recorded(asking("/"), answer())])
      const others = [
        asking("/other"),
        asking("/", { accept: "text/markdown" }),
        asking("/", { agent: "browser" }),
        asking("/", { sentAs: CURSOR }),
        asking("/", { method: "POST", body: "{}" })
      ]
      for (const asked of others) {
        expect(yield* archive.send({ asked, limitBytes: LIMIT })).toMatchObject({
          _tag: "HopFault",
          kind: "not_recorded"
        })
      }
    })
  )

  it.effect("as another's agent comes after what we were answered ourselves, for readers that take the first", () =>
    Effect.gen(function* () {
      const archive = yield* reopened([
        recorded(asking("/", { accept: "a/a", sentAs: CURSOR }), answer({ status: 403 })),
        recorded(asking("/"), answer())
      ])
      expect(archive.asked.map(({ sentAs }) => sentAs)).toEqual([undefined, CURSOR])
    })
  )

  it.effect("cannot smuggle lines into a head", () =>
    Effect.map(replayed(asking("/"), answer({ headers: [["x-a", "1\r\nx-evil: 2\r\n\r\n<script>"]] })), (hop) => {
      expect(hop).toMatchObject({ headers: [["x-a", "1 x-evil: 2 <script>"]] })
    })
  )
})

describe("the file", () => {
  const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-archive-"))
    try {
      await work(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it("is there whole, or not at all", () =>
    inFolder(async (folder) => {
      const path = join(folder, "run.warc.gz")
      await Effect.runPromise(writeArchive(path, run, [recorded(asking("/"), answer())]))
      expect(readdirSync(folder)).toEqual(["run.warc.gz"])
      expect(new Uint8Array(readFileSync(path))).toEqual(
        new Uint8Array(await Effect.runPromise(archiveBytes(run, [recorded(asking("/"), answer())])))
      )
      expect((await Effect.runPromise(openArchive(path))).asked).toEqual([asking("/")])
    }))

  it("that cannot be written or read is an error", () =>
    inFolder(async (folder) => {
      const nowhere = join(folder, "no", "such.warc.gz")
      expect(await Effect.runPromise(Effect.flip(writeArchive(nowhere, run, [])))).toMatchObject({
        reason: "unwritable"
      })
      expect(await Effect.runPromise(Effect.flip(openArchive(nowhere)))).toMatchObject({
        reason: "unreadable",
        message: "no such file"
      })
      expect(await Effect.runPromise(Effect.flip(openArchive(folder)))).toMatchObject({ reason: "unreadable" })
      expect(readdirSync(folder)).toEqual([])
    }))

  it("opens in another tool", async () => {
    const exchanges = [
      recorded(
        asking("/a"),
        answer({
          headers: [
            ["content-type", "text/plain"],
            ["content-encoding", "br"],
            ["transfer-encoding", "chunked"]
          ]
        })
      ),
      recorded(asking("/b", { method: "POST", body: "{}" }), answer({ status: 201, cut: true })),
      recorded(asking("/c"), { _tag: "HopFault", kind: "tls", message: "the certificate has expired", meta })
    ]
    const bytes = await Effect.runPromise(archiveBytes(run, exchanges))
    const seen: Array<ReadonlyArray<unknown>> = []
    for await (const record of new WARCParser([bytes])) {
      seen.push([
        record.warcHeaders.statusline,
        record.warcType,
        record.warcTargetURI ?? null,
        record.httpHeaders?.statusline ?? null,
        await record.contentText()
      ])
    }
    expect(seen.slice(1)).toEqual([
      ["WARC/1.1", "request", "https://docs.example.com/a", "GET /a HTTP/1.1", ""],
      ["WARC/1.1", "response", "https://docs.example.com/a", "HTTP/1.1 200 OK", "<h1>Hi</h1>"],
      ["WARC/1.1", "request", "https://docs.example.com/b", "POST /b HTTP/1.1", "{}"],
      ["WARC/1.1", "response", "https://docs.example.com/b", "HTTP/1.1 201 Created", "<h1>Hi</h1>"],
      [
        "WARC/1.1",
        "metadata",
        "https://docs.example.com/c",
        null,
        JSON.stringify({ asked: asking("/c"), kind: "tls", message: "the certificate has expired" })
      ]
    ])
    expect(seen[0]?.slice(0, 2)).toEqual(["WARC/1.1", "warcinfo"])
    expect(seen[0]?.[4]).toContain("software: docgauge/1.2.3\r\n")
  })

  it("has a gzip member for every record", async () => {
    const bytes = Buffer.from(await Effect.runPromise(archiveBytes(run, [recorded(asking("/a"), answer())])))
    const magic = Buffer.from([0x1f, 0x8b, 0x08])
    let members = 0
    for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) members += 1
    expect(members).toBe(3)
  })

  it("tells which criteria lean on an exchange, where that is known", async () => {
    const exchanges = [{ ...recorded(asking("/a"), answer()), askedBy: ["A1", "B2"] }, recorded(asking("/b"), answer())]
    const text = gunzipSync(await Effect.runPromise(archiveBytes(run, exchanges))).toString()
    const requests = text.split("WARC/1.1\r\n").filter((record) => record.includes("WARC-Type: request"))
    expect(requests.map((record) => /WARC-JSON-Metadata: (.*)\r/.exec(record)?.[1])).toEqual([
      '{"criteria":["A1","B2"]}',
      undefined
    ])
  })

  it("has digests that hold", async () => {
    const text = gunzipSync(await Effect.runPromise(archiveBytes(run, [recorded(asking("/a"), answer())]))).toString()
    expect(text.match(/WARC-Payload-Digest: sha256:[0-9a-f]{64}/g)?.length).toBe(2)
    expect(text.match(/WARC-Block-Digest: sha256:[0-9a-f]{64}/g)?.length).toBe(2)
  })
})

describe("an archive of another tool", () => {
  const url = "https://docs.example.com/page"
  const written = async (records: ReadonlyArray<WARCRecord>, gzip = true): Promise<Uint8Array> =>
    Buffer.concat(await Promise.all(records.map((record) => WARCSerializer.serialize(record, { gzip }))))

  const response = (
    httpHeaders: Record<string, string>,
    body: string | Uint8Array,
    over: Partial<Parameters<typeof WARCRecord.create>[0]> = {}
  ): WARCRecord =>
    WARCRecord.create({ type: "response", url, date: "2020-01-01T00:00:00Z", httpHeaders, ...over }, [
      typeof body === "string" ? new TextEncoder().encode(body) : body
    ])

  const sent = async (archive: Uint8Array): Promise<Hop> => {
    const opened = await Effect.runPromise(openArchive(archive))
    expect(opened.run).toBeNull()
    return Effect.runPromise(opened.send({ asked: asking("/page"), limitBytes: LIMIT }))
  }

  it.each([
    ["plain", {}, "text"],
    ["gzipped bodies", { "Content-Encoding": "gzip" }, gzipSync("text")],
    ["chunked bodies", { "Transfer-Encoding": "chunked" }, "2\r\nte\r\n2;x=y\r\nxt\r\n0\r\n\r\n"],
    ["chunked bodies, undone", { "Transfer-Encoding": "chunked" }, "text"],
    [
      "chunked gzipped bodies",
      { "Transfer-Encoding": "chunked", "Content-Encoding": "gzip" },
      Buffer.concat([
        Buffer.from(`${gzipSync("text").length.toString(16)}\r\n`),
        gzipSync("text"),
        Buffer.from("\r\n0\r\n\r\n")
      ])
    ]
  ])("answers our own agent: %s", async (_what, headers: Record<string, string>, body) => {
    for (const gzip of [true, false]) {
      const hop = await sent(await written([response({ "Content-Type": "text/html", ...headers }, body)], gzip))
      expect(hop).toMatchObject({ status: 200, cut: false, meta: { sentAt: Date.UTC(2020, 0, 1) } })
      expect(hop._tag === "HopAnswer" && new TextDecoder().decode(hop.body)).toBe("text")
      expect(hop._tag === "HopAnswer" && hop.headers[0]).toEqual(["content-type", "text/html"])
    }
  })

  it("answers whatever was accepted when it was made", async () => {
    const request = WARCRecord.create({
      type: "request",
      url,
      warcHeaders: { "WARC-Concurrent-To": "<urn:uuid:1>" },
      statusline: "GET /page HTTP/1.1",
      httpHeaders: { "User-Agent": "crawler", Accept: "text/html" }
    })
    expect(
      await sent(await written([response({}, "text", { warcHeaders: { "WARC-Record-ID": "<urn:uuid:1>" } }), request]))
    ).toMatchObject({ status: 200 })
  })

  it("does not answer with what came of another method", async () => {
    const request = WARCRecord.create({
      type: "request",
      url,
      warcHeaders: { "WARC-Concurrent-To": "<urn:uuid:1>" },
      statusline: "POST /page HTTP/1.1",
      httpHeaders: { "User-Agent": "crawler" }
    })
    expect(
      await sent(await written([response({}, "text", { warcHeaders: { "WARC-Record-ID": "<urn:uuid:1>" } }), request]))
    ).toMatchObject({ kind: "not_recorded" })
  })

  it("with a body that does not decode has a fault there", async () => {
    expect(await sent(await written([response({ "Content-Encoding": "gzip" }, "text")]))).toMatchObject({
      _tag: "HopFault",
      kind: "malformed"
    })
  })
})

describe("a hostile archive", () => {
  const opening = (bytes: Uint8Array | string, limits: Partial<FetchLimits> = {}) =>
    Effect.runPromise(
      Effect.result(openArchive(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes)).pipe(
        Effect.provideService(FetchLimits, limitsWith(limits))
      )
    )
  const record = (headers: string, body = ""): string => `WARC/1.1\r\n${headers}\r\n\r\n${body}\r\n\r\n`

  it.each([
    ["something else", "hello\r\n", "it is not a WARC file"],
    ["a page", "<html></html>", "it is not a WARC file"],
    ["nothing but empty lines", "\r\n".repeat(100), "it is not a WARC file"],
    ["cut in the headers", "WARC/1.1\r\nWARC-Type: resp", "ends in the middle"],
    ["cut in the content", "WARC/1.1\r\nContent-Length: 10\r\n\r\nhalf", "ends in the middle"],
    ["without a length", record("WARC-Type: response"), "does not say how long"],
    ["with a negative length", record("Content-Length: -1"), "does not say how long"],
    ["with an absurd length", record("Content-Length: 99999999999999999999"), "does not say how long"],
    ["with a length that is too large", record("Content-Length: 999999999999"), "ends in the middle"],
    ["with a length that is too small", record("Content-Length: 1", "more"), "longer than it says"],
    ["with a header that is none", record("nonsense"), "not a name and a value"],
    ["with endless headers", `WARC/1.1\r\n${"A: b\r\n".repeat(20_000)}`, "too long"],
    ["with an endless line", "x".repeat(1_000_000), "too long"],
    [
      "broken in its compression",
      Buffer.concat([gzipSync("WARC/1.1\r\n"), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])]),
      "compression is broken"
    ],
    ["cut in its compression", gzipSync("WARC/1.1\r\n".repeat(9)).subarray(0, 20), "compression is broken"]
  ])("is an error: %s", async (_what, bytes, clause) => {
    expect(await opening(bytes)).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ArchiveError", reason: "malformed", message: expect.stringContaining(clause) }
    })
  })

  it("is empty where there is nothing in it", async () => {
    expect(await opening("")).toMatchObject({ _tag: "Success", success: { run: null, asked: [] } })
  })

  it("that is a bomb is not inflated to its end", async () => {
    const bomb = gzipSync(
      Buffer.concat([
        Buffer.from("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 150000000\r\n\r\n"),
        Buffer.alloc(150_000_000)
      ])
    )
    const before = process.memoryUsage().arrayBuffers
    expect(await opening(bomb, { auditBytes: 1_000 })).toMatchObject({
      failure: { reason: "too_large", message: "the archive holds more than 64 MB" }
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000)
  })

  it("with countless records is too large", async () => {
    expect(await opening(record("Content-Length: 0").repeat(10_001))).toMatchObject({
      failure: { reason: "too_large", message: "the archive has more than 10000 records" }
    })
  })

  it("with a huge answer keeps its beginning", async () => {
    const head = "HTTP/1.1 200 OK\r\n\r\n"
    const bytes = record(
      `WARC-Type: response\r\nWARC-Target-URI: https://docs.example.com/\r\nContent-Length: ${head.length + 3_000_000}`,
      head + "x".repeat(3_000_000)
    )
    const opened = await opening(bytes, { documentBytes: 1_000_000 })
    const hop =
      opened._tag === "Success"
        ? await Effect.runPromise(opened.success.send({ asked: asking("/"), limitBytes: 5_000_000 }))
        : null
    expect(hop).toMatchObject({ _tag: "HopAnswer", cut: true })
  })

  it.each([
    ["an answer without a head", "WARC-Type: response", "garbage"],
    ["an answer without a status", "WARC-Type: response", "HTTP/1.1 OK\r\n\r\n"],
    ["a fault that is none", "WARC-Type: metadata", '{"asked":{},"kind":"tls"}'],
    [
      "a fault of no known kind",
      "WARC-Type: metadata",
      JSON.stringify({ asked: asking("/"), kind: "boredom", message: "" })
    ],
    ["other metadata", "WARC-Type: metadata", "via: x"],
    ["a run that is none", "WARC-Type: warcinfo", 'docgauge-run: {"software":1}']
  ])("is read past %s", async (_what, headers, body) => {
    expect(await opening(record(`${headers}\r\nContent-Length: ${body.length}`, body))).toMatchObject({
      success: { run: null, asked: [] }
    })
  })

  it("cannot write on the terminal", async () => {
    const body = JSON.stringify({ asked: asking("/"), kind: "tls", message: `\u001b[2J${"a".repeat(1_000)}` })
    const opened = await opening(record(`WARC-Type: metadata\r\nContent-Length: ${body.length}`, body))
    const hop =
      opened._tag === "Success"
        ? await Effect.runPromise(opened.success.send({ asked: asking("/"), limitBytes: LIMIT }))
        : null
    expect(hop).toMatchObject({ kind: "tls", message: ` [2J${"a".repeat(196)}` })
  })

  it("never ends in anything but an archive or an error", async () => {
    const good = Buffer.from(gunzipSync(await Effect.runPromise(archiveBytes(run, [recorded(asking("/a"), answer())]))))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (at, bytes, gzip) => {
          const broken = Buffer.concat([good.subarray(0, at), bytes, good.subarray(at + bytes.length)])
          const opened = await opening(gzip ? gzipSync(broken) : broken)
          expect(opened._tag === "Success" || opened.failure instanceof ArchiveError).toBe(true)
        }
      )
    )
  })

  it("says which limits it went by", () => {
    expect(limitsWith(run.limits)).toEqual(defaultLimits)
  })
})
