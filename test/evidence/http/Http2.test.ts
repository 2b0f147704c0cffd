import * as Effect from "effect/Effect"
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { type FetchLimits as Limits, FetchLimits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { BytesReceived } from "../../../engine/evidence/http/ExchangeMeter.ts"
import { guardedHttp } from "../../../engine/evidence/http/GuardedHttp.ts"
import { type Hop, Transport } from "../../../engine/evidence/Transport.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { type Certificate, certificateFor, http2RawServer, http2Server, type Loopback } from "../LoopbackServers.ts"

const HOST = "https://docs.example.com"

let certificate: Certificate
beforeAll(() => {
  certificate = certificateFor("docs.example.com")
})

const PATIENT: Partial<Limits> = { connectMs: 30_000, firstByteMs: 30_000, stallMs: 30_000, exchangeMs: 30_000 }

type Get = (path: string, asked?: Partial<Asked>, limitBytes?: number) => Effect.Effect<Hop>

/** Runs with a transport to a server, which is closed after it. */
const askingOf = async <A>(
  server: Promise<Loopback>,
  work: (get: Get, server: Loopback) => Effect.Effect<A>,
  limits: Partial<Limits> = {},
  onReceived: (bytes: number) => void = () => undefined
): Promise<A> => {
  const running = await server
  const audit = Effect.flatMap(Transport, ({ send }) =>
    work(
      (path, asked = {}, limitBytes = 1_000_000) =>
        send({
          asked: { method: "GET", url: `${HOST}${path}`, accept: "*/*", agent: "docgauge", ...asked },
          limitBytes
        }),
      running
    )
  ).pipe(
    Effect.provide(
      guardedHttp({
        resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: running.port }],
        allowPrivate: false,
        allowHttp: false,
        userAgents: userAgents("1.2.3", null),
        authorities: [certificate.cert]
      })
    ),
    Effect.provideService(FetchLimits, limitsWith({ ...PATIENT, ...limits })),
    Effect.provideService(BytesReceived, onReceived)
  )
  try {
    return await Effect.runPromise(audit)
  } finally {
    await running.close()
  }
}

const textOf = (hop: Hop): string =>
  hop._tag === "HopAnswer" ? new TextDecoder().decode(hop.body) : `${hop.kind}: ${hop.message}`

const serving = (listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void): Promise<Loopback> =>
  http2Server(listener, certificate)

const answerOf = (server: Promise<Loopback>, limits: Partial<Limits> = {}): Promise<Hop> =>
  askingOf(server, (get) => get("/"), limits)

describe("a host that speaks HTTP/2 alone", () => {
  it("is asked over HTTP/2: what we say, and its status, headers and body", () =>
    askingOf(
      serving((request, response) => {
        let body = ""
        request.setEncoding("utf8")
        request.on("data", (piece) => {
          body += piece
        })
        request.on("end", () => {
          response.writeHead(404, { "x-one": "a", "set-cookie": ["p=1", "q=2"], "x-name": "caf\u00e9" })
          response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
        })
      }),
      (get) =>
        Effect.gen(function* () {
          const hop = yield* get("/p?q=1", { accept: "text/markdown", method: "POST", body: '{"a":1}' })
          expect(hop).toMatchObject({ _tag: "HopAnswer", status: 404, cut: false, meta: { peer: "127.0.0.1" } })
          expect(hop._tag === "HopAnswer" && hop.headers).toEqual(
            expect.arrayContaining([
              ["x-one", "a"],
              ["set-cookie", "p=1"],
              ["set-cookie", "q=2"],
              ["x-name", "caf\u00e9"]
            ])
          )
          expect(hop._tag === "HopAnswer" && hop.headers.some(([name]) => name.startsWith(":"))).toBe(false)
          expect(JSON.parse(textOf(hop))).toMatchObject({
            method: "POST",
            url: "/p?q=1",
            body: '{"a":1}',
            headers: {
              ":authority": "docs.example.com",
              "user-agent": "docgauge/1.2.3",
              accept: "text/markdown",
              "accept-encoding": "gzip, deflate, br, zstd",
              "content-type": "application/json"
            }
          })
        })
    ))

  it("may compress its bodies and redirect", () =>
    askingOf(
      serving((request, response) => {
        if (request.url === "/old") return void response.writeHead(301, { location: "/new" }).end()
        response.setHeader("content-encoding", "gzip")
        response.end(gzipSync("plain".repeat(100)))
      }),
      (get) =>
        Effect.gen(function* () {
          const moved = yield* get("/old")
          expect(moved).toMatchObject({ status: 301, headers: expect.arrayContaining([["location", "/new"]]) })
          const hop = yield* get("/new")
          expect(textOf(hop)).toBe("plain".repeat(100))
          expect(hop).toMatchObject({ cut: false, wireBytes: gzipSync("plain".repeat(100)).length })
        })
    ))

  it("refuses HTTP/1.1 once, and is asked over one connection for as long as no two are needed", () =>
    askingOf(
      serving((_, response) => response.end("ok")),
      (get, server) =>
        Effect.gen(function* () {
          for (let round = 0; round < 3; round++) expect(textOf(yield* get("/"))).toBe("ok")
          expect(server.connections()).toBe(2)
          yield* Effect.all([get("/a"), get("/b")], { concurrency: 2 })
          expect(server.connections()).toBe(3)
        })
    ))

  it("has its connections closed with the audit", async () => {
    const server = await serving((_, response) => response.end("ok"))
    const open = await askingOf(Promise.resolve({ ...server, close: async () => undefined }), (get) =>
      Effect.map(get("/"), textOf)
    )
    expect(open).toBe("ok")
    await expect.poll(server.open).toBe(0)
    await server.close()
  })

  it("is asked for no more than the bytes of the limit, and told so by the end of the connection", () => {
    const megabyte = Buffer.alloc(1024 * 1024, "x")
    let sent = 0
    const huge = serving((_, response) => {
      const more = (): void => {
        while (sent < 50 && !response.destroyed) {
          sent += 1
          if (!response.write(megabyte)) return
        }
        response.end()
      }
      response.on("drain", more)
      response.on("error", () => undefined)
      more()
    })
    return askingOf(huge, (get, server) =>
      Effect.gen(function* () {
        const hop = yield* get("/", {}, 1024 * 1024)
        expect(hop).toMatchObject({ _tag: "HopAnswer", cut: true, wireBytes: 1024 * 1024 })
        yield* Effect.promise(() => expect.poll(server.open).toBe(0))
        expect(sent).toBeLessThan(30)
      })
    )
  })

  it("has all that it sends counted, and ends where an audit has received too much", async () => {
    let counted = 0
    const body = Buffer.alloc(700_000, "x")
    await askingOf(
      serving((_, response) => response.end(body)),
      (get) =>
        Effect.gen(function* () {
          expect(yield* get("/a")).toMatchObject({ _tag: "HopAnswer", cut: false })
          for (const path of ["/b", "/c"])
            expect(textOf(yield* get(path))).toBe("too_many_bytes: this audit has received 1 MB, the most it may")
        }),
      { auditBytes: 1024 * 1024 },
      (bytes) => {
        expect(bytes).toBeGreaterThanOrEqual(0)
        counted += bytes
      }
    )
    expect(counted).toBeGreaterThan(1024 * 1024)
    expect(counted).toBeLessThan(2 * body.length + 50_000)
  })

  it("runs out of time as any other", async () => {
    expect(
      textOf(
        await answerOf(
          serving(() => undefined),
          { firstByteMs: 400 }
        )
      )
    ).toBe("first_byte_timeout: no answer within 400 ms")
    expect(
      textOf(
        await answerOf(
          serving((_, response) => void response.write("half")),
          { stallMs: 400 }
        )
      )
    ).toBe("stalled: nothing came for 400 ms in the middle of the answer")
  })

  it("may reset a stream or the connection", async () => {
    expect(textOf(await answerOf(serving((request) => request.stream.close(2))))).toMatch(/^reset: /)
    expect(textOf(await answerOf(serving((request) => request.stream.session?.destroy())))).toMatch(/^reset: /)
    const inTheBody = serving((request, response) => {
      response.writeHead(200, { "content-length": "10" })
      response.write("half")
      setTimeout(() => request.stream.session?.socket.destroy(), 50)
    })
    expect(textOf(await answerOf(inTheBody))).toMatch(/^(?:reset|malformed): /)
  })

  it("may send a head of 60 KB, and none of more than 64", async () => {
    const heading = (count: number) =>
      http2RawServer((socket) => {
        socket.on("error", () => undefined)
        socket.resume()
        socket.write(Buffer.concat([frame(SETTINGS, 0, 0), frame(SETTINGS, 1, 0)]))
        setTimeout(() => socket.write(Buffer.concat([...headOf(count), frame(DATA, END_STREAM, 1, "ok")])), 150)
      }, certificate)
    expect(textOf(await answerOf(heading(60)))).toBe("ok")
    expect(textOf(await answerOf(heading(80)))).toBe("malformed: the headers are longer than 64 KB")
  })

  it("is told from one that speaks both, which is asked over HTTP/1.1, and from one that speaks neither", async () => {
    const both = http2Server((request, response) => response.end(request.httpVersion), certificate, true)
    expect(textOf(await answerOf(both))).toBe("1.1")
    const neither = http2RawServer(() => undefined, certificate, "other")
    expect(textOf(await answerOf(neither))).toBe("tls: the server speaks neither HTTP/1.1 nor HTTP/2")
  })
})

/** A frame (RFC 9113, section 4.1). */
const frame = (type: number, flags: number, stream: number, payload: string | Uint8Array = ""): Buffer => {
  const body = Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(body.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, body])
}
const [DATA, HEADERS, SETTINGS, PUSH_PROMISE, PING, CONTINUATION] = [0, 1, 4, 5, 6, 9] as const
const [END_STREAM, END_HEADERS] = [1, 4] as const
/** `:status: 200` and `:status: 103`, as HPACK writes them. */
const OK = Buffer.from([0x88])
const EARLY_HINTS = Buffer.from([0x08, 0x03, 0x31, 0x30, 0x33])

/** A head of 200 with so many headers of 1 KB: a literal each, with a length that takes three bytes (RFC 7541, section 6.2.2). */
const headOf = (count: number): ReadonlyArray<Buffer> => {
  const header = (index: number): string =>
    `\u0000\u0005x-${String(index).padStart(3, "0")}\u007f\u00c1\u0006${"y".repeat(960)}`
  const block = Buffer.concat([
    OK,
    Buffer.from(Array.from({ length: count }, (_, at) => header(at)).join(""), "latin1")
  ])
  const pieces = Array.from({ length: Math.ceil(block.length / 16_384) }, (_, at) =>
    block.subarray(at * 16_384, (at + 1) * 16_384)
  )
  return pieces.map((piece, at) =>
    frame(at === 0 ? HEADERS : CONTINUATION, at === pieces.length - 1 ? END_HEADERS : 0, 1, piece)
  )
}

/** What buffers hold on the way, the sender's, the kernel's and our own, and what comes between two looks. */
const BUFFERED = 16 * 1024 * 1024

describe("an HTTP/2 server that sends without end", () => {
  const floods: ReadonlyArray<readonly [what: string, head: Buffer, piece: Buffer]> = [
    ["pings", Buffer.alloc(0), frame(PING, 1, 0, Buffer.alloc(8))],
    ["pings that want an answer", Buffer.alloc(0), frame(PING, 0, 0, Buffer.alloc(8))],
    ["settings", Buffer.alloc(0), frame(SETTINGS, 0, 0)],
    ["frames of no known type", Buffer.alloc(0), frame(0xbb, 0, 0, Buffer.alloc(1_000))],
    ["interim answers", Buffer.alloc(0), frame(HEADERS, END_HEADERS, 1, EARLY_HINTS)],
    ["a head", frame(HEADERS, 0, 1, OK), frame(CONTINUATION, 0, 1, Buffer.from("\u0000\u0001x\u0001y", "latin1"))],
    ["empty pieces of a body", frame(HEADERS, END_HEADERS, 1, OK), frame(DATA, 0, 1)],
    ["padding", frame(HEADERS, END_HEADERS, 1, OK), frame(DATA, 8, 1, Buffer.from([255, ...Buffer.alloc(255)]))],
    [
      "pushed answers",
      Buffer.alloc(0),
      frame(PUSH_PROMISE, END_HEADERS, 1, Buffer.from([0, 0, 0, 2, 0x82, 0x87, 0x84]))
    ]
  ]

  it.each(floods)("is left before it has sent much: %s", async (_what, head, piece) => {
    const pieces = Buffer.concat(Array.from({ length: Math.ceil(16_000 / piece.length) }, () => piece))
    let sent = 0
    const flooding = (socket: Socket): void => {
      socket.on("error", () => undefined)
      // The preface and the request are on their way by then.
      setTimeout(() => {
        const more = (): void => {
          while (socket.writable && socket.write(pieces)) sent += pieces.length
        }
        socket.on("drain", more)
        more()
      }, 200)
      socket.resume()
      socket.write(Buffer.concat([frame(SETTINGS, 0, 0), frame(SETTINGS, 1, 0)]))
      setTimeout(() => socket.write(head), 150)
    }
    await askingOf(
      http2RawServer(flooding, certificate),
      (get, server) =>
        Effect.gen(function* () {
          expect(textOf(yield* get("/"))).toMatch(/^(?:malformed|reset): /)
          yield* Effect.promise(() => expect.poll(server.open).toBe(0))
        }),
      { exchangeMs: 10_000 }
    )
    expect(sent).toBeLessThan(BUFFERED)
  })
})
