import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import type { Criterion } from "../../engine/plugin/Criterion.ts"
import {
  count,
  define,
  defineShare,
  defineSpecRule,
  metaContent,
  NO_REQUESTS,
  sampledPages,
  stringAt
} from "../../engine/plugin/entry.ts"
import type { FactFields } from "../../engine/plugin/Fact.ts"
import type { FakeSite } from "../../engine/testing/FakeSite.ts"
import { runCriterion } from "../../engine/testing/CriterionRun.ts"

const page = (head: string, body = ""): string =>
  `<!doctype html><html lang="en"><head><title>Docs</title>${head}</head><main><h1>Orders</h1><p>How to place an order, and what comes back.</p>${body}</main></html>`

const OWNED = '<meta name="owner" content="Docs team">'

/** A start page that links to pages `/p1` to `/pN`, each as `answer` says. */
const siteOf = (pages: number, answer: (index: number) => FakeSite[string]): FakeSite => {
  const indices = Array.from({ length: pages }, (_, index) => index + 1)
  return {
    "/": page(OWNED, indices.map((index) => `<a href="/p${index}">Page ${index}</a>`).join("")),
    ...Object.fromEntries(indices.map((index) => [`/p${index}`, answer(index)]))
  }
}

const measured = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  plugin: Criterion<Fields, Params>,
  site: FakeSite,
  params = {}
) => Effect.runPromise(runCriterion(plugin, "D8", params, { site }))

describe("a share of pages", () => {
  const owned = defineShare({
    id: "has-owner",
    params: Schema.Struct({ name: Schema.String }),
    where: (page, { name }) => metaContent(page, name) !== "",
    says: ["names its owner", "name their owner"],
    lacks: "names no owner"
  })
  const selected = defineShare({
    id: "owner-link",
    select: 'main > a[rel~="author"]',
    where: (_page, _params, elements) => elements.some(({ attributes }) => attributes["href"] !== undefined)
  })

  it("is taken over the sampled pages, and says in plain words which of them lack it", async () => {
    const { facts, findings, uncertain } = await measured(
      owned,
      siteOf(3, (index) => page(index === 2 ? "" : OWNED)),
      { name: "OWNER" }
    )
    expect([facts, uncertain]).toEqual([{ pages: 4, matching: 0.75 }, {}])
    expect(findings.map(({ good, message, proof }) => [good, message, new URL(proof.url).pathname])).toEqual([
      [false, "3 of 4 sampled pages name their owner.", "/"],
      [false, "/p2 names no owner.", "/p2"]
    ])
  })

  it("is uncertain by what pages may hold that did not answer, without a word of the author's", async () => {
    const { facts, uncertain } = await measured(
      owned,
      siteOf(12, (index) => (index === 5 ? { status: 503 } : page(OWNED))),
      { name: "owner" }
    )
    expect(facts).toEqual({ pages: 12, matching: 1 })
    expect(uncertain).toEqual({
      pages: { at_least: 12, at_most: 13 },
      matching: { at_least: 0.9231, at_most: 1 }
    })
  })

  it("goes by the elements that a selector selects, among pages in HTML", async () => {
    const { facts } = await measured(
      selected,
      siteOf(3, (index) =>
        index === 3
          ? { type: "text/markdown", body: "# Orders\n\nHow to place an order, and what comes back." }
          : page("", index === 1 ? '<a rel="nofollow author" href="/team">Team</a>' : '<p><a rel="author">Team</a></p>')
      )
    )
    expect(facts).toEqual({ pages: 3, matching: 0.3333 })
  })

  it("does not count pages that the rule is not about", async () => {
    const titled = defineShare({
      id: "long",
      of: ({ title }) => title !== "Docs",
      where: () => true,
      select: "h1"
    })
    const { facts, findings } = await measured(
      titled,
      siteOf(2, () => page(""))
    )
    expect(facts).toEqual({ pages: 0, matching: 0 })
    expect(findings[0]).toMatchObject({
      good: false,
      message: "None of the pages that we read is one that the rule is about."
    })
  })

  it("says of how many pages it speaks where not all of the sampled ones count", async () => {
    const linking = defineShare({ id: "linking", of: ({ url }) => !url.endsWith("/p1"), where: () => true })
    const { findings } = await measured(
      linking,
      siteOf(3, () => page(""))
    )
    expect(findings[0].message).toBe("All 3 pages that the rule is about meet the rule.")
  })

  it.each([
    ["an async function", async () => true, "must not be async: it must return true or false, and returned a promise"],
    ["one that returns a text", () => "Docs team", "must return true or false, and returned a value of type string"]
  ])("takes %s for a mistake of the plugin, not for a page that meets the rule", async (_, where, message) => {
    // As authors without types may write it.
    const code: Parameters<typeof defineShare>[0] = Object.assign({ id: "owner", where: () => true }, { where })
    await expect(
      measured(
        defineShare(code),
        siteOf(1, () => page(""))
      )
    ).rejects.toThrow(message)
  })

  it.each([
    [{ selct: "h1" }, 'defineShare has no option "selct"; it has id, where, of, select'],
    [{ says: "names its owner" }, '"says" of defineShare must be two texts: ["names its owner", "name their owner"]'],
    [{ where: "h1" }, '"where" of defineShare must be a function']
  ])("refuses %o where it is declared", (mistake, message) => {
    const given: object = mistake
    const code: Parameters<typeof defineShare>[0] = Object.assign({ id: "owner", where: () => true }, given)
    expect(() => defineShare(code)).toThrow(message)
  })

  it("fails as a mistake of the plugin if its selector is none", async () => {
    await expect(
      measured(
        defineShare({ id: "x", select: "a:hover", where: () => true }),
        siteOf(1, () => page(""))
      )
    ).rejects.toThrow('the selector "a:hover" cannot be read from ":hover" on')
  })
})

const description = (more: object, info: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1", ...info },
    paths: {
      "/orders": {
        get: { "x-stability": "stable", responses: { 200: { description: "Orders." } } },
        post: { responses: { 201: { description: "Made." } } }
      },
      ...more
    }
  })

describe("a rule on the API description", () => {
  const infoOwner = defineSpecRule({
    id: "info-owner",
    at: "/info",
    where: (info) => stringAt(info, "x-owner") !== "",
    says: ["names its owner", "name their owner"],
    lacks: "names no owner"
  })
  const stable = defineSpecRule({
    id: "stability",
    params: Schema.Struct({ key: Schema.String }),
    at: "operations",
    only: ({ key }) => [key],
    where: (operation, { key }) => stringAt(operation, key) !== "",
    says: ["says how stable it is", "say how stable they are"],
    lacks: "does not say how stable it is"
  })
  const withSpec = (spec: FakeSite[string], more: FakeSite = {}): FakeSite => ({
    "/": page("", '<a href="/openapi.json">OpenAPI</a>'),
    "/openapi.json": spec,
    ...more
  })

  it("reads the value at a pointer", async () => {
    const { facts, findings } = await measured(infoOwner, withSpec(description({}, { "x-owner": "Docs team" })))
    expect(facts).toEqual({ found: true, places: 1, matching: 1 })
    expect(findings[0].message).toBe("/info of the API description names its owner (/openapi.json).")
    const without = await measured(infoOwner, withSpec(description({})))
    expect(without.facts).toEqual({ found: true, places: 1, matching: 0 })
    expect(without.findings[0].message).toBe("/info of the API description names no owner (/openapi.json).")
  })

  it("reads all operations, those in other files too", async () => {
    const { facts, findings } = await measured(
      stable,
      withSpec(description({ "/refunds": { $ref: "refunds.json" }, "/rates": { summary: "Rates" } }), {
        "/refunds.json": JSON.stringify({ get: { "x-stability": "beta", responses: {} } })
      }),
      { key: "x-stability" }
    )
    expect(facts).toEqual({ found: true, places: 3, matching: 0.6667 })
    expect(findings.map(({ message }) => message)).toEqual([
      "2 of 3 operations of the API description say how stable they are (/openapi.json).",
      "POST /orders does not say how stable it is."
    ])
  })

  it("has the parameters, bodies and responses of operations in place, those that refer to others and those of the path too", async () => {
    const seen: Array<unknown> = []
    const listing = defineSpecRule({
      id: "listing",
      at: "operations",
      of: (_value, _params, place) => place.endsWith("/get"),
      where: (operation) => seen.push(operation) > 0,
      says: ["is listed", "are listed"]
    })
    const limit = { name: "limit", in: "query", description: "How many." }
    const spec = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Orders", version: "1" },
      paths: {
        "/orders": {
          parameters: [
            { $ref: "#/components/parameters/Limit" },
            { name: "page", in: "query", description: "Shared." }
          ],
          get: {
            parameters: [{ name: "page", in: "query", description: "Own." }],
            responses: { 200: { $ref: "#/components/responses/Orders" } }
          },
          post: { responses: {} }
        }
      },
      components: {
        parameters: { Limit: limit },
        responses: {
          Orders: {
            description: "Orders.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Orders" } } }
          }
        },
        schemas: { Orders: { type: "array" } }
      }
    })
    const { facts, findings } = await measured(listing, withSpec(spec))
    expect(facts).toEqual({ found: true, places: 1, matching: 1 })
    expect(findings[0].message).toBe("GET /orders of the API description is listed (/openapi.json).")
    expect(seen).toEqual([
      {
        parameters: [{ name: "page", in: "query", description: "Own." }, limit],
        responses: {
          200: {
            description: "Orders.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Orders" } } }
          }
        }
      }
    ])
  })

  it("is inconclusive where the description, or a file of it, did not answer", async () => {
    const run = (site: FakeSite) => measured(stable, site, { key: "x-stability" })
    expect((await run(withSpec({ status: 503 }))).facts).toBeNull()
    const partial = withSpec(description({ "/refunds": { $ref: "refunds.json" } }), {
      "/refunds.json": { status: 503 }
    })
    expect((await run(partial)).facts).toBeNull()
    const elsewhere = withSpec(description({ "/refunds": { $ref: "https://files.example.net/refunds.json" } }))
    expect((await run(elsewhere)).facts).toBeNull()
  })

  it("says that there is none, or none with such places", async () => {
    expect((await measured(infoOwner, { "/": page("") })).facts).toEqual({ found: false, places: 0, matching: 0 })
    const graphql = withSpec("", {
      "/": page("", '<a href="/schema.graphql">GraphQL schema</a>'),
      "/schema.graphql": "type Query { orders: [Order] }\ntype Order { id: ID }"
    })
    const { facts, findings } = await measured(infoOwner, graphql)
    expect(facts).toEqual({ found: false, places: 0, matching: 0 })
    expect(findings[0].message).toContain("is neither JSON nor YAML")
  })
})

describe("a measure", () => {
  const declared = {
    id: "counting",
    revision: 1,
    budget: { requests: 1, megabytes: 1 },
    params: Schema.Struct({}),
    facts: { pages: count("pages") }
  }
  const site = siteOf(2, () => page(""))

  it("may be an async function, which waits for the site by its run", async () => {
    const plugin = define({
      ...declared,
      measure: async (site) => {
        const { first, pages } = await site.run(sampledPages(site))
        const terms = await site.run(site.get("https://docs.example.com/p1"))
        return {
          facts: { pages: pages.length },
          findings: [{ good: true, message: "Seen.", proof: pages.length > 2 ? terms : first }]
        }
      }
    })
    const { facts, findings } = await measured(plugin, site)
    expect([facts, findings[0].proof.url]).toEqual([{ pages: 3 }, "https://docs.example.com/p1"])
    expect((await measured(plugin, { "*": { status: 503 } })).facts).toBeNull()
  })

  it("may be a plain function", async () => {
    const plugin = define({
      ...declared,
      measure: ({ base: { exchange } }) => ({
        facts: { pages: 1 },
        findings: [{ good: true, message: "Seen.", proof: exchange }]
      })
    })
    expect((await measured(plugin, site)).facts).toEqual({ pages: 1 })
  })

  it("that takes an effect for what it gives fails with what to write", async () => {
    const plugin = define({
      ...declared,
      // As in JavaScript, where no type tells.
      measure: async (site) => {
        const sample = JSON.parse(JSON.stringify(site.sample))
        return {
          facts: { pages: sample.pages.length },
          findings: [{ good: true, message: "Seen.", proof: site.base.exchange }]
        }
      }
    })
    await expect(measured(plugin, site)).rejects.toThrow(/await site\.run\(site\.sample\)$/)
  })

  it("that requests a URL without a budget for it fails as a mistake of the plugin", async () => {
    const plugin = define({
      ...declared,
      budget: NO_REQUESTS,
      measure: async (site) => {
        const proof = await site.run(site.get("https://docs.example.com/p1"))
        return { facts: { pages: 1 }, findings: [{ good: true, message: "Seen.", proof }] }
      }
    })
    await expect(measured(plugin, site)).rejects.toThrow(
      "it requests https://docs.example.com/p1, and its budget has no requests"
    )
  })
})
