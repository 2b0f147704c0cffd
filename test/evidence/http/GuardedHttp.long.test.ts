import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { once } from "node:events"
import type { Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { TLSSocket } from "node:tls"
import { Worker } from "node:worker_threads"
import { brotliCompressSync, createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { BodyAdmission, bodyAdmission } from "../../../engine/evidence/http/BodyAdmission.ts"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { BytesReceived } from "../../../engine/evidence/http/ExchangeMeter.ts"
import { FetchLimits, type FetchLimits as Limits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../../engine/evidence/http/GuardedHttp.ts"
import { type Hop, type HopRequest, Transport } from "../../../engine/evidence/Transport.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import {
  type Certificate,
  certificateFor,
  httpServer,
  httpsServer,
  type Loopback,
  rawServer,
  tcpServer
} from "../LoopbackServers.ts"

const options: GuardedHttpOptions = {
  resolve: [],
  allowPrivate: true,
  allowHttp: true,
  userAgents: userAgents("1.2.3", "https://docgauge.example/")
}

/** So long that no machine is too slow for them; a test of one limit makes only that one short. */
const PATIENT: Partial<Limits> = { connectMs: 30_000, firstByteMs: 30_000, stallMs: 30_000, exchangeMs: 30_000 }

const asking = (url: string, asked: Partial<Asked> = {}, limitBytes = 100_000): HopRequest => ({
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge", ...asked },
  limitBytes
})

/** Runs with a transport that lasts as long as the work. */
const withTransport = <A>(
  work: (send: (request: HopRequest) => Effect.Effect<Hop>) => Effect.Effect<A>,
  over: Partial<GuardedHttpOptions> = {},
  limits: Partial<Limits> = {}
) =>
  Effect.runPromise(
    Effect.flatMap(Transport, ({ send }) => work(send)).pipe(
      Effect.provide(guardedHttp({ ...options, ...over })),
      Effect.provideService(FetchLimits, limitsWith({ ...PATIENT, ...limits }))
    )
  )

const hopFor = (
  request: HopRequest,
  over: Partial<GuardedHttpOptions> = {},
  limits: Partial<Limits> = {}
): Promise<Hop> => withTransport((send) => send(request), over, limits)

const using = async <A>(server: Promise<Loopback>, work: (server: Loopback) => Promise<A>): Promise<A> => {
  const running = await server
  try {
    return await work(running)
  } finally {
    await running.close()
  }
}

const kindOf = (hop: Hop): string => (hop._tag === "HopFault" ? hop.kind : `HopAnswer ${hop.status}`)
const textOf = (hop: Hop): string =>
  hop._tag === "HopAnswer" ? new TextDecoder().decode(hop.body) : `${hop.kind}: ${hop.message}`
const at = (server: Loopback, path = "/"): string => `http://127.0.0.1:${server.port}${path}`

describe("an answer", () => {
  it("keeps status, headers as received, and body", () =>
    using(
      rawServer(
        "HTTP/1.1 404 Nope\r\nX-One: a\r\nSet-Cookie: p=1\r\nX-two: \r\nset-cookie: q=2\r\nX-Name: caf\u00c3\u00a9\r\nContent-Length: 4\r\n\r\ngone"
      ),
      async (server) => {
        const hop = await hopFor(asking(at(server)))
        expect(hop).toMatchObject({
          _tag: "HopAnswer",
          status: 404,
          cut: false,
          wireBytes: 4,
          meta: { peer: "127.0.0.1", attempts: 1 }
        })
        expect(hop._tag === "HopAnswer" && hop.headers.slice(0, 4)).toEqual([
          ["x-one", "a"],
          ["set-cookie", "p=1"],
          ["x-two", ""],
          ["set-cookie", "q=2"]
        ])
        expect(textOf(hop)).toBe("gone")
      }
    ))

  it("reads header bytes as UTF-8 where they are", () =>
    using(
      rawServer(Buffer.from("HTTP/1.1 200 OK\r\nX-A: caf\u00e9\r\nContent-Length: 0\r\n\r\n", "utf8")),
      async (server) => {
        const hop = await hopFor(asking(at(server)))
        expect(hop._tag === "HopAnswer" && hop.headers[0]).toEqual(["x-a", "café"])
      }
    ))

  it("may fold its headers, on a connection that is used again and in whatever pieces it comes", () => {
    const folded =
      "HTTP/1.1 200 OK\r\nX-Words: one\r\n two\r\n\tthree\r\nContent-Type: text/html;\r\n charset=utf-8\r\nContent-Length: 6\r\n\r\na\r\n b!"
    const answering = (pieces: ReadonlyArray<string>) =>
      tcpServer((socket) => {
        socket.setNoDelay()
        socket.on(
          "data",
          () =>
            void (async () => {
              for (const piece of pieces) {
                socket.write(piece)
                await pause(1)
              }
            })()
        )
      })
    const check = (server: Promise<Loopback>) =>
      using(server, (running) =>
        withTransport((send) =>
          Effect.gen(function* () {
            for (const _ of [1, 2]) {
              const hop = yield* send(asking(at(running)))
              expect(
                hop._tag === "HopAnswer"
                  ? hop.headers.slice(0, 2).map(([, value]) => value.replace(/\s+/g, " "))
                  : JSON.stringify(hop)
              ).toEqual(["one two three", "text/html; charset=utf-8"])
              expect(textOf(hop)).toBe("a\r\n b!")
            }
          })
        )
      )
    return Promise.all([
      check(answering([folded])),
      check(answering(folded.match(/[^]{1,3}/g) ?? [])),
      check(answering(folded.split(/(?<=\n)/)))
    ])
  })

  it("is not followed where it redirects", () =>
    using(
      httpServer((_, response) => response.writeHead(302, { location: "/elsewhere" }).end()),
      async (server) => {
        expect(kindOf(await hopFor(asking(at(server))))).toBe("HopAnswer 302")
      }
    ))

  it("may come without a length, until the connection ends", () =>
    using(
      rawServer("HTTP/1.0 200 OK\r\n\r\nthe rest", (socket) => socket.end()),
      async (server) => {
        expect(textOf(await hopFor(asking(at(server))))).toBe("the rest")
      }
    ))
})

describe("a request", () => {
  const echo = (): Promise<Loopback> =>
    httpServer((request, response) => {
      request.setEncoding("utf8")
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () =>
        response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
      )
    })

  it("says who we are, as either agent", () =>
    using(echo(), async (server) => {
      const own = JSON.parse(textOf(await hopFor(asking(at(server, "/p?q=1"), { accept: "text/markdown" }))))
      expect(own).toMatchObject({
        method: "GET",
        url: "/p?q=1",
        headers: {
          "user-agent": "docgauge/1.2.3 (+https://docgauge.example/bot)",
          accept: "text/markdown",
          "accept-encoding": "gzip, deflate, br, zstd",
          host: `127.0.0.1:${server.port}`
        }
      })
      const browser = JSON.parse(textOf(await hopFor(asking(at(server), { agent: "browser" }))))
      expect(browser.headers["user-agent"]).toEqual(
        expect.stringMatching(
          /^Mozilla\/5\.0 .* Chrome\/\d{3}\.0\.0\.0 Safari\/[\d.]+ docgauge\/1\.2\.3 \(browser comparison; \+https:\/\/docgauge\.example\/bot\)$/
        )
      )
    }))

  it("says who we are in a header of its own where the request is sent as another's agent", () =>
    using(echo(), async (server) => {
      const sentAs = { id: "claude-code", userAgent: "Claude-User (claude-code/2.1.119)" }
      const { headers } = JSON.parse(textOf(await hopFor(asking(at(server), { sentAs }))))
      expect(headers).toMatchObject({
        "user-agent": "Claude-User (claude-code/2.1.119)",
        "x-docgauge": "docgauge/1.2.3 (+https://docgauge.example/bot); as=claude-code"
      })
      const own = JSON.parse(textOf(await hopFor(asking(at(server)))))
      expect(own.headers).not.toHaveProperty("x-docgauge")
    }))

  it("posts JSON", () =>
    using(echo(), async (server) => {
      const echoed = JSON.parse(textOf(await hopFor(asking(at(server), { method: "POST", body: '{"a":1}' }))))
      expect(echoed).toMatchObject({ method: "POST", body: '{"a":1}', headers: { "content-type": "application/json" } })
      expect(Object.keys(echoed.headers).filter((name) => name.startsWith("mcp-"))).toEqual([])
    }))

  it("repeats revision and method of an MCP request in headers, as the revision without sessions wants, and nothing that is no plain word", () =>
    using(echo(), async (server) => {
      const headersOf = async (method: string) => {
        const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
        return JSON.parse(textOf(await hopFor(asking(at(server), { method: "POST", body })))).headers
      }
      expect(await headersOf("server/discover")).toMatchObject({
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "server/discover"
      })
      expect(await headersOf("a\r\nx-evil: 1")).not.toHaveProperty("mcp-method")
    }))

  it("asks for the head alone, whatever coding the body would have, and the connection serves on", () =>
    using(
      httpServer((request, response) => {
        response.setHeader("content-encoding", "gzip")
        response.setHeader("x-method", request.method ?? "")
        response.end(request.method === "HEAD" ? undefined : gzipSync("page"))
      }),
      (server) =>
        withTransport((send) =>
          Effect.gen(function* () {
            const head = yield* send({ ...asking(at(server)), headOnly: true })
            expect(head).toMatchObject({ _tag: "HopAnswer", status: 200, cut: false, wireBytes: 0 })
            expect(head._tag === "HopAnswer" ? head.headers : []).toContainEqual(["x-method", "HEAD"])
            expect(textOf(yield* send(asking(at(server))))).toBe("page")
          })
        )
    ))

  it("that cannot be written is a fault", () =>
    using(echo(), async (server) => {
      expect(kindOf(await hopFor(asking(at(server), { accept: "a\r\nb: c" })))).toBe("bad_address")
    }))
})

describe("connections", () => {
  it("are kept alive, as many as are needed at once", () =>
    using(
      httpServer((_, response) => setTimeout(() => response.end("ok"), 20)),
      async (server) => {
        await withTransport((send) =>
          Effect.gen(function* () {
            for (let round = 0; round < 3; round++) {
              const hops = yield* Effect.all([send(asking(at(server, "/a"))), send(asking(at(server, "/b")))], {
                concurrency: 2
              })
              expect(hops.map(textOf)).toEqual(["ok", "ok"])
            }
          })
        )
        expect(server.connections()).toBe(2)
      }
    ))

  it("end with the layer", () =>
    using(
      httpServer((_, response) => response.end("ok")),
      async (server) => {
        await hopFor(asking(at(server)))
        await expect.poll(server.open).toBe(0)
      }
    ))

  it("that the server closed while idle are replaced", () =>
    using(
      rawServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", (socket) => setTimeout(() => socket.end(), 20)),
      async (server) => {
        await withTransport((send) =>
          Effect.gen(function* () {
            expect(textOf(yield* send(asking(at(server))))).toBe("ok")
            yield* Effect.promise(() => expect.poll(server.open).toBe(0))
            expect(textOf(yield* send(asking(at(server))))).toBe("ok")
            expect(server.connections()).toBe(2)
          })
        )
      }
    ))

  it("that swallow a request are replaced, and the request sent again", () => {
    let requests = 0
    const oneEach = tcpServer((socket) => {
      let first = true
      socket.on("data", () => {
        requests += 1
        if (first) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        else socket.destroy()
        first = false
      })
    })
    return using(oneEach, async (server) => {
      await withTransport((send) =>
        Effect.gen(function* () {
          expect(textOf(yield* send(asking(at(server))))).toBe("ok")
          expect(textOf(yield* send(asking(at(server))))).toBe("ok")
          // What changes something may have been carried out: it is not sent twice.
          expect(kindOf(yield* send(asking(at(server), { method: "POST", body: "{}" })))).toBe("reset")
        })
      )
      expect(requests).toBe(4)
    })
  })

  it("end when the fiber that waits is interrupted", () =>
    using(
      tcpServer((socket) => socket.resume()),
      async (server) => {
        await withTransport((send) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(send(asking(at(server))))
            yield* Effect.promise(() => expect.poll(server.open).toBe(1))
            yield* Fiber.interrupt(fiber)
            yield* Effect.promise(() => expect.poll(server.open).toBe(0))
          })
        )
      }
    ))
})

describe("a stream of events", () => {
  const RESPONSE = `data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n`
  const ask = (server: Loopback, id: number): HopRequest => {
    const request = asking(at(server))
    return { ...request, asked: { ...request.asked, method: "POST", body: JSON.stringify({ id }) } }
  }
  const open = (...pieces: ReadonlyArray<string>): Promise<Loopback> =>
    httpServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const [index, piece] of pieces.entries()) setTimeout(() => response.write(piece), index * 20)
    })

  it("is read up to the response to the request, and may stay open", () =>
    using(open(": hello\n\n", RESPONSE.slice(0, 20), `${RESPONSE.slice(20)}data: more`), async (server) => {
      const hop = await hopFor(ask(server, 7), {}, { stallMs: 2_000 })
      expect(hop).toMatchObject({ _tag: "HopAnswer", cut: false })
      expect(textOf(hop)).toBe(`: hello\n\n${RESPONSE}`)
    }))

  it.each([
    ["gzip", createGzip],
    ["br", createBrotliCompress],
    ["deflate", createDeflate]
  ])("may be compressed: %s", (coding, compressor) =>
    using(
      httpServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": coding })
        const stream = compressor()
        stream.pipe(response)
        for (const piece of [": hello\n\n", `${RESPONSE}data: more`]) {
          stream.write(piece)
          stream.flush()
        }
      }),
      async (server) => {
        const hop = await hopFor(ask(server, 7), {}, { stallMs: 2_000 })
        expect(textOf(hop)).toBe(`: hello\n\n${RESPONSE}`)
        expect(hop).toMatchObject({ cut: false, wireBytes: `: hello\n\n${RESPONSE}`.length })
        await expect.poll(server.open).toBe(0)
      }
    )
  )

  it("runs out of time without that response", () =>
    using(open(": hello\n\n", RESPONSE), async (server) => {
      expect(kindOf(await hopFor(ask(server, 8), {}, { stallMs: 300 }))).toBe("stalled")
    }))
})

/** A thread with a server that says when it has sent the first half of its answer, and sends the other soon after. */
const ANSWERS_IN_HALVES = `
  import { createServer } from "node:http"
  import { parentPort } from "node:worker_threads"
  const server = createServer((_, response) => {
    response.write("one half", () => {
      parentPort.postMessage("half")
      setTimeout(() => response.end(", and the other"), 100)
    })
  })
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`

describe("a server that misbehaves", () => {
  const until = (server: Promise<Loopback>, limits: Partial<Limits> = {}): Promise<string> =>
    using(server, async (running) => kindOf(await hopFor(asking(at(running)), {}, limits)))

  it("refuses the connection", async () => {
    const port = await using(
      tcpServer(() => undefined),
      async (server) => server.port
    )
    expect(kindOf(await hopFor(asking(`http://127.0.0.1:${port}/`)))).toBe("refused")
  })
  it("never answers", async () =>
    expect(
      await until(
        tcpServer(() => undefined),
        { firstByteMs: 400 }
      )
    ).toBe("first_byte_timeout"))
  it("drips its headers", () =>
    using(
      tcpServer((socket) => {
        const drip = setInterval(() => socket.write("X"), 20)
        socket.on("close", () => clearInterval(drip))
        socket.write("HTTP/1.1 200 OK\r\n")
      }),
      async (server) => {
        expect(kindOf(await hopFor(asking(at(server)), {}, { firstByteMs: 400 }))).toBe("first_byte_timeout")
      }
    ))
  it("stops in the middle", async () =>
    expect(await until(rawServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), { stallMs: 400 })).toBe(
      "stalled"
    ))
  it("is not taken to be slow where it is this thread that was", async () => {
    const server = new Worker(new URL(`data:text/javascript,${encodeURIComponent(ANSWERS_IN_HALVES)}`))
    try {
      const [port] = (await once(server, "message")) as [number]
      const answer = hopFor(asking(`http://127.0.0.1:${port}/`), {}, { firstByteMs: 300, stallMs: 300 })
      await once(server, "message")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
      expect(textOf(await answer)).toBe("one half, and the other")
    } finally {
      await server.terminate()
    }
  })
  it("drips its body", () =>
    using(
      httpServer((_, response) => {
        const drip = setInterval(() => response.write("."), 50)
        response.on("close", () => clearInterval(drip))
        response.write("start")
      }),
      async (server) => {
        const started = performance.now()
        expect(kindOf(await hopFor(asking(at(server)), {}, { exchangeMs: 1_500 }))).toBe("exchange_timeout")
        expect(performance.now() - started).toBeLessThan(20_000)
      }
    ))
  it("resets at once", async () => expect(await until(tcpServer((socket) => socket.resetAndDestroy()))).toBe("reset"))
  it("hangs up without a word", async () => expect(await until(rawServer("", (socket) => socket.end()))).toBe("reset"))
  it("resets in the body", async () =>
    expect(
      await until(
        rawServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", (socket) =>
          setTimeout(() => socket.resetAndDestroy(), 30)
        )
      )
    ).toBe("reset"))
  it("truncates its body", async () =>
    expect(await until(rawServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", (socket) => socket.end()))).toBe(
      "reset"
    ))
  it("truncates its chunks", async () =>
    expect(
      await until(
        rawServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", (socket) => socket.end())
      )
    ).toBe("reset"))
  it.each([
    "SSH-2.0-OpenSSH_9.6\r\n",
    "<html>hello</html>\n\n",
    "HTTP/1.1 abc\r\n\r\n",
    "\u0000\u0001\u0002\u0003\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"
  ])("speaks something else: %j", async (garbage) => expect(await until(rawServer(garbage))).toBe("malformed"))
  it("floods headers", async () =>
    expect(await until(rawServer(`HTTP/1.1 200 OK\r\n${"X-Flood: 0123456789\r\n".repeat(20_000)}\r\n`))).toBe(
      "malformed"
    ))
  it("floods one header", async () =>
    expect(await until(rawServer(`HTTP/1.1 200 OK\r\nX: ${"y".repeat(1_000_000)}\r\n\r\n`))).toBe("malformed"))
  it("switches protocols unasked", async () =>
    expect(
      await until(rawServer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))
    ).toMatch(/^(?:reset|malformed)$/))
})

/** Bytes that were sent on all connections of a server. */
interface Sent {
  bytes: number
}

/** Answers each request with `head`, and then with `piece` for ever, as fast as it is read. */
const flooding =
  (head: string, piece: string) =>
  (sent: Sent) =>
  (socket: Socket): void => {
    socket.on("data", () => {
      socket.write(head)
      const more = (): void => {
        while (socket.writable && socket.write(piece));
      }
      socket.on("drain", more)
      more()
    })
    socket.on("close", () => {
      sent.bytes += socket.bytesWritten
    })
  }

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
const INTERIM = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"

/** What buffers hold on the way: the sender's, the kernel's and our own. */
const BUFFERED = 8 * 1024 * 1024

describe("bytes that are no body", () => {
  const floods: ReadonlyArray<readonly [name: string, flood: ReturnType<typeof flooding>, message: string]> = [
    [
      "interim answers",
      flooding("", INTERIM.repeat(2_000)),
      "malformed: more than 16 interim answers came before the answer"
    ],
    [
      "extensions of chunks",
      flooding(CHUNKED, `1;${"e".repeat(8_000)}\r\nA\r\n`),
      "malformed: more than 1 MB came with the answer besides its body"
    ],
    [
      "a chunk's extension",
      flooding(`${CHUNKED}1;`, "e".repeat(64_000)),
      "malformed: more than 1 MB came with the answer besides its body"
    ],
    [
      "spaces before a header's value",
      flooding("HTTP/1.1 200 OK\r\nX:", " ".repeat(64_000)),
      "malformed: more than 1 MB came with the answer besides its body"
    ],
    [
      "trailers",
      flooding(`${CHUNKED}1\r\nA\r\n0\r\nX:`, " ".repeat(64_000)),
      "malformed: more than 1 MB came with the answer besides its body"
    ]
  ]

  it.each(floods)("end an exchange that is sent too many of them: %s", (_name, flood, message) => {
    const sent: Sent = { bytes: 0 }
    return using(tcpServer(flood(sent)), async (server) => {
      expect(textOf(await hopFor(asking(at(server)), {}, { exchangeMs: 5_000 }))).toBe(message)
      await expect.poll(server.open).toBe(0)
      expect(sent.bytes).toBeLessThan(BUFFERED)
    })
  })

  it("are bounded for each exchange of a connection, not for all of them together", () => {
    const extension = `1;${"e".repeat(8_000)}\r\nA\r\n`
    const answer = `${CHUNKED}${extension.repeat(100)}0\r\n\r\n`
    return using(
      tcpServer((socket) => {
        socket.on("data", () => socket.write(answer))
      }),
      async (server) => {
        await withTransport((send) =>
          Effect.gen(function* () {
            for (let round = 0; round < 4; round++)
              expect(textOf(yield* send(asking(at(server))))).toBe("A".repeat(100))
          })
        )
        expect(server.connections()).toBe(1)
      }
    )
  })

  it("may be as many interim answers as servers send", () =>
    using(rawServer(`${INTERIM.repeat(16)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`), async (server) => {
      expect(textOf(await hopFor(asking(at(server))))).toBe("ok")
    }))

  it("leave a body that is cut at its limit as it is, however little may come besides it", () =>
    using(
      httpServer((_, response) => response.end(Buffer.alloc(50 * 1024 * 1024, "x"))),
      async (server) => {
        expect(await hopFor(asking(at(server), {}, 64 * 1024), {}, { overheadBytes: 1_000 })).toMatchObject({
          _tag: "HopAnswer",
          cut: true,
          wireBytes: 64 * 1024
        })
      }
    ))
})

describe("the bytes of an audit", () => {
  /** 8 KB of extension for each byte of a body of 100. */
  const answer = `${CHUNKED}${`1;${"e".repeat(8_000)}\r\nA\r\n`.repeat(100)}0\r\n\r\n`

  it("are all that it receives: once they are used up, exchanges end and nothing more is sent", () => {
    let requests = 0
    let counted = 0
    const answering = tcpServer((socket) => {
      socket.on("data", () => {
        requests += 1
        socket.write(answer)
      })
    })
    return using(answering, async (server) => {
      const audit = Effect.flatMap(Transport, ({ send }) =>
        Effect.gen(function* () {
          for (let round = 0; round < 2; round++) expect(textOf(yield* send(asking(at(server))))).toBe("A".repeat(100))
          for (let round = 0; round < 3; round++)
            expect(textOf(yield* send(asking(at(server))))).toBe(
              "too_many_bytes: this audit has received 2 MB, the most it may"
            )
        })
      )
      await Effect.runPromise(
        audit.pipe(
          Effect.provide(guardedHttp(options)),
          Effect.provideService(FetchLimits, limitsWith({ ...PATIENT, auditBytes: 2 * 1024 * 1024 })),
          Effect.provideService(BytesReceived, (bytes) => {
            counted += bytes
          })
        )
      )
      expect(requests).toBe(3)
      expect(counted).toBeGreaterThan(2 * 1024 * 1024)
      expect(counted).toBeLessThanOrEqual(3 * answer.length)
    })
  })
})

describe("a body", () => {
  it("is decoded as its coding says", () =>
    using(
      httpServer((_, response) =>
        response.setHeader("content-encoding", "br").end(brotliCompressSync("plain".repeat(100)))
      ),
      async (server) => {
        const hop = await hopFor(asking(at(server)))
        expect(textOf(hop)).toBe("plain".repeat(100))
        expect(hop._tag === "HopAnswer" && hop.wireBytes).toBeLessThan(100)
      }
    ))

  it("that is not what its coding says is a fault", () =>
    using(
      httpServer((_, response) => response.setHeader("content-encoding", "gzip").end("plain")),
      async (server) => {
        expect(textOf(await hopFor(asking(at(server))))).toBe("malformed: the body does not decode as gzip")
      }
    ))

  it("of 50 MB is cut at the limit, the connection closed, and no more sent or held", () => {
    const megabyte = Buffer.alloc(1024 * 1024, "x")
    let sent = 0
    const huge = httpServer((_, response) => {
      const more = (): void => {
        while (sent < 50 && !response.destroyed) {
          sent += 1
          if (!response.write(megabyte)) return
        }
        response.end()
      }
      response.on("drain", more)
      more()
    })
    return using(huge, async (server) => {
      const before = process.memoryUsage().arrayBuffers
      const hop = await hopFor(asking(at(server), {}, 1024 * 1024))
      expect(hop).toMatchObject({ _tag: "HopAnswer", cut: true, wireBytes: 1024 * 1024 })
      expect(hop._tag === "HopAnswer" && hop.body.length).toBe(1024 * 1024)
      await expect.poll(server.open).toBe(0)
      expect(sent).toBeLessThan(30)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15 * 1024 * 1024)
    })
  })

  it("without content, whatever its headers say, is empty", () =>
    using(
      rawServer("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n"),
      async (server) => {
        expect(await hopFor(asking(at(server)))).toMatchObject({ status: 304, wireBytes: 0, cut: false })
      }
    ))
})

describe("TLS", () => {
  let good: Certificate
  let expired: Certificate
  beforeAll(() => {
    good = certificateFor("docs.example.com")
    expired = certificateFor("docs.example.com", true)
  })
  const over = (server: Loopback): Partial<GuardedHttpOptions> => ({
    allowPrivate: false,
    authorities: [good.cert, expired.cert],
    resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: server.port }]
  })

  it("works where the certificate is trusted, at the address a rule gives", () =>
    using(
      httpsServer((request, response) => response.end(request.headers.host), good),
      async (server) => {
        expect(textOf(await hopFor(asking("https://docs.example.com/"), over(server)))).toBe("docs.example.com")
      }
    ))

  it.each([
    ["another name", "https://other.example.com/", () => good, "the certificate is for another name"],
    ["an expired certificate", "https://docs.example.com/", () => expired, "the certificate has expired"]
  ])("tells %s", (_what, url, certificate, message) =>
    using(
      httpsServer((_, response) => response.end(), certificate()),
      async (server) => {
        expect(textOf(await hopFor(asking(url), over(server)))).toBe(`tls: ${message}`)
        expect(server.connections()).toBe(1)
      }
    )
  )

  it("tells a self-signed certificate", () =>
    using(
      httpsServer((_, response) => response.end(), good),
      async (server) => {
        const hop = await hopFor(asking("https://docs.example.com/"), { ...over(server), authorities: [] })
        expect(textOf(hop)).toBe("tls: the certificate is self-signed")
      }
    ))

  it("tells a port that does not speak it", () =>
    using(rawServer("HTTP/1.1 400 Bad Request\r\n\r\n"), async (server) => {
      expect(textOf(await hopFor(asking("https://docs.example.com/"), over(server)))).toBe(
        "tls: the port does not speak TLS"
      )
    }))

  it("counts into what may come besides a body", () => {
    const body = Buffer.alloc(10 * 1024 * 1024, "x")
    const inSmallRecords = httpsServer((request, response) => {
      if (request.socket instanceof TLSSocket) request.socket.setMaxSendFragment(512)
      response.end(body)
    }, good)
    return using(inSmallRecords, async (server) => {
      const asked = asking("https://docs.example.com/", {}, body.length)
      expect(await hopFor(asked, over(server))).toMatchObject({ _tag: "HopAnswer", cut: false })
      expect(textOf(await hopFor(asked, over(server), { overheadBytes: 1_000 }))).toBe(
        "malformed: more than 1 KB came with the answer besides its body"
      )
    })
  })

  it("counts into the time for connecting", () =>
    using(
      tcpServer(() => undefined),
      async (server) => {
        expect(textOf(await hopFor(asking("https://docs.example.com/"), over(server), { connectMs: 1_000 }))).toBe(
          "connect_timeout: no connection within 1 s"
        )
      }
    ))
})

describe("an audit that shares its machine", () => {
  const body = "x".repeat(60_000)
  /** Exchanges of the first test wait for longer than it; a slow machine meets it for everything else. */
  const exchangeMs = 8_000
  const limits = limitsWith({ ...PATIENT, exchangeMs })

  /** Sends one request after the other under this rule. */
  const bodiesUnder = (admission: BodyAdmission, url: string, count: number): Promise<ReadonlyArray<string>> =>
    Effect.runPromise(
      Effect.flatMap(Transport, ({ send }) =>
        Effect.forEach(Array.from({ length: count }), () => Effect.map(send(asking(url)), textOf))
      ).pipe(
        Effect.provide(guardedHttp(options)),
        Effect.provideService(FetchLimits, limits),
        Effect.provideService(BodyAdmission, admission)
      )
    )

  it("asks once before it holds more than its free bytes, and waits for the answer longer than an exchange may take", () =>
    using(
      httpServer((_, response) => {
        response.end(body)
      }),
      async (server) => {
        let asks = 0
        const later = () => {
          asks += 1
          return pause(exchangeMs + 500)
        }
        expect(await bodiesUnder(bodyAdmission(100_000, later), at(server), 4)).toEqual([body, body, body, body])
        expect(asks).toBe(1)
      }
    ))

  it("asks for nothing while it holds less", () =>
    using(
      httpServer((_, response) => {
        response.end(body)
      }),
      async (server) => {
        const never = () => new Promise<void>(() => {})
        expect(await bodiesUnder(bodyAdmission(120_000, never), at(server), 2)).toEqual([body, body])
      }
    ))

  it("ends an exchange that is given up while it waits", () =>
    using(rawServer(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`), async (server) => {
      const { promise: waits, resolve: isWaiting } = Promise.withResolvers<void>()
      const never = () => {
        isWaiting()
        return new Promise<void>(() => {})
      }
      const given = Effect.gen(function* () {
        const { send } = yield* Transport
        const fiber = yield* Effect.forkChild(send(asking(at(server))))
        yield* Effect.promise(() => waits)
        expect(server.open()).toBe(1)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => expect.poll(server.open).toBe(0))
      }).pipe(
        Effect.provide(guardedHttp(options)),
        Effect.provideService(FetchLimits, limits),
        Effect.provideService(BodyAdmission, bodyAdmission(10_000, never))
      )
      await Effect.runPromise(given)
    }))
})
