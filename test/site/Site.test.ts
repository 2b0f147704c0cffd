import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import { withSampledPages } from "../../engine/plugin/SampledPages.ts"
import { siteBudget } from "./SiteBudget.ts"
import { Evidence } from "../../engine/evidence/Evidence.ts"
import { gatherBase } from "../../engine/site/base/Base.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { makeSite, type SiteUnderAudit } from "../../engine/site/Site.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"

const pageWith = (...links: ReadonlyArray<string>): string =>
  `<!doctype html><html lang="en"><main><h1>Page</h1><p>What a reader wants to know.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main></html>`

const names = Array.from({ length: 12 }, (_, n) => `/page-${String(n).padStart(2, "0")}`)

/** A dozen pages, of which the last takes its time. */
const SITE: FakeSite = {
  "/": pageWith(...names),
  ...Object.fromEntries(names.map((name) => [name, pageWith()])),
  "/page-11": { body: pageWith(), type: "text/html", delayMs: 300 }
}

const withSite = <A, E>(body: (site: SiteUnderAudit) => Effect.Effect<A, E>): Promise<A> => {
  const door = Evidence.layer({ site: "example.com", canonicalOrigin: null, allowanceOf: siteBudget().allowanceOf })
  return Effect.runPromise(
    Effect.gen(function* () {
      const base = yield* gatherBase((yield* Evidence).collector("site/base"), yield* ParserPool, `${FAKE_HOST}/`)
      return yield* body(yield* makeSite({ base, date: "2026-11-22", sampleSize: 20 }))
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.mergeAll(door.pipe(Layer.provide(layerFakeSite(SITE))), ParserPool.layerInline))
    )
  )
}

describe("a site under audit", () => {
  test("gives the first pages of the sample before the last has come", () =>
    withSite(
      Effect.fnUntraced(function* (site) {
        const sample = yield* Effect.forkChild(site.for("A1").sample)
        const opening = yield* site.for("E4").opening
        expect(sample.pollUnsafe()).toBeUndefined()
        const { pages } = yield* Fiber.join(sample)
        expect(pages).toHaveLength(13)
        expect(opening).toEqual(pages.slice(0, 5))
      })
    ))

  test("gives the first pages to a caller that asks for nothing else", () =>
    withSite(
      Effect.fnUntraced(function* (site) {
        expect(yield* site.for("E4").opening).toHaveLength(5)
        expect(site.callersOf("site/sample")).toEqual(["E4"])
      })
    ))

  test("goes on with what the first caller gave up", () =>
    withSite(
      Effect.fnUntraced(function* (site) {
        const first = yield* Effect.forkChild(site.for("A1").sample)
        yield* Effect.sleep(20)
        yield* Fiber.interrupt(first)
        expect((yield* site.for("A2").sample).pages).toHaveLength(13)
        expect(site.callersOf("site/sample")).toEqual(["A1", "A2"])
      })
    ))

  test("lets a criterion that finds ready what it needs go on at once", () =>
    withSite(
      Effect.fnUntraced(function* (site) {
        yield* site.for("A1").sample
        const other = yield* Effect.forkChild(site.for("A2").sample, { startImmediately: true })
        expect(other.pollUnsafe()).toBeDefined()
      })
    ))

  test("lets a criterion that needs all pages begin with what the first ones suffice for", () =>
    withSite(
      Effect.fnUntraced(function* (site) {
        const sample = yield* Effect.forkChild(site.for("A1").sample)
        const { opening } = site.for("B2")
        const [{ pages }, isEarly] = yield* withSampledPages(
          site.for("B2"),
          Effect.map(opening, () => sample.pollUnsafe() === undefined)
        )
        expect(pages).toHaveLength(13)
        expect(isEarly).toBe(true)
      })
    ))
})
