import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { define } from "../../engine/plugin/Criterion.ts"
import { defineShare } from "../../engine/plugin/DefineShare.ts"
import { count, ratio, share } from "../../engine/plugin/Fact.ts"
import { sampledPages } from "../../engine/plugin/SampledPages.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { caseFaults, forgetfulFaults, ordealFaults, suiteFaults } from "../../engine/testing/CriterionTester.ts"
import { type CriterionEntry, ordeals } from "../../engine/testing/CriterionRun.ts"
import type { Site } from "../../engine/site/Site.ts"

const entry: CriterionEntry = {
  id: "Z1",
  params: {},
  external: null,
  levels: [
    { status: "present", earns: 2 },
    { status: "partial", earns: 1 },
    { status: "absent", earns: 0 }
  ],
  earns: ({ pages }) => (Number(pages) >= 2 ? 2 : Number(pages))
}

const DECLARED = {
  id: "z1",
  revision: 1,
  budget: { requests: 5, megabytes: 1 },
  params: Schema.Struct({}),
  facts: { pages: count("pages") }
}

/** Measures what `body` makes of the site. */
const criterion = (
  body: (site: Site) => Effect.Effect<{ readonly pages: number; readonly message?: string; readonly proof: Exchange }>
) =>
  define({
    ...DECLARED,
    measure: (site) =>
      Effect.map(body(site), ({ message = "Seen.", pages, proof }) => ({
        facts: { pages },
        findings: [{ good: true, message, proof }]
      }))
  })

const honest = criterion((site) =>
  Effect.map(site.get("https://docs.example.com/a"), (proof) => ({
    pages: proof._tag === "Answer" && proof.status === 200 ? 1 : 0,
    proof
  }))
)

const site = { "/": "<h1>Docs</h1>", "/a": "<h1>A</h1>", "/b": "<h1>B</h1>" }

describe("suites", () => {
  test("two cases of one name are refused", () => {
    expect(
      suiteFaults(entry, [
        { name: "x", earns: 2 },
        { name: "x", earns: 1 },
        { name: "y", earns: 0 }
      ])
    ).toEqual(['two cases are named "x"'])
  })

  test("levels that no case reaches are refused", () => {
    expect(
      suiteFaults(entry, [
        { name: "x", earns: 2 },
        { name: "y", earns: "inconclusive" }
      ])
    ).toEqual(['no case reaches the level "partial" with 1 points', 'no case reaches the level "absent" with 0 points'])
  })
})

/** A plugin as JavaScript has it, where no type keeps its author from this. */
const untyped = (body: (site: Site) => unknown) =>
  define({
    ...DECLARED,
    measure: (site) => Effect.sync(() => JSON.parse(JSON.stringify(body(site))) as never)
  })

const seen = (site: Site, message: string) => ({ good: true, message, proof: site.base.exchange })

describe("what an audit refuses or alters", () => {
  test.each([
    [
      "no finding",
      (): unknown => ({ facts: { pages: 0 }, findings: [] }),
      "it gives no finding, so its report would have no summary"
    ],
    [
      "a fact that is not declared",
      (site: Site): unknown => ({ facts: { pages: 0, more: 1 }, findings: [seen(site, "Seen.")] }),
      'it returned the undeclared fact "more"'
    ],
    [
      "a fact that is missing",
      (site: Site): unknown => ({ facts: {}, findings: [seen(site, "Seen.")] }),
      'its fact "pages" is no count'
    ],
    [
      "a fact that cannot be",
      (site: Site): unknown => ({ facts: { pages: -1 }, findings: [seen(site, "Seen.")] }),
      'its fact "pages" is no count'
    ],
    [
      "a long message",
      (site: Site): unknown => ({ facts: { pages: 0 }, findings: [seen(site, "word ".repeat(100).trim())] }),
      "is too long: a report cuts it"
    ],
    [
      "a message of several lines",
      (site: Site): unknown => ({ facts: { pages: 0 }, findings: [seen(site, "One.\nTwo.")] }),
      "quote the site with plainText"
    ],
    [
      "a message that turns the direction of writing",
      (site: Site): unknown => ({ facts: { pages: 0 }, findings: [seen(site, "A \u202Epage.")] }),
      "quote the site with plainText"
    ],
    [
      "an empty message",
      (site: Site): unknown => ({ facts: { pages: 0 }, findings: [seen(site, "")] }),
      "it gives a finding without a message"
    ]
  ])("%s is a fault of a case and of an ordeal", async (_, body, fault) => {
    expect((await caseFaults(untyped(body), entry, { name: "x", site, earns: 0 })).join("\n")).toContain(fault)
    const [ordeal] = ordeals
    expect(ordeal === undefined ? "" : (await ordealFaults(untyped(body), entry, ordeal)).join("\n")).toContain(fault)
  })

  test("an external plugin is run in a thread, from the module that the rubric names, without a network of its own", async () => {
    const rubricFile = fileURLToPath(new URL("../external/criteria/rubric.yaml", import.meta.url))
    const outside = { ...entry, external: { name: "./misbehaving.ts#fetches", rubricFile } }
    const faults = await caseFaults(honest, outside, { name: "x", site, earns: "inconclusive" })
    expect(faults).toEqual([
      expect.stringMatching(
        /^The plugin \.\/misbehaving\.ts#fetches failed: it uses fetch: a plugin reads the site and nothing else \(misbehaving\.ts:\d+:\d+\)\.$/
      )
    ])
  })
})

describe("cases", () => {
  test("a case that comes out as expected has no fault", async () => {
    expect(
      await caseFaults(honest, entry, {
        name: "x",
        site,
        earns: 1,
        facts: { pages: 1 },
        findings: [{ says: "Seen", proof: "/a", good: true }]
      })
    ).toEqual([])
  })

  test("another level, other facts and missing findings are named", async () => {
    const faults = await caseFaults(honest, entry, {
      name: "x",
      site,
      earns: 2,
      facts: { pages: 2 },
      findings: [{ proof: "/b" }]
    })
    expect(faults.map((fault) => fault.slice(0, 30))).toEqual([
      'earns 1 instead of 2: Seen. {"',
      "pages is 1 instead of 2",
      'no finding {"proof":"/b"} amon'
    ])
  })

  test("a finding that cites what was not fetched is refused", async () => {
    const made: Exchange = {
      _tag: "Answer",
      asked: { method: "GET", url: "https://docs.example.com/c", accept: "*/*", agent: "docgauge" },
      url: "https://docs.example.com/c",
      status: 200,
      headers: [],
      body: new Uint8Array(),
      cut: false,
      wireBytes: 0,
      redirects: []
    }
    expect(
      await caseFaults(
        criterion(() => Effect.succeed({ pages: 1, proof: made })),
        entry,
        { name: "x", site, earns: 1 }
      )
    ).toEqual(['"Seen." cites https://docs.example.com/c, which was not fetched'])
  })

  test("a result that depends on which answer arrives first is refused", async () => {
    const racing = criterion((site) =>
      Effect.raceAll(["a", "b", "c", "d"].map((path) => site.get(`https://docs.example.com/${path}`))).pipe(
        Effect.map((proof) => ({ pages: 1, message: `${proof.url} was first`, proof }))
      )
    )
    const [fault] = await caseFaults(racing, entry, { name: "x", site: { ...site, "*": "<h1>Any</h1>" }, earns: 1 })
    expect(fault).toMatch(/^another order of responses gives another result/)
  })

  test("a crash of the plugin fails the case", async () => {
    await expect(
      caseFaults(
        criterion(() => Effect.die(new Error("broken"))),
        entry,
        { name: "x", site, earns: 1 }
      )
    ).rejects.toThrow("broken")
  })
})

describe("missing responses", () => {
  const html =
    '<html lang="en"><title>Docs</title><meta name="owner" content="Docs team"><main><h1>Orders</h1><p>How to place an order.</p></main></html>'
  const shareEntry: CriterionEntry = {
    ...entry,
    levels: entry.levels.slice(0, 1),
    earns: ({ matching }, uncertain = {}) => {
      const { matching: range } = uncertain
      const least = range !== undefined && "at_least" in range ? range.at_least : Number(matching)
      return least >= 0.95 ? 2 : Number(matching) >= 0.95 ? "inconclusive" : 0
    }
  }
  const passing = { name: "all pages have it", site: { "/": html }, earns: 2 } as const
  const meets = ({ meta }: Page): boolean => meta.some(({ name }) => name === "owner")

  test("a plugin that takes pages that did not answer for none at all is refused", async () => {
    const forgets = define({
      ...DECLARED,
      facts: { pages: count("pages"), matching: share("of those, pages that name their owner") },
      measure: async (site) => {
        const { first, pages } = await site.run(sampledPages(site))
        const matching = ratio(pages.filter(meets).length, pages.length)
        return { facts: { pages: pages.length, matching }, findings: [{ good: true, message: "Seen.", proof: first }] }
      }
    })
    expect(await caseFaults(forgets, shareEntry, passing)).toEqual([])
    expect(await forgetfulFaults(forgets, shareEntry, passing)).toEqual([
      "earns 2 where 1 of 14 pages did not answer (503), though with these pages it may earn 2 or 0: " +
        "return `uncertain` and `unanswered`, or use defineShare. Seen."
    ])
  })

  test("one that says what they may change comes through, and so does a case whose start page is none", async () => {
    const minds = defineShare({ id: "z1", where: meets })
    expect(await forgetfulFaults(minds, shareEntry, passing)).toEqual([])
    expect(await forgetfulFaults(minds, shareEntry, { ...passing, site: { "/": { redirect: "/docs" } } })).toEqual([])
  })
})

describe("ordeals", () => {
  const named = (name: string) => {
    const ordeal = ordeals.find((one) => one.name === name)
    if (ordeal === undefined) throw new Error(`no ordeal ${name}`)
    return ordeal
  }

  test("a plugin that earns nothing where there is nothing comes through", async () => {
    expect(await ordealFaults(honest, entry, named("all 404"))).toEqual([])
    expect(await ordealFaults(honest, entry, named("all hang"))).toEqual([])
  })

  test("points for a page that says that there is none are refused, unless they are declared", async () => {
    expect(await ordealFaults(honest, entry, named("soft 404"))).toHaveLength(1)
    expect(await ordealFaults(honest, entry, named("soft 404"), 1)).toEqual([])
  })
})
