import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { siteBudget } from "./SiteBudget.ts"
import { Evidence } from "../../engine/evidence/Evidence.ts"
import { isAnswer } from "../../engine/evidence/Exchange.ts"
import { placeAt } from "../../engine/site/base/Base.ts"
import { probeUrls } from "../../engine/site/wellknown/FileVerdict.ts"
import { requestEarly } from "../../engine/site/Site.ts"
import { llmsCandidates } from "../../engine/site/wellknown/LlmsTxt.ts"
import { FAKE_HOST, layerFakeSite } from "../../engine/testing/FakeSite.ts"

const DOCS = `${FAKE_HOST}/docs`

/** The paths that were asked for, robots.txt and the page itself left out. */
const askedAhead = Effect.fnUntraced(function* () {
  const evidence = yield* Evidence
  const robots = yield* evidence.collector("site/robots").get(`${FAKE_HOST}/robots.txt`)
  const answer = yield* evidence.collector("site/base").get(DOCS)
  if (!isAnswer(answer)) throw new Error("the fake site has the page")
  yield* requestEarly(evidence, { audited: DOCS, answer, robots })
  return (yield* evidence.journal)
    .map(({ request }) => request.asked.url.slice(FAKE_HOST.length))
    .filter((path) => path !== "/robots.txt" && path !== "/docs")
})

const siteWith = (page: string) => {
  const door = Evidence.layer({ site: "example.com", canonicalOrigin: null, allowanceOf: siteBudget().allowanceOf })
  const site = { "/docs": page, "/robots.txt": `Sitemap: ${FAKE_HOST}/map.xml\n` }
  return door.pipe(Layer.provide(layerFakeSite(site)))
}

const LONG = `<h1>Docs</h1><script>if (location.hash) track(location.href)</script><p>${"Words. ".repeat(1_000)}</p>`

describe("early requests", () => {
  it.effect("ask for what every site is asked for, below the base", () =>
    Effect.gen(function* () {
      const probes = probeUrls(placeAt(DOCS, DOCS)).map((url) => url.slice(FAKE_HOST.length))
      expect(new Set(yield* askedAhead())).toEqual(
        new Set([
          "/llms.txt",
          "/docs/llms.txt",
          "/llms-full.txt",
          "/docs/llms-full.txt",
          "/map.xml",
          "/docs/sitemap.xml",
          ...probes
        ])
      )
    }).pipe(Effect.provide(siteWith(LONG)))
  )

  it.effect("cost nothing more when derivations make them again", () =>
    Effect.gen(function* () {
      const before = yield* askedAhead()
      const evidence = yield* Evidence
      const place = placeAt(DOCS, DOCS)
      yield* evidence.collector("site/llms-txt").getAll(llmsCandidates(place))
      yield* evidence.collector("site/not-found-probe").getAll(probeUrls(place))
      expect((yield* evidence.journal).length).toBe(before.length + 2)
      expect(yield* evidence.shortfalls).toEqual([])
    }).pipe(Effect.provide(siteWith(LONG)))
  )

  it.effect("are not made where the page has a meta refresh", () =>
    Effect.gen(function* () {
      expect(yield* askedAhead()).toEqual([])
    }).pipe(Effect.provide(siteWith(`<meta http-equiv="refresh" content="0; url=/docs/latest/">${LONG}`)))
  )

  it.effect("are not made where a short page has a script that redirects", () =>
    Effect.gen(function* () {
      expect(yield* askedAhead()).toEqual([])
    }).pipe(Effect.provide(siteWith("<script>location.replace('/docs/latest/')</script>")))
  )
})
