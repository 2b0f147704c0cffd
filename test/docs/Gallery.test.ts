import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { runInThisContext } from "node:vm"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import * as api from "../../engine/plugin/entry.ts"
import type { FactRecord } from "../../engine/plugin/Fact.ts"
import { register, type RegisteredCriterion } from "../../engine/plugin/Registry.ts"
import { rulesWithoutCode } from "../../engine/plugin/RuleWithoutCode.ts"
import { runSubject, type RunSubject } from "../../engine/testing/CriterionRun.ts"
import type { FakeSite } from "../../engine/testing/FakeSite.ts"

const DOCS = resolve(import.meta.dirname, "../../docs")
const BLOCKS = [...readFileSync(resolve(DOCS, "gallery.md"), "utf8").matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
  ([, language = "", code = ""]) => ({ language, code })
)

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>Docs</title>${head}</head><main><h1>Orders</h1><p>How to place an order, and what comes back.</p>${body}<a href="/openapi.json">API</a></main></html>`

const description = (info: object, operation: object, schema: object): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1", ...info },
    paths: { "/orders": { get: { ...operation, responses: {} } } },
    components: { schemas: { Order: { type: "object", ...schema } } }
  })

const KEPT: FakeSite = {
  "/": page(
    '<meta name="owner" content="Docs team"><meta name="description" content="How to place an order by our API, and what comes back when it fails.">',
    '<h2>Place one</h2><pre><code class="language-sh">curl https://api.acme.dev/orders\ncurl https://api.acme.dev/refunds</code></pre><a href="https://status.acme.dev">Status</a>'
  ),
  "/openapi.json": description(
    { "x-owner": "Docs team" },
    { operationId: "listOrders", "x-stability": "stable" },
    { description: "What a customer has asked for." }
  )
}

const BROKEN: FakeSite = {
  "/": page(
    '<meta name="owner" content=" "><meta name="description" content="Orders">',
    '<h4>Place one</h4><pre><code>some words\nwithout a language</code></pre><a href="https://old.example.com/orders">Old</a>'
  ),
  "/openapi.json": description({}, { operationId: "list_orders", "x-stability": "unsure" }, { description: "Order." })
}

/** Of the rules that take params. */
const PARAMS: Readonly<Record<string, unknown>> = { "old-hosts": { hosts: ["old.example.com"] } }

/** What stands behind `plugin:` or `measure:` in a rubric. */
const ruleOf = ({ code, language }: { readonly code: string; readonly language: string }): RunSubject<FactRecord> => {
  if (language === "yaml") {
    const [[kind, params] = ["", {}]] = Object.entries<unknown>(parse(code).measure)
    const rule = rulesWithoutCode.find(({ id }) => id === `measure-${kind}`)
    if (rule === undefined) throw new Error(`no rule for ${kind}`)
    return { fields: rule.facts, ...Result.getOrThrow(rule.bind(params)) }
  }
  const names = /^import \{ (.*) \} from "docgauge\/plugin"\n/.exec(code)?.[1] ?? ""
  const body = code.replace(/^import .*\n/, "").replace(/export const \w+ =/, "return")
  const rule: RegisteredCriterion = register(runInThisContext(`(({ ${names} }) => { ${body} })`)(api))
  return { fields: rule.facts, ...Result.getOrThrow(rule.bind(PARAMS[rule.id] ?? {})) }
}

/** The share of pages or places that keep the rule. */
const matchingOn = async (rule: RunSubject<FactRecord>, site: FakeSite): Promise<unknown> => {
  const { facts } = await Effect.runPromise(runSubject(rule, "D8", { site }))
  return facts?.["matching"]
}

const lines = (code: string): number => code.split("\n").filter((line) => line.trim() !== "").length

describe("docs/gallery.md", () => {
  it("has ten rules, of at most 5 lines without code, 8 on the API description and 15 on pages", () => {
    expect(BLOCKS).toHaveLength(10)
    for (const { code, language } of BLOCKS) {
      const most = language === "yaml" ? 5 : code.includes("defineSpecRule") ? 8 : 15
      expect(lines(code), code).toBeLessThanOrEqual(most)
    }
  })

  it.each(
    BLOCKS.map((block) => [block.code.split("\n").find((line) => /measure|id:/.test(line)) ?? "", block] as const)
  )("has a rule that tells a site that keeps it from one that does not: %s", async (_, block) => {
    const rule = ruleOf(block)
    const [kept, broken] = [await matchingOn(rule, KEPT), await matchingOn(rule, BROKEN)]
    expect([kept, broken]).toEqual([1, 0])
  })
})

describe("docs/plugin-api.md", () => {
  it("names everything that docgauge/plugin exports", () => {
    const text = readFileSync(resolve(DOCS, "plugin-api.md"), "utf8")
    expect(Object.keys(api).filter((name) => !new RegExp(`\`${name}[\`(,]`).test(text))).toEqual([])
  })
})
