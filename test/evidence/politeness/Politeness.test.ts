import { execFileSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { AskedAs, FaultKind } from "../../../engine/evidence/Exchange.ts"
import { mostSent } from "../../../engine/evidence/AuditBudget.ts"
import { defaultLimits, FetchLimits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { politely, type PolitenessOptions } from "../../../engine/evidence/politeness/Politeness.ts"
import { retryAfterMs } from "../../../engine/evidence/politeness/RateLimits.ts"
import { type Hop, type HopRequest, Transport } from "../../../engine/evidence/Transport.ts"

/** What the fake host does with a request: `after` milliseconds of waiting, then a status or a fault. */
interface Reply {
  readonly after?: number
  readonly status?: number
  readonly headers?: ReadonlyArray<readonly [string, string]>
  readonly fault?: FaultKind
}

interface Fake {
  /** When each request was sent, in milliseconds. */
  readonly sent: ReadonlyArray<number>
  readonly mostAtOnce: () => number
}

const hopOf = (reply: Reply, sentAt: number): Hop => {
  const meta = { peer: null, sentAt, firstByteMs: reply.after ?? 0, attempts: 1 }
  return reply.fault === undefined
    ? {
        _tag: "HopAnswer",
        status: reply.status ?? 200,
        headers: reply.headers ?? [],
        body: new Uint8Array(0),
        cut: false,
        wireBytes: 0,
        meta
      }
    : { _tag: "HopFault", kind: reply.fault, message: "so it is", meta }
}

/** Runs with a polite transport over a host that answers the n-th request as `reply` says. */
const withHost = <A>(
  reply: (count: number, path: string) => Reply,
  work: (
    send: (path: string, method?: "GET" | "POST", wanted?: () => boolean, sentAs?: AskedAs) => Effect.Effect<Hop>,
    fake: Fake
  ) => Effect.Effect<A>,
  {
    requests = defaultLimits.requests,
    retriesPerAudit = defaultLimits.retriesPerAudit,
    ...options
  }: PolitenessOptions & Partial<Pick<FetchLimits, "requests" | "retriesPerAudit">> = {}
): Effect.Effect<A> => {
  const sent: Array<number> = []
  let now = 0
  let most = 0
  const host = Layer.succeed(Transport, {
    send: ({ asked }) =>
      Effect.gen(function* () {
        const sentAt = yield* Clock.currentTimeMillis
        const { after = 0, ...rest } = reply(sent.length, new URL(asked.url).pathname)
        sent.push(sentAt)
        now += 1
        most = Math.max(most, now)
        if (after > 0) yield* Effect.sleep(after)
        now -= 1
        return hopOf({ after, ...rest }, sentAt)
      })
  })
  const asking = (path: string, method: "GET" | "POST" = "GET", wanted = () => true, sentAs?: AskedAs): HopRequest => ({
    wanted,
    asked: {
      method,
      url: path.startsWith("https:") ? path : `https://docs.example.com${path}`,
      accept: "*/*",
      agent: "docgauge",
      ...(sentAs === undefined ? {} : { sentAs })
    },
    limitBytes: 1_000
  })
  return Effect.flatMap(Transport, ({ send }) =>
    work((path, method, wanted, sentAs) => send(asking(path, method, wanted, sentAs)), { sent, mostAtOnce: () => most })
  ).pipe(
    Effect.provide(politely(options).pipe(Layer.provide(host))),
    Effect.provideService(FetchLimits, limitsWith({ requests, retriesPerAudit }))
  )
}

/** Lets the clock run until the work is done. */
const done = <A>(work: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

const statusOf = (hop: Hop): number | string => (hop._tag === "HopAnswer" ? hop.status : hop.kind)

describe("when all is well", () => {
  it.effect("nothing waits", () =>
    withHost(
      () => ({}),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* Effect.all(
          Array.from({ length: 40 }, (_, index) => send(`/${index}`)),
          { concurrency: "unbounded" }
        )
        expect(sent).toEqual(Array.from({ length: 40 }, () => 0))
      })
    )
  )

  it.effect("six at once are asked of a host, and the seventh as soon as one is done", () =>
    withHost(
      () => ({ after: 50 }),
      Effect.fnUntraced(function* (send, { mostAtOnce, sent }) {
        yield* done(
          Effect.all(
            Array.from({ length: 13 }, (_, index) => send(`/${index}`)),
            { concurrency: "unbounded" }
          )
        )
        expect(mostAtOnce()).toBe(6)
        expect(sent).toEqual([0, 0, 0, 0, 0, 0, 50, 50, 50, 50, 50, 50, 100])
      })
    )
  )

  it.effect("hosts do not wait for each other", () =>
    withHost(
      () => ({ after: 50 }),
      Effect.fnUntraced(function* (send, { mostAtOnce }) {
        const paths = Array.from({ length: 12 }, (_, index) =>
          index % 2 === 0 ? `/${index}` : `https://other.example.com/${index}`
        )
        yield* done(
          Effect.all(
            paths.map((path) => send(path)),
            { concurrency: "unbounded" }
          )
        )
        expect(mostAtOnce()).toBe(12)
      })
    )
  )
})

describe("what may pass", () => {
  it.effect("is tried twice more, later each time", () =>
    withHost(
      () => ({ status: 502 }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hop = yield* done(send("/"))
        expect([statusOf(hop), hop.meta.attempts, sent]).toEqual([502, 3, [0, 500, 1_500]])
      })
    )
  )

  it.effect.each<Reply>([
    { status: 429 },
    { status: 502 },
    { status: 503 },
    { status: 504 },
    { fault: "reset" },
    { fault: "refused" },
    { fault: "connect_timeout" }
  ])("and does: %j", (reply) =>
    withHost(
      (count) => (count === 0 ? reply : {}),
      Effect.fnUntraced(function* (send) {
        const hop = yield* done(send("/"))
        expect([statusOf(hop), hop.meta.attempts]).toEqual([200, 2])
      })
    )
  )

  it.effect.each<Reply>([
    { status: 200 },
    { status: 404 },
    { status: 403 },
    { status: 500 },
    { status: 302 },
    { fault: "dns" },
    { fault: "tls" },
    { fault: "not_public" },
    { fault: "bad_address" },
    { fault: "first_byte_timeout" },
    { fault: "stalled" },
    { fault: "exchange_timeout" },
    { fault: "malformed" }
  ])("is not tried again where it will not: %j", (reply) =>
    withHost(
      () => reply,
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(send("/"))
        expect(sent.length).toBe(1)
      })
    )
  )

  it.effect("is not sent again where it may have been carried out", () =>
    withHost(
      () => ({ fault: "reset" }),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(send("/", "POST"))
        expect(sent.length).toBe(1)
      })
    )
  )

  it.effect("is tried a fixed number of times in an audit", () =>
    withHost(
      () => ({ status: 503 }),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(Effect.forEach(Array.from({ length: 5 }), () => send("/"), { concurrency: "unbounded" }))
        expect(sent.length).toBe(5 + 3)
      }),
      { retriesPerAudit: 3 }
    )
  )
})

describe("a request whose turn has come", () => {
  it.effect("is not sent if its callers have left, and that says nothing about the host", () =>
    withHost(
      () => ({}),
      Effect.fnUntraced(function* (send, { sent }) {
        const hop = yield* send("/", "GET", () => false)
        expect(hop).toMatchObject({ _tag: "HopFault", kind: "budget", meta: { attempts: 0 } })
        expect(sent).toEqual([])
      })
    )
  )
})

describe("Retry-After", () => {
  it.effect("is waited out, by everything that goes to the host", () =>
    withHost(
      (count) => (count === 0 ? { status: 429, headers: [["retry-after", "7"]] } : {}),
      Effect.fnUntraced(function* (send, { sent }) {
        const first = yield* Effect.forkChild(send("/a"))
        yield* TestClock.adjust("1 second")
        const second = yield* Effect.forkChild(send("/b"))
        yield* TestClock.adjust("1 minute")
        expect([statusOf(yield* Fiber.join(first)), statusOf(yield* Fiber.join(second)), sent]).toEqual([
          200,
          200,
          [0, 7_000, 8_000]
        ])
      })
    )
  )

  it.effect("is not waited out past the end of gathering", () =>
    withHost(
      () => ({ status: 503, headers: [["retry-after", "60"]] }),
      Effect.fnUntraced(function* (send, { sent }) {
        const started = yield* Clock.currentTimeMillis
        expect(statusOf(yield* send("/"))).toBe(503)
        expect([sent.length, (yield* Clock.currentTimeMillis) - started]).toEqual([1, 0])
      }),
      { deadline: 30_000 }
    )
  )

  it.each([
    [[["retry-after", "0"]], 0],
    [[["retry-after", " 120 "]], 120_000],
    [[["retry-after", "Thu, 01 Jan 1970 00:01:40 GMT"]], 90_000],
    [
      [
        ["date", "Thu, 01 Jan 1970 00:01:00 GMT"],
        ["retry-after", "Thu, 01 Jan 1970 00:01:40 GMT"]
      ],
      40_000
    ],
    [[["retry-after", "Thu, 01 Jan 1970 00:00:01 GMT"]], 0],
    [[["retry-after", "soon"]], null],
    [[["retry-after", "-5"]], null],
    [[["retry-after", "1.5"]], null],
    [[["retry-after", "Thu, nonsense"]], null],
    [[["date", "x"]], null],
    [[], null]
  ] as const)("reads %j", (headers, expected) => {
    expect(retryAfterMs(headers, 10_000)).toBe(expected)
  })

  it("reads a date in the form of asctime as UTC, wherever the machine is", () => {
    const script = `import { retryAfterMs } from "./engine/evidence/politeness/RateLimits.ts"
      console.log(retryAfterMs([["date", "Sun, 06 Nov 1994 08:49:07 GMT"], ["retry-after", "Sun Nov  6 08:49:37 1994"]], 0))`
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      env: { ...process.env, TZ: "Asia/Tokyo" },
      encoding: "utf8"
    })
    expect(printed.trim()).toBe("30000")
  })
})

/** Accepts a fixed number of requests each second, and answers others with 429. */
const limitedTo = (perSecond: number, now: () => number, retryAfter = "2") => {
  let second = -1
  let count = 0
  return (): Reply => {
    const current = Math.floor(now() / 1_000)
    count = current === second ? count + 1 : 1
    second = current
    return count > perSecond ? { status: 429, headers: [["retry-after", retryAfter]] } : { after: 1 }
  }
}

describe("a host that limits the rate", () => {
  const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

  it.effect.each([
    { perSecond: 5, most: 45_000, mostRefused: 10 },
    { perSecond: 10, most: 30_000, mostRefused: 20 },
    { perSecond: 20, most: 16_000, mostRefused: 40 }
  ])(
    "of $perSecond a second has answered 140 requests after $most ms, with at most $mostRefused refused",
    Effect.fnUntraced(function* ({ most, mostRefused, perSecond }) {
      const clock = yield* Clock.Clock
      const reply = limitedTo(perSecond, () => clock.currentTimeMillisUnsafe())
      yield* withHost(
        reply,
        Effect.fnUntraced(function* (send, { sent }) {
          const hops = yield* done(Effect.forEach(paths(140), (path) => send(path), { concurrency: "unbounded" }))
          expect(new Set(hops.map(statusOf))).toEqual(new Set([200]))
          expect(sent.length - 140).toBeLessThanOrEqual(mostRefused)
          expect(Math.max(...sent)).toBeLessThan(most)
          // Only those that were refused first say so.
          expect(hops.filter((hop) => hop.rateLimited === true).length).toBe(
            hops.filter(({ meta }) => meta.attempts > 1).length
          )
        })
      )
    })
  )

  it.effect("is asked again as often as it takes, whatever retries are left", () =>
    withHost(
      (count) => (count < 12 ? { status: 503, headers: [["retry-after", "1"]] } : {}),
      Effect.fnUntraced(function* (send) {
        const hop = yield* done(send("/"))
        expect([statusOf(hop), hop.meta.attempts, hop.rateLimited]).toEqual([200, 13, true])
      }),
      { retriesPerAudit: 0, deadline: 600_000 }
    )
  )

  it.effect("waits longer each time where the host names a time that is too short", () =>
    withHost(
      (count) => (count < 7 ? { status: 429, headers: [["retry-after", "0"]] } : {}),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(send("/"))
        expect(sent.map((at, index) => at - (sent[index - 1] ?? 0))).toEqual([
          0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000
        ])
      })
    )
  )

  it.effect("is not waited for any more after 15.5 seconds where it never names a time", () =>
    withHost(
      () => ({ status: 429 }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hop = yield* done(send("/"))
        expect([statusOf(hop), sent.at(-1)]).toEqual([429, 15_500])
      })
    )
  )

  it.effect("is sent no more than the requests of an audit, repeats among them", () =>
    withHost(
      (count) => (count % 4 === 3 ? {} : { status: 429, headers: [["retry-after", "0"]] }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hops = yield* done(Effect.forEach(paths(20), (path) => send(path), { concurrency: "unbounded" }))
        expect(sent.length).toBe(mostSent(20))
        const outcomes = hops.map(statusOf)
        expect(new Set(outcomes)).toEqual(new Set([200, 429, "rate_limited"]))
        expect(hops.findLast(({ _tag }) => _tag === "HopFault")).toMatchObject({
          message: expect.stringContaining("used up the requests of this audit"),
          meta: { attempts: expect.any(Number) }
        })
      }),
      { requests: 20, deadline: 600_000 }
    )
  )

  it.effect("is sent no more than the requests of an audit where every answer is a redirect", () =>
    withHost(
      () => ({ status: 301, headers: [["location", "/"]] }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hops = yield* done(Effect.forEach(paths(60), (path) => send(path)))
        expect(sent.length).toBe(mostSent(10))
        expect(hops.at(-1)).toMatchObject({
          kind: "too_many_requests",
          message: "we reached the limit of 15 requests of one audit"
        })
      }),
      { requests: 10 }
    )
  )

  it.effect("is sent requests as agents of others on top of those, and no more than 60", () =>
    withHost(
      () => ({ status: 200 }),
      Effect.fnUntraced(function* (send, { sent }) {
        const asAgent = (path: string) => send(path, "GET", () => true, { id: "cursor", userAgent: "Cursor" })
        yield* done(Effect.forEach(paths(20), (path) => send(path)))
        expect(sent.length).toBe(mostSent(10))
        const hops = yield* done(Effect.forEach(paths(61), asAgent))
        expect(sent.length).toBe(mostSent(10) + 60)
        expect(hops.at(-1)).toMatchObject({
          kind: "too_many_requests",
          message: "we reached the limit of 60 requests as agents"
        })
      }),
      { requests: 10 }
    )
  )

  it.effect("is not given up on for URLs with limits of their own that were asked for at once", () =>
    withHost(
      (_, path) =>
        path.startsWith("/limited") ? { after: 50, status: 429, headers: [["retry-after", "3600"]] } : { after: 200 },
      Effect.fnUntraced(function* (send) {
        const limited = Array.from({ length: 5 }, (_, index) => `/limited/${index}`)
        const hops = yield* done(
          Effect.forEach([...limited, ...paths(20)], (path) => send(path), { concurrency: "unbounded" })
        )
        expect(hops.map(statusOf)).toEqual([...Array(5).fill(429), ...Array(20).fill(200)])
      })
    )
  )

  it.effect("is given up on after three answers in a row that ask for more time than there is", () =>
    withHost(
      () => ({ after: 10, status: 429, headers: [["retry-after", "3600"]] }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hops = yield* done(Effect.forEach(paths(20), (path) => send(path)))
        expect(hops.map(statusOf)).toEqual([429, 429, 429, ...Array(17).fill("rate_limited")])
        expect(hops.at(-1)).toMatchObject({
          message: "given up: the site's rate limit lasts longer than the time left for fetching",
          meta: { attempts: 0 }
        })
        expect(sent.length).toBe(3)
      })
    )
  )

  it.effect("is one whose limit is on one URL only: others go on, and that one's answer stands after a while", () =>
    withHost(
      (_, path) => (path === "/limited" ? { status: 429, headers: [["retry-after", "1"]] } : {}),
      Effect.fnUntraced(function* (send, { sent }) {
        const others = Effect.forEach(paths(60), (path) => Effect.andThen(Effect.sleep("1 second"), send(path)))
        const [limited, answers] = yield* done(Effect.all([send("/limited"), others], { concurrency: 2 }))
        expect(new Set(answers.map(statusOf))).toEqual(new Set([200]))
        expect(statusOf(limited)).toBe(429)
        expect(limited.meta.attempts).toBeLessThan(12)
        expect(sent.length).toBe(60 + limited.meta.attempts)
      })
    )
  )

  it.effect("is not one that challenges: no wait ends that", () =>
    withHost(
      () => ({
        status: 429,
        headers: [
          ["x-vercel-mitigated", "challenge"],
          ["retry-after", "5"]
        ]
      }),
      Effect.fnUntraced(function* (send, { sent }) {
        const hop = yield* done(send("/"))
        expect([statusOf(hop), hop.rateLimited, sent]).toEqual([429, undefined, [0, 500, 1_500]])
      })
    )
  )
})

describe("a host that is strained", () => {
  it.effect("is asked less at once, and more again when it is well", () => {
    const width: Array<number> = []
    return withHost(
      (count) => ({ after: 100, status: count < 6 ? 503 : 200 }),
      Effect.fnUntraced(function* (send, { sent }) {
        const many = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 60 }, (_, index) => send(`/${index}`)),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust("10 minutes")
        yield* Fiber.join(many)
        for (const at of new Set(sent)) width.push(sent.filter((time) => time === at).length)
        expect(width[0]).toBe(6)
        // Six at once push back together: that is one reason to halve.
        expect(width[1]).toBe(3)
        expect(Math.max(...width.slice(-4))).toBeGreaterThan(4)
      })
    )
  })

  it.effect("is never asked nothing at all", () =>
    withHost(
      (count) => ({ after: 10, status: count < 30 ? 503 : 200 }),
      Effect.fnUntraced(function* (send) {
        for (let round = 0; round < 31; round++) yield* done(send("/"))
        expect(statusOf(yield* done(send("/")))).toBe(200)
      }),
      { retriesPerAudit: 0 }
    )
  )

  it.effect("shows by being slow", () =>
    withHost(
      (count) => ({ after: count < 6 ? 100 : 5_000 }),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(
          Effect.all(
            Array.from({ length: 18 }, (_, index) => send(`/${index}`)),
            { concurrency: "unbounded" }
          )
        )
        expect(sent.filter((at) => at === 5_100).length).toBe(3)
      })
    )
  )

  it.effect("is not one that is always slow", () =>
    withHost(
      () => ({ after: 5_000 }),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(
          Effect.all(
            Array.from({ length: 12 }, (_, index) => send(`/${index}`)),
            { concurrency: "unbounded" }
          )
        )
        expect(sent.filter((at) => at === 5_000).length).toBe(6)
      })
    )
  )

  it.effect("keeps its place in the queue when a fiber that waits is interrupted", () =>
    withHost(
      () => ({ after: 100 }),
      Effect.fnUntraced(function* (send, { sent }) {
        const running = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
          Effect.forkChild(send(`/${index}`))
        )
        yield* TestClock.adjust(50)
        yield* Effect.forEach(running, Fiber.interrupt)
        expect(statusOf(yield* done(send("/after")))).toBe(200)
        expect(sent.length).toBe(7)
      })
    )
  )
})

describe("a host that lets requests run out of time", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)
  const drip: Reply = { after: 30_000, fault: "exchange_timeout" }

  it.effect("is given up on after five, and nothing more is asked", () =>
    withHost(
      () => drip,
      Effect.fnUntraced(function* (send, { sent }) {
        const started = yield* Clock.currentTimeMillis
        const ended: Array<number> = []
        const hops = yield* done(
          Effect.forEach(
            many(100),
            (path) =>
              Effect.tap(send(path), () =>
                Effect.map(Clock.currentTimeMillis, (now) => {
                  ended.push(now - started)
                })
              ),
            { concurrency: "unbounded" }
          )
        )
        expect(Math.max(...ended)).toBe(30_000)
        // The seventh had its turn when four of six were over.
        expect(sent.length).toBe(7)
        expect(hops.slice(0, 5).map(statusOf)).toEqual(Array(5).fill("exchange_timeout"))
        // The sixth ran out of time at the same moment, so it may be either.
        expect(hops.slice(6).map(statusOf)).toEqual(Array(94).fill("unresponsive"))
        expect(hops[6]).toMatchObject({ meta: { attempts: 1 } })
        expect(hops.at(-1)).toMatchObject({ message: "given up: 5 requests timed out", meta: { attempts: 0 } })
      })
    )
  )

  it.effect("is given up on after five, however many it answered in between", () =>
    withHost(
      (count) => (count % 10 === 9 ? { after: 1_000, fault: "stalled" } : {}),
      Effect.fnUntraced(function* (send, { sent }) {
        const hops = yield* done(Effect.forEach(many(60), (path) => send(path), { concurrency: 1 }))
        expect(sent.length).toBe(50)
        expect(hops.slice(0, 50).filter((hop) => statusOf(hop) === 200).length).toBe(45)
        expect(hops.slice(0, 50).filter((hop) => statusOf(hop) === "stalled").length).toBe(5)
        expect(hops.slice(50).map(statusOf)).toEqual(Array(10).fill("unresponsive"))
      })
    )
  )

  it.effect("ends what is under way, too", () =>
    withHost(
      (count) => (count < 5 ? { after: 1_000, fault: "first_byte_timeout" } : { after: 20_000 }),
      Effect.fnUntraced(function* (send) {
        const hops = yield* done(Effect.forEach(many(6), (path) => send(path), { concurrency: "unbounded" }))
        expect(hops.map(statusOf)).toEqual([...Array(5).fill("first_byte_timeout"), "unresponsive"])
      })
    )
  )

  it.effect("is asked on after four, in a row or not", () =>
    withHost(
      (count) => (count < 3 || count === 20 ? drip : { after: 100 }),
      Effect.fnUntraced(function* (send) {
        const hops = yield* done(Effect.forEach(many(40), (path) => send(path), { concurrency: "unbounded" }))
        expect(hops.filter((hop) => statusOf(hop) === 200).length).toBe(36)
      })
    )
  )

  it.effect("is one host: others are asked on", () =>
    withHost(
      (count) => (count < 6 ? drip : {}),
      Effect.fnUntraced(function* (send) {
        yield* done(Effect.forEach(many(20), (path) => send(path), { concurrency: "unbounded" }))
        expect([statusOf(yield* send("/")), statusOf(yield* send("https://other.example.com/"))]).toEqual([
          "unresponsive",
          200
        ])
      })
    )
  )

  it.effect("is not one that refuses connections or answers with errors", () =>
    withHost(
      (count) => (count % 2 === 0 ? { fault: "refused" } : { status: 503 }),
      Effect.fnUntraced(function* (send, { sent }) {
        yield* done(Effect.forEach(many(20), (path) => send(path), { concurrency: "unbounded" }))
        expect(sent.length).toBe(20)
      }),
      { retriesPerAudit: 0 }
    )
  )
})
