import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { nothingJudged } from "../../engine/rubric/lint/CheckRules.ts"
import { checkRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { pluginsFor } from "../../engine/external/RubricLoading.ts"
import { plugins as builtIn } from "../../plugins/index.ts"
import { HOUSE_RUBRIC_HEADER } from "../harness/HouseRubric.ts"

/** A rubric of one criterion that measures without code. */
const rubricOf = (measure: string, when = "facts.matching >= 0.9"): Uint8Array =>
  new TextEncoder().encode(`${HOUSE_RUBRIC_HEADER}      - id: A1
        ${measure}
        title: Keep the rule
        points: 100
        levels:
          - { status: present, earns: 100, when: "${when}" }
          - { status: absent, earns: 0 }
        why: Because of the rule.
        how: The rule is looked at.
        remedy: { effort: low, steps: [Keep the rule.] }
        references: [{ title: The rule, url: "https://rules.example.com/1" }]
changes:
  - { version: 1.0.0, date: 2026-11-21, what: First release., criteria: all }
`)

const FILE = "house.yaml"

/** Without --allow-plugins. */
const load = (bytes: Uint8Array) =>
  Effect.flatMap(pluginsFor(bytes, FILE, false, builtIn), (plugins) => loadRubric(bytes, FILE, plugins)).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({}))
  )

const problemsOf = (measure: string) =>
  Effect.runPromise(
    Effect.match(load(rubricOf(measure)), {
      onFailure: (error) =>
        error._tag === "RubricInvalid"
          ? error.problems.map(({ column, hint, line, message }) => `${line}:${column} ${message}; ${hint ?? ""}`)
          : [error.message],
      onSuccess: () => []
    })
  )

const page = (head: string, more = ""): string =>
  `<!doctype html><html lang="en"><head><title>Docs</title>${head}</head><main><h1>Orders</h1><p>How to place an order, and what comes back.</p>${more}</main></html>`

const SITE: FakeSite = {
  "/": page(
    '<meta name="owner" content="Docs team">',
    '<a href="/refunds">Refunds</a> <a href="/openapi.json">API</a>'
  ),
  "/refunds": page('<meta name="owner" content="Payments team">', "<footer>© Acme</footer>"),
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1", "x-owner": "Docs team" },
    paths: { "/orders": { get: { "x-stability": "stable", responses: {} }, post: { responses: {} } } }
  })
}

const judged = async (measure: string, when?: string, site: FakeSite = SITE) => {
  const { report } = await Effect.flatMap(load(rubricOf(measure, when)), (rubric) =>
    runAudit({ url: FAKE_HOST, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric })
  ).pipe(Effect.provide(Layer.mergeAll(layerFakeSite(site), ParserPool.layerInline)), Effect.runPromise)
  const [criterion] = report.criteria
  return { status: criterion?.status, summary: criterion?.summary, facts: criterion?.measured.facts }
}

describe("a rule without code", () => {
  it("on pages takes the share of those with an element as wanted, without --allow-plugins", async () => {
    expect(await judged('measure: { pages: { select: "meta[name=owner]", attribute: content } }')).toEqual({
      status: "present",
      summary: "All 2 sampled pages have meta[name=owner] with content.",
      facts: { pages: 2, matching: 1 }
    })
    expect(
      await judged('measure: { pages: { select: "meta[name=owner]", attribute: content, matches: "^Docs [a-z]+$" } }')
    ).toEqual({
      status: "absent",
      summary: '1 of 2 sampled pages has meta[name=owner] with content that matches "^Docs [a-z]+$".',
      facts: { pages: 2, matching: 0.5 }
    })
    expect(
      await judged("measure: { pages: { select: footer, contains: Acme } }", "facts.matching > 0.0")
    ).toMatchObject({ status: "present", facts: { pages: 2, matching: 0.5 } })
  })

  it("on the API description takes the share of places with a value as wanted", async () => {
    expect(await judged("measure: { description: { at: /info, has: x-owner, min_characters: 4 } }")).toEqual({
      status: "present",
      summary: "/info of the API description has x-owner of at least 4 characters (/openapi.json).",
      facts: { found: true, places: 1, matching: 1 }
    })
    expect(await judged("measure: { description: { at: operations, has: x-stability } }")).toMatchObject({
      status: "absent",
      facts: { found: true, places: 2, matching: 0.5 }
    })
  })

  it.each([
    ["facts.matching == 0.0", ["19:50 it earns 100 where no page was judged; ask for one, too: && pages > 0"]],
    ["facts.matching == 0.0 && facts.pages > 0", []],
    ["facts.matching >= 0.9", []]
  ])("is warned of where it earns points though nothing was judged: %s", async (when, warnings) => {
    const bytes = rubricOf("measure: { pages: { select: p } }", when)
    const checked = Effect.flatMap(pluginsFor(bytes, FILE, false, builtIn), (plugins) =>
      checkRubric(bytes, FILE, plugins, nothingJudged)
    ).pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({})))
    const found = (await Effect.runPromise(checked)).warnings
    expect(found.map(({ column, hint, line, message }) => `${line}:${column} ${message}; ${hint ?? ""}`)).toEqual(
      warnings
    )
  })

  it("is inconclusive while pages are missing that could change it", async () => {
    const more = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`/p${index}`, page('<meta name="owner" content="Docs team">')])
    )
    const links = Object.keys(more).map((path) => `<a href="${path}">${path}</a>`)
    const site = {
      "/": page('<meta name="owner" content="Docs team">', links.join(" ")),
      ...more,
      "/p3": { status: 503 }
    }
    const measure = 'measure: { pages: { select: "meta[name=owner]", attribute: content } }'
    expect((await judged(measure, "facts.matching >= 0.95", site)).status).toBe("inconclusive")
    expect((await judged(measure, "facts.matching >= 0.9", site)).status).toBe("present")
  })

  it.each([
    ["measure: { pages: { attribute: content } }", '15:29 "select" is missing; '],
    ['measure: { pages: { select: "a:hover" } }', 'the selector "a:hover" cannot be read from ":hover" on'],
    ["measure: { pages: { select: p, matches: (a)\\1 } }", "without look-around, back references"],
    ["measure: { pages: { select: p, has: x } }", '15:40 unknown key "has"; the keys are select, attribute, equals'],
    [
      "measure: { description: { at: info, has: x-owner } }",
      'expected a JSON pointer, such as "/info", or "operations"'
    ],
    ["measure: { page: { select: p } }", '15:9 "measure" has no "page"; did you mean "pages"?'],
    ["measure: {}", '"measure" takes either "pages" or "description"; such as measure:'],
    [
      "measure: { pages: { select: p } }\n        params: {}",
      '15:9 a criterion with "measure" has no "params"; keep one of the two'
    ]
  ])("that is written %s is refused with its place", async (measure, said) => {
    expect((await problemsOf(measure)).join("\n")).toContain(said)
  })
})
