import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Evidence, type EvidenceOptions } from "../../engine/evidence/Evidence.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import type { HopRequest } from "../../engine/evidence/Transport.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"

const HOST = "https://docs.example.com"
const AMPLE = { requests: 50, bytes: 10_000_000 }

/** Runs `body` behind a door to `site`; `sent` lists the addresses that went out, in order. */
const behindDoor = <A>(
  site: FakeSite,
  body: (door: Evidence["Service"], sent: ReadonlyArray<string>) => Effect.Effect<A>,
  options: Partial<EvidenceOptions> = {},
  limits: Partial<FetchLimits> = {},
  seed = 0
): Effect.Effect<A> => {
  const sent: Array<string> = []
  const spied = Layer.effect(
    Transport,
    Effect.map(Transport, (inner) => ({
      send: (request: HopRequest) =>
        Effect.suspend(() => {
          sent.push(request.asked.url)
          return inner.send(request)
        })
    }))
  ).pipe(Layer.provide(layerFakeSite(site, { seed })))
  const polite = politely().pipe(Layer.provide(spied))
  const door = Evidence.layer({ site: "example.com", canonicalOrigin: null, allowanceOf: () => AMPLE, ...options })
  return Effect.flatMap(Evidence, (evidence) => body(evidence, sent)).pipe(
    Effect.provide(door.pipe(Layer.provide(polite))),
    Effect.provideService(FetchLimits, limitsWith(limits))
  )
}

describe("Evidence", () => {
  it.effect("fetches a URL once, for all callers and in all spellings", () =>
    behindDoor(
      { "/a": "one" },
      Effect.fnUntraced(function* (door, sent) {
        const spellings = [`${HOST}/a`, `${HOST}/a#part`, "HTTPS://DOCS.example.com:443/%61", `${HOST}/b/../a`]
        const [first, ...others] = yield* Effect.forEach(
          ["A1", "A2"],
          (name) => door.collector(name).getAll(spellings),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(sent, [`${HOST}/a`])
        assert.isTrue(
          [...(first ?? []), ...others.flat()].every(
            (exchange) => exchange._tag === "Answer" && exchange.status === 200
          )
        )
        assert.deepStrictEqual(
          (yield* door.journal).map(({ callers }) => callers),
          [["A1", "A2"]]
        )
      })
    )
  )

  it.live("sends what is more urgent before what waits already", () =>
    behindDoor(
      { "*": { body: "there", delayMs: 5 } },
      Effect.fnUntraced(function* (door, sent) {
        const waiting = yield* Effect.forkChild(
          door.collector("leaf").getAll([`${HOST}/1`, `${HOST}/2`, `${HOST}/3`]),
          { startImmediately: true }
        )
        yield* door.collector("site/sample").get(`${HOST}/urgent`)
        yield* Fiber.join(waiting)
        assert.deepStrictEqual(sent, [`${HOST}/1`, `${HOST}/urgent`, `${HOST}/2`, `${HOST}/3`])
      }),
      { allowanceOf: (name) => ({ ...AMPLE, rank: name === "leaf" ? 2 : 0 }) },
      { perHost: 1 }
    )
  )

  it.effect("tells requests apart by method, Accept, agent and body", () =>
    behindDoor(
      { "/a": "one" },
      Effect.fnUntraced(function* (door, sent) {
        yield* door
          .collector("X")
          .getAll([
            `${HOST}/a`,
            { url: `${HOST}/a`, accept: "text/markdown" },
            { url: `${HOST}/a`, agent: "browser" },
            { url: `${HOST}/a`, method: "POST", body: "{}" }
          ])
        assert.strictEqual(sent.length, 4)
      })
    )
  )

  it.effect("follows redirects by hand and shares their hops", () =>
    behindDoor(
      { "/old": { redirect: "/new" }, "/new": "there" },
      Effect.fnUntraced(function* (door, sent) {
        const collector = door.collector("X")
        const [old] = yield* collector.getAll([`${HOST}/old`, `${HOST}/new`])
        assert.strictEqual(old?.url, `${HOST}/new`)
        assert.deepStrictEqual(old?.redirects, [{ url: `${HOST}/old`, status: 301, location: `${HOST}/new` }])
        assert.sameMembers([...sent], [`${HOST}/old`, `${HOST}/new`])
      })
    )
  )

  it.effect("contacts nothing off the site, not even behind a redirect", () =>
    behindDoor(
      { "/out": { redirect: "https://example.org/" }, "https://api.example.com/": "same site" },
      Effect.fnUntraced(function* (door, sent) {
        const kinds = (yield* door
          .collector("X")
          .getAll([
            "https://example.org/",
            `${HOST}/out`,
            "https://api.example.com/",
            "ftp://docs.example.com/",
            "https://me:secret@docs.example.com/",
            "https://docs.example.com:22/"
          ])).map((exchange) => (exchange._tag === "Fault" ? exchange.kind : exchange.status))
        assert.deepStrictEqual(kinds, ["off_site", "off_site", 200, "bad_address", "bad_address", "bad_address"])
        assert.sameMembers([...sent], [`${HOST}/out`, "https://api.example.com/"])
      })
    )
  )

  it.effect("ends redirect loops and long chains", () =>
    behindDoor(
      {
        "/loop": { redirect: "/pool" },
        "/pool": { redirect: "/loop" },
        "/1": { redirect: "/2" },
        "/2": { redirect: "/3" },
        "/3": { redirect: "/4" }
      },
      Effect.fnUntraced(function* (door) {
        const exchanges = yield* door.collector("X").getAll([`${HOST}/loop`, `${HOST}/1`])
        assert.deepStrictEqual(
          exchanges.map((exchange) => exchange._tag === "Fault" && exchange.kind),
          ["redirect_loop", "too_many_redirects"]
        )
      }),
      {},
      { redirects: 2 }
    )
  )

  it.effect("charges asks in the order of asking, whatever order answers come in", () =>
    Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (seed) =>
      behindDoor(
        {
          "/a": "x".repeat(400),
          "/b": "x".repeat(400),
          "/c": "x".repeat(400),
          "/d": "x",
          "/r": { redirect: "/d" },
          "/s": { redirect: "/d" }
        },
        Effect.fnUntraced(function* (door) {
          const exchanges = yield* door
            .collector("X")
            .getAll(["/a", "/b", "/c", "/r", "/s", "/d", "/too-many"].map((path) => HOST + path))
          assert.deepStrictEqual(
            exchanges.map((exchange) => (exchange._tag === "Fault" ? exchange.kind : exchange.body.length)),
            [400, 400, "budget", "budget", "budget", "budget", "budget"]
          )
          assert.deepStrictEqual(
            (yield* door.shortfalls).map(({ count, reason }) => [reason, count]),
            [
              ["bytes", 4],
              ["requests", 1]
            ]
          )
        }),
        { allowanceOf: () => ({ requests: 6, bytes: 900 }) },
        {},
        seed
      )
    )
  )

  it.effect("says which limit was reached in words of a user, without the name of the part that asked", () =>
    behindDoor(
      { "/a": "x".repeat(400), "/b": "x".repeat(700) },
      Effect.fnUntraced(function* (door) {
        const exchanges = yield* door
          .collector("site/sample")
          .getAll(["/a", "/b", "/too-many"].map((path) => HOST + path))
        assert.deepStrictEqual(
          exchanges.flatMap((exchange) => (exchange._tag === "Fault" ? [exchange.message] : [])),
          ["we reached the limit of bytes for such requests", "we reached the limit of 2 such requests"]
        )
      }),
      { allowanceOf: () => ({ requests: 2, bytes: 900 }) }
    )
  )

  it.effect("follows the redirects of every retrieval, which cost a collector nothing", () =>
    behindDoor(
      {
        "/.well-known/mcp.json": { redirect: "/.well-known/mcp.json/" },
        "/.well-known/mcp.json/": { redirect: "/404" },
        "/page": { redirect: "/page/" },
        "/page/": "a page"
      },
      Effect.fnUntraced(function* (door) {
        const exchanges = yield* door
          .collector("X")
          .getAll(["/.well-known/mcp.json", "/page"].map((path) => HOST + path))
        assert.deepStrictEqual(
          exchanges.map((exchange) => (exchange._tag === "Fault" ? exchange.kind : exchange.status)),
          [404, 200]
        )
        assert.deepStrictEqual(
          exchanges.map(({ url }) => url.slice(HOST.length)),
          ["/404", "/page/"]
        )
      }),
      { allowanceOf: () => ({ requests: 2, bytes: 900 }) }
    )
  )

  it.effect("fetches again only where a smaller limit cut the body short", () =>
    behindDoor(
      { "/big": "x".repeat(3_000) },
      Effect.fnUntraced(function* (door, sent) {
        const asPage = yield* door.collector("X").get(`${HOST}/big`)
        const asDocument = yield* door.collector("Y").get({ url: `${HOST}/big`, limit: "document" })
        const again = yield* door.collector("Z").get(`${HOST}/big`)
        assert.deepStrictEqual(
          [asPage, asDocument, again].map(
            (exchange) => exchange._tag === "Answer" && [exchange.body.length, exchange.cut]
          ),
          [
            [1_000, true],
            [3_000, false],
            [1_000, true]
          ]
        )
        assert.strictEqual(sent.length, 2)
      }),
      {},
      { pageBytes: 1_000, documentBytes: 5_000 }
    )
  )

  it.live("gives up when gathering time is over", () =>
    behindDoor(
      { "/a": "one", "/slow": { delayMs: 60_000 } },
      Effect.fnUntraced(function* (door, sent) {
        const slow = yield* door.collector("X").get(`${HOST}/slow`)
        const late = yield* door.collector("X").get(`${HOST}/a`)
        assert.deepStrictEqual(
          [slow, late].map((exchange) => exchange._tag === "Fault" && exchange.kind),
          ["deadline", "deadline"]
        )
        assert.deepStrictEqual(sent, [`${HOST}/slow`])
        assert.strictEqual((yield* door.journal).length, 2)
      }),
      {},
      { gatherMs: 1_000 }
    )
  )

  it.effect("reads the production origin as the audited one where it is told to", () =>
    behindDoor(
      {
        "/llms.txt": "[a](https://www.acme.dev/a) https://www.acme.dev.evil.net/ https://www.acme.development/",
        "/old": { redirect: "https://www.acme.dev/new" },
        "/new": "there"
      },
      Effect.fnUntraced(function* (door) {
        const [file, old] = yield* door.collector("X").getAll([`${HOST}/llms.txt`, `${HOST}/old`])
        assert.strictEqual(
          file?._tag === "Answer" && new TextDecoder().decode(file.body),
          `[a](${HOST}/a) https://www.acme.dev.evil.net/ https://www.acme.development/`
        )
        assert.strictEqual(old?.url, `${HOST}/new`)
      }),
      { canonicalOrigin: { origin: "https://www.acme.dev", as: HOST } }
    )
  )
})
