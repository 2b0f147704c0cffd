import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import type { Asked } from "../../engine/evidence/Exchange.ts"
import { defaultLimits, FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { type Hop, Transport } from "../../engine/evidence/Transport.ts"
import { type FakeSite, type FakeSiteOptions, layerFakeSite } from "../../engine/testing/FakeSite.ts"

const asking = (path: string, more: Partial<Asked> = {}): Asked => ({
  method: "GET",
  url: new URL(path, "https://docs.example.com").href,
  accept: "*/*",
  agent: "docgauge",
  ...more
})

const ask = (site: FakeSite, asked: Asked, limitBytes = 1_000): Promise<Hop> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { send } = yield* Transport
      return yield* send({ asked, limitBytes })
    }).pipe(
      Effect.provide(layerFakeSite(site)),
      Effect.provideService(FetchLimits, Object.assign({}, defaultLimits, { firstByteMs: 5 }))
    )
  )

const textOf = (hop: Hop): string => (hop._tag === "HopAnswer" ? new TextDecoder().decode(hop.body) : hop.kind)

const typeOf = (hop: Hop): string | undefined =>
  hop._tag === "HopAnswer" ? hop.headers.find(([name]) => name === "content-type")?.[1] : undefined

test("what is not in the map is a 404, unless there is an answer for everything else", async () => {
  expect(await ask({ "/": "home" }, asking("/other"))).toMatchObject({ status: 404 })
  expect(textOf(await ask({ "/": "home", "*": "any" }, asking("/other")))).toBe("any")
  expect(textOf(await ask({ "https://api.example.com/v1": "api" }, asking("https://api.example.com/v1")))).toBe("api")
})

test("media types are guessed from the ending, else from the body", async () => {
  const site = {
    "/llms.txt": "# Docs",
    "/page": "<h1>Page</h1>",
    "/data": "{}",
    "/feed": "<?xml version='1.0'?><a/>",
    "/none": { type: null, body: "x" }
  }
  const types = await Promise.all(Object.keys(site).map(async (path) => typeOf(await ask(site, asking(path)))))
  expect(types).toEqual([
    "text/plain; charset=utf-8",
    "text/html; charset=utf-8",
    "application/json",
    "application/xml",
    undefined
  ])
})

test("answers vary by Accept, agent and method, and may be computed", async () => {
  const site: FakeSite = {
    "/": {
      body: "html",
      byAccept: { "text/markdown": "markdown" },
      byAgent: { browser: "browser" },
      byMethod: { POST: ({ body }) => `posted ${body}` }
    }
  }
  expect(textOf(await ask(site, asking("/")))).toBe("html")
  expect(textOf(await ask(site, asking("/", { accept: "text/markdown, */*;q=0.1" })))).toBe("markdown")
  expect(textOf(await ask(site, asking("/", { agent: "browser" })))).toBe("browser")
  expect(textOf(await ask(site, asking("/", { method: "POST", body: "1" })))).toBe("posted 1")
})

test("redirects, faults, hangs and cuts come as the network would have them", async () => {
  expect(await ask({ "/": { redirect: "/new" } }, asking("/"))).toMatchObject({
    status: 301,
    headers: [["location", "/new"]]
  })
  expect(await ask({ "/": { fault: "reset" } }, asking("/"))).toMatchObject({ _tag: "HopFault", kind: "reset" })
  expect(await ask({ "/": { delayMs: Infinity } }, asking("/"))).toMatchObject({
    _tag: "HopFault",
    kind: "first_byte_timeout"
  })
  expect(await ask({ "/": "0123456789" }, asking("/"), 4)).toMatchObject({ cut: true, wireBytes: 10 })
})

test("a seed fixes the order of arrival, and another seed gives another", async () => {
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`)
  const arrivals = (options: FakeSiteOptions): Promise<ReadonlyArray<string>> =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { send } = yield* Transport
        const order: Array<string> = []
        yield* Effect.forEach(
          paths,
          (path) =>
            Effect.tap(send({ asked: asking(path), limitBytes: 10 }), () => Effect.sync(() => order.push(path))),
          { concurrency: "unbounded" }
        )
        return order
      }).pipe(Effect.provide(layerFakeSite({ "*": "x" }, options)))
    )
  expect(await arrivals({})).toEqual(paths)
  expect(await arrivals({ seed: 1 })).toEqual(await arrivals({ seed: 1 }))
  expect(await arrivals({ seed: 1 })).not.toEqual(await arrivals({ seed: 2 }))
})
