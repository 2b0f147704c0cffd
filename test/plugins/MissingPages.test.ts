import * as Effect from "effect/Effect"
import { assert, describe, it } from "@effect/vitest"
import type * as Schema from "effect/Schema"
import type { Criterion } from "../../engine/plugin/Criterion.ts"
import type { FactFields } from "../../engine/plugin/Fact.ts"
import { criterionEntryOf, runCriterion } from "../../engine/testing/CriterionRun.ts"
import type { FakeAnswer, FakeSite } from "../../engine/testing/FakeSite.ts"
import { a1LlmsTxt } from "../../plugins/a-discovery/a1-llms-txt.ts"
import { a2FullText } from "../../plugins/a-discovery/a2-full-text.ts"
import { a5EntryPoints } from "../../plugins/a-discovery/a5-entry-points.ts"
import { b1MarkdownTwins } from "../../plugins/b-page-artifacts/b1-markdown-twins.ts"
import { b3MarkdownFaithful } from "../../plugins/b-page-artifacts/b3-markdown-faithful.ts"
import { b4Metadata } from "../../plugins/b-page-artifacts/b4-metadata.ts"
import { c1SpecFound } from "../../plugins/c-api-spec/c1-spec-found.ts"
import { c2SpecValid } from "../../plugins/c-api-spec/c2-spec-valid.ts"
import { d5RateLimits } from "../../plugins/d-content/d5-rate-limits.ts"
import { d7Lifecycle } from "../../plugins/d-content/d7-lifecycle.ts"
import { e1ServerRendered } from "../../plugins/e-hygiene/e1-server-rendered.ts"
import { e2HonestAnswers } from "../../plugins/e-hygiene/e2-honest-answers.ts"
import { e4SameForAgents } from "../../plugins/e-hygiene/e4-same-for-agents.ts"
import { f1McpServer } from "../../plugins/f-agent-surface/f1-mcp-server.ts"
import { f3Instructions } from "../../plugins/f-agent-surface/f3-instructions.ts"

const LIMITED = { status: 429, body: "Slow down\n" } as const

const words = (name: string) =>
  `This page is about ${name}, and what it says of ${name} is long enough to be read as the text of a page about ${name} alone, by people and agents.`

const html = (name: string, more = "") =>
  `<!doctype html><html lang="en"><head><title>${name}</title>${more}</head><body><main><h1>${name}</h1><p>${words(name)}</p></main></body></html>`

const names = Array.from({ length: 20 }, (_, index) => `topic${String(index).padStart(2, "0")}`)

const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${names
  .slice(1)
  .map((name) => `<url><loc>https://docs.example.com/${name}</loc></url>`)
  .join("")}</urlset>`

/** A site of twenty pages, all in its sitemap; the first is the base. */
const pages = (answer: (name: string, index: number) => FakeAnswer, others: FakeSite = {}): FakeSite => ({
  "/sitemap.xml": sitemap,
  ...Object.fromEntries(names.map((name, index) => [index === 0 ? "/" : `/${name}`, answer(name, index)])),
  ...others
})

/** The twenty pages, the last `missing` of them missing, and the first `count` with something more in their head. */
const withMore = (count: number, missing: number, more: string) =>
  pages((name, index) => (index >= 20 - missing ? LIMITED : html(name, index < count ? more : "")), {
    "/all.md": "# All\n\nThe text of every page.\n"
  })

/** The points, or that it is inconclusive; and the facts, with what those may be that are uncertain. */
const judged = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  site: FakeSite
) => {
  const entry = criterionEntryOf(criterion)
  const { facts, uncertain } = await Effect.runPromise(runCriterion(criterion, entry.id, entry.params, { site }))
  return { earns: facts === null ? "inconclusive" : entry.earns(facts, uncertain), facts, uncertain }
}

const earns = async <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  site: FakeSite
) => (await judged(criterion, site)).earns

describe("a share with missing pages", () => {
  const announced = '<link rel="alternate" type="text/markdown" href="/all.md">'

  it("is judged if it reaches the same level at both ends: 16 of 19, with one missing, are 0.80 to 0.85", async () => {
    const { earns, facts, uncertain } = await judged(a5EntryPoints, withMore(16, 1, announced))
    assert.deepStrictEqual([earns, facts?.announcing], [1, 0.8421])
    assert.deepStrictEqual(uncertain["announcing"], { at_least: 0.8, at_most: 0.85 })
  })

  it("is inconclusive if the ends reach different levels: 15 of 19, with one missing, are 0.75 to 0.80", async () => {
    assert.strictEqual(await earns(a5EntryPoints, withMore(15, 1, announced)), "inconclusive")
  })

  it("is certain without a missing page", async () => {
    const { earns, uncertain } = await judged(a5EntryPoints, withMore(15, 0, announced))
    assert.deepStrictEqual([earns, uncertain], ["partial", {}])
  })

  it("is unknown if the page that is missing may have named others: llms.txt, a sitemap, the base", async () => {
    for (const path of ["/llms.txt", "/sitemap.xml", "/"]) {
      assert.strictEqual(
        await earns(a5EntryPoints, { ...withMore(20, 0, announced), [path]: LIMITED }),
        "inconclusive",
        path
      )
    }
  })
})

describe("what may be behind a missing response", () => {
  const whole = pages((name) => html(name))
  const markdown = (name: string) => `# ${name}\n\n${words(name)}\n`

  it("is a Markdown version of its page (B1)", async () => {
    const versions = Object.fromEntries(names.slice(1).map((name) => [`/${name}.md`, markdown(name)]))
    const site = {
      ...whole,
      ...versions,
      "/index.md": markdown("topic00"),
      "/topic05.md": LIMITED,
      "/topic09.md": { status: 404 }
    }
    assert.strictEqual(await earns(b1MarkdownTwins, site), 5)
    const fewer = { ...site, "/topic12.md": { status: 404 } }
    assert.strictEqual(await earns(b1MarkdownTwins, fewer), "inconclusive")
  })

  it("is one of the pages that are compared with their Markdown (B3), and as long as the longest of them", async () => {
    const SENTENCES = [
      "Orders are kept for seven years.",
      "Invoices arrive on Monday morning.",
      "Refunds need a signed letter.",
      "Couriers call before noon.",
      "Glass must be packed twice.",
      "Vouchers lapse at midnight.",
      "Samples cost nothing at all.",
      "Bulky goods go by lorry.",
      "Pickups close during storms.",
      "Keys hang beside the gate.",
      "Forklifts need a licence.",
      "Nobody signs on Sundays."
    ]
    const parts = (name: string, count: number) => SENTENCES.slice(0, count).map((sentence) => `${sentence} (${name})`)
    const page = (name: string) =>
      html(name).replace(
        "</main>",
        `${parts(name, SENTENCES.length)
          .map((part) => `<p>${part}</p>`)
          .join("")}</main>`
      )
    const version = (name: string, kept: number) => `${markdown(name)}\n${parts(name, kept).join("\n\n")}\n`
    const site = (kept: number): FakeSite => ({
      ...pages(page),
      ...Object.fromEntries(names.slice(1).map((name) => [`/${name}.md`, version(name, kept)])),
      "/index.md": version("topic00", kept)
    })
    // One segment of thirteen is missing everywhere; one page of eight adds at most an eighth.
    assert.strictEqual(await earns(b3MarkdownFaithful, site(11)), 4)
    const { earns: points, uncertain } = await judged(b3MarkdownFaithful, { ...site(11), "/topic07": LIMITED })
    assert.deepStrictEqual([points, uncertain["missing"]], [4, { at_least: 0.0673, at_most: 0.1923 }])
    // The whole of what is there: the page that is missing may be without any of it.
    assert.strictEqual(await earns(b3MarkdownFaithful, { ...site(12), "/topic07": LIMITED }), "inconclusive")
    // Four of thirteen are missing everywhere: two pages of eight that have all of it do not bring that below a fifth, three do.
    for (const [first, second] of [
      ["/topic07", "/topic13"],
      ["/topic07.md", "/topic13.md"]
    ] as const) {
      const { earns: few, uncertain: range } = await judged(b3MarkdownFaithful, {
        ...site(8),
        [first]: LIMITED,
        [second]: LIMITED
      })
      assert.deepStrictEqual([few, range["missing"]], [1, { at_least: 0.2308, at_most: 0.4808 }])
    }
    assert.strictEqual(
      await earns(b3MarkdownFaithful, { ...site(8), "/topic02": LIMITED, "/topic07": LIMITED, "/topic13": LIMITED }),
      "inconclusive"
    )
  })

  it("is a description that tells whether others are a template's (B4)", async () => {
    const site = pages((name) =>
      html(
        name,
        `<meta name="description" content="All about ${name}, and everything that one may want to know about it.">`
      )
    )
    const [before, after] = [await judged(b4Metadata, site), await judged(b4Metadata, { ...site, "/topic03": LIMITED })]
    assert.deepStrictEqual(
      [before.facts?.description, after.uncertain["description"]],
      [1, { at_least: 0.95, at_most: 1 }]
    )
  })

  it("is an API description (C1): a 429 from /openapi.json does not say that there is none", async () => {
    assert.strictEqual(await earns(c1SpecFound, whole), 0)
    assert.strictEqual(await earns(c1SpecFound, { ...whole, "/openapi.json": LIMITED }), "inconclusive")
    assert.strictEqual(await earns(c1SpecFound, { ...whole, "/topic07": LIMITED }), "inconclusive")
  })

  it("is a part of the API description (C2)", async () => {
    const description = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Topics", version: "1" },
      paths: { "/topics": { get: { responses: { 200: { $ref: "/parts.json#/Topics" } } } } }
    })
    const site = {
      ...whole,
      "/openapi.json": description,
      "/parts.json": JSON.stringify({ Topics: { description: "The topics." } })
    }
    assert.strictEqual(await earns(c2SpecValid, site), 3)
    assert.strictEqual(await earns(c2SpecValid, { ...site, "/parts.json": LIMITED }), "inconclusive")
  })

  it("is a text about a topic (D5, D7), but what was found stands", async () => {
    const limits = html("Rate limits").replace(
      "</main>",
      "<h2>Rate limits</h2><p>100 requests per minute. Beyond that you get 429 with a Retry-After header.</p></main>"
    )
    assert.strictEqual(await earns(d5RateLimits, { ...whole, "/topic07": LIMITED }), "inconclusive")
    const [before, after] = [
      { ...whole, "/topic05": limits },
      { ...whole, "/topic05": limits, "/topic07": LIMITED }
    ]
    assert.deepStrictEqual([await earns(d5RateLimits, before), await earns(d5RateLimits, after)], [1, 1])
    assert.strictEqual(await earns(d7Lifecycle, { ...whole, "/topic07": LIMITED }), "inconclusive")
  })

  it("is a page with text (E1): pages that answer 429 are not empty", async () => {
    assert.strictEqual(await earns(e1ServerRendered, { ...whole, "/topic07": LIMITED }), 7)
    const half = pages((name, index) => (index % 4 === 3 ? LIMITED : html(name)))
    const { earns: points, facts } = await judged(e1ServerRendered, half)
    assert.deepStrictEqual([points, facts?.pages, facts?.substantive], ["inconclusive", 15, 1])
  })

  it("is an answer to a made-up URL (E2)", async () => {
    const probed = {
      "*": (asked: { readonly url: string }): FakeAnswer =>
        asked.url.endsWith(".txt") && asked.url.includes("canary") ? LIMITED : { status: 404 }
    }
    assert.strictEqual(await earns(e2HonestAnswers, whole), 2)
    assert.strictEqual(await earns(e2HonestAnswers, { ...whole, ...probed }), "inconclusive")
  })

  it("is the same page for a browser (E4): a 429 is not another status", async () => {
    const page = (name: string, browser?: FakeAnswer): FakeAnswer => ({
      headers: { etag: '"1"' },
      body: html(name),
      ...(browser === undefined ? {} : { byAgent: { browser } })
    })
    assert.strictEqual(
      await earns(
        e4SameForAgents,
        pages((name) => page(name))
      ),
      4
    )
    assert.strictEqual(
      await earns(
        e4SameForAgents,
        pages((name, index) => page(name, index === 0 ? LIMITED : undefined))
      ),
      "inconclusive"
    )
  })

  it("is a server card (F1) or a skill (F3)", async () => {
    assert.deepStrictEqual([await earns(f1McpServer, whole), await earns(f3Instructions, whole)], [0, 0])
    assert.strictEqual(await earns(f1McpServer, { ...whole, "/.well-known/mcp.json": LIMITED }), "inconclusive")
    assert.strictEqual(await earns(f3Instructions, { ...whole, "/AGENTS.md": LIMITED }), "inconclusive")
  })

  it("is the llms.txt (A1) or the full text (A2), unless it could not be preferred", async () => {
    const llmsTxt = "# Topics\n\n## All\n\n- [One](/topic01)\n- [Two](/topic02)\n- [Three](/topic03)\n"
    const site = { ...whole, "/llms.txt": llmsTxt, "/docs/llms.txt": LIMITED }
    assert.strictEqual(await earns(a1LlmsTxt, { ...whole, "/docs/llms.txt": LIMITED }), "inconclusive")
    assert.strictEqual(await earns(a1LlmsTxt, { ...whole, "/llms.txt": llmsTxt }), 3)
    assert.strictEqual((await judged(a1LlmsTxt, site)).facts?.links, 3)
    assert.strictEqual(await earns(a2FullText, { ...whole, "/llms-full.txt": LIMITED }), "inconclusive")
    assert.strictEqual(await earns(a2FullText, whole), 0)
  })
})
