/** What a new plugin measures: a share of the pages, whether something is there, how many there are, or the API description. */
export const PLUGIN_KINDS = ["share", "flag", "count", "spec"] as const

export type PluginKind = (typeof PLUGIN_KINDS)[number]

/** What is written for a plugin of one kind; its author replaces the check. */
interface KindTemplate {
  readonly module: (names: PluginNames) => string
  readonly test: (names: PluginNames) => string
  /** Of the rubric: the condition of the first level, then texts. */
  readonly when: string
  readonly how: string
  readonly step: (words: string) => string
}

const HEADINGS_HOW = "We look for `words` in the headings of the sampled pages, in any case of letters."

/** A heading of a page has the words. */
const HAS_HEADING = `
/**
 * Whether a heading of the page has the words. Write your own check here.
 *
 * @param {import("docgauge/plugin").Page} page
 * @param {string} words
 */
const hasHeading = ({ headings }, words) => headings.some(({ text }) => text.toLowerCase().includes(words.toLowerCase()))
`

const identity = (plugin: string): string => `  id: "${plugin}",
  // Raise this whenever the same site could give other facts, and pin it in rubric.yaml.
  revision: 1,`

const shareModule = ({ exported, plugin, words }: PluginNames): string =>
  `import { defineShare, Schema } from "docgauge/plugin"

/** Which share of the pages has a heading with some words, such as "${words}"? Missing responses are handled by the engine. */
export const ${exported} = defineShare({
${identity(plugin)}
  params: Schema.Struct({ words: Schema.String }),
  meaning: "of those, pages that have the words in a heading",
  where: (page, { words }) => hasHeading(page, words),
  says: ["has the words in a heading", "have the words in a heading"],
  lacks: "has none of the words in a heading"
})
${HAS_HEADING}`

const countModule = ({ exported, plugin, words }: PluginNames): string =>
  `import { between, count, define, isItself, NO_REQUESTS, sampledPages, Schema, someSampled } from "docgauge/plugin"

/** How many pages have a heading with some words, such as "${words}"? */
export const ${exported} = define({
${identity(plugin)}
  // It reads the pages of the sample, and requests nothing else.
  budget: NO_REQUESTS,
  params: Schema.Struct({ words: Schema.String }),
  facts: { found: count("pages with the words in a heading") },
  measure: async (site, { words }) => {
    const { first, missing, pages } = await site.run(sampledPages(site))
    const having = pages.filter((page) => isItself(page) && hasHeading(page, words))
    return {
      facts: { found: having.length },
      // A page that did not answer may have the heading.
      uncertain: { found: between(having.length, having.length + missing.length) },
      unanswered: missing,
      findings: [{
        good: having.length > 0,
        message: \`\${someSampled(having.length, pages, ["has", "have"])} a heading with "\${words}".\`,
        proof: having[0]?.answer ?? first
      }]
    }
  }
})
${HAS_HEADING}`

const specModule = ({ exported, plugin, words }: PluginNames): string =>
  `import { defineSpecRule, Schema, stringAt } from "docgauge/plugin"

/** Which share of the operations of the API description has some words, such as "${words}", in its summary? */
export const ${exported} = defineSpecRule({
${identity(plugin)}
  params: Schema.Struct({ words: Schema.String }),
  // A JSON pointer such as /info or /components/schemas/*, or every operation.
  at: "operations",
  meaning: "of those, operations that have the words in their summary",
  where: (operation, { words }) => stringAt(operation, "summary").toLowerCase().includes(words.toLowerCase()),
  says: ["has the words in its summary", "have the words in their summary"],
  lacks: "has none of the words in its summary"
})
`

/** A test of one plugin: what its cases use, and the cases. */
const testModule = (exported: string, page: string, cases: string): string =>
  `import { testCriterion } from "docgauge/testing"
import { ${exported} } from "./index.js"

${page}
testCriterion(${exported}, {
  rubric: new URL("rubric.yaml", import.meta.url),
  cases: [
${cases}
  ]
})
`

const HEADING_PAGE = `/** @param {string} heading */
const page = (heading) => \`<!doctype html><html lang="en"><title>Docs</title><main><h1>\${heading}</h1><p>An API, and how to call it, in a few plain words.</p></main></html>\`
`

const specTest = ({ exported, words }: PluginNames): string =>
  testModule(
    exported,
    `const page = '<!doctype html><html lang="en"><title>Docs</title><main><h1>Docs</h1><p>An API, and how to call it, in a few plain words.</p><a href="/openapi.json">OpenAPI</a></main></html>'

/** @param {string} summary */
const description = (summary) => JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  paths: { "/orders": { get: { summary, responses: {} } } }
})
`,
    `    {
      name: "an operation has the words",
      site: { "/": page, "/openapi.json": description("All about ${words}") },
      earns: 1,
      facts: { found: true, matching: 1 },
      findings: [{ proof: "/openapi.json", good: true }]
    },
    {
      name: "no operation has the words",
      site: { "/": page, "/openapi.json": description("Orders") },
      earns: 0,
      facts: { matching: 0 },
      findings: [{ proof: "/openapi.json", good: false }]
    },
    { name: "there is no API description", site: { "/": page }, earns: 0, facts: { found: false } }`
  )

/** Its first page has the heading. */
const pagesTest = ({ exported, words }: PluginNames, fact: string): string =>
  testModule(
    exported,
    HEADING_PAGE,
    `    {
      name: "the page has the heading",
      site: { "/": page("All about ${words}") },
      earns: 1,
      facts: { ${fact}: 1 },
      findings: [{ proof: "/", good: true }]
    },
    {
      name: "the page does not have the heading",
      site: { "/": page("Orders") },
      earns: 0,
      facts: { ${fact}: 0 },
      findings: [{ proof: "/", good: false }]
    }`
  )

const headingStep = (words: string): string => `Write a page or a section on ${words}, with these words in its heading.`

export interface PluginNames {
  /** The plugin's id, which is also its name in the rubric: `docs-rules`. */
  readonly plugin: string
  /** Its export: `docsRulesPlugin`. */
  readonly exported: string
  /** What it looks for in headings: `docs rules`. */
  readonly words: string
}

export const HEADINGS_GUIDE = "https://www.w3.org/WAI/tutorials/page-structure/headings/"

/** A plugin that works: it looks for words in headings. Its author replaces the check. */
export const pluginModule = ({ exported, plugin, words }: PluginNames): string =>
  `import { count, define, Effect, eitherUnless, flag, isItself, NO_REQUESTS, pathShown, sampledPages, Schema, someSampled } from "docgauge/plugin"

/** Has a page of the sample a heading with some words, such as "${words}"? */
export const ${exported} = define({
${identity(plugin)}
  // It reads the pages of the sample, and requests nothing else.
  budget: NO_REQUESTS,
  params: Schema.Struct({ words: Schema.String }),
  facts: {
    pages: count("pages of the sample that were fetched"),
    found: flag("one of them has the words in a heading")
  },
  measure: Effect.fn("${plugin}")(function*(site, { words }) {
    const { first, missing, pages } = yield* sampledPages(site)
    const page = pages.find((page) => isItself(page) && hasHeading(page, words))
    return {
      facts: { pages: pages.length, found: page !== undefined },
      // A page that did not answer may have the heading.
      uncertain: { found: eitherUnless(page !== undefined || missing.length === 0) },
      unanswered: missing,
      findings: [{
        good: page !== undefined,
        message: page === undefined ? \`\${someSampled(0, pages, ["has", "have"])} a heading with "\${words}".\` : \`\${pathShown(page.url)} has a heading with "\${words}".\`,
        proof: page === undefined ? first : page.answer
      }]
    }
  })
})
${HAS_HEADING}`

/** Its test: a case for each level, and what the suite adds by itself (broken sites, another order of responses). */
export const packageTest = ({ exported, words }: Pick<PluginNames, "exported" | "words">): string =>
  testModule(
    exported,
    HEADING_PAGE,
    `    {
      name: "a page has the heading",
      site: { "/": page("Orders").replace("</main>", '<a href="/second">Second page</a></main>'), "/second": page("All about ${words}") },
      earns: 1,
      facts: { pages: 2, found: true },
      findings: [{ proof: "/second", good: true }]
    },
    {
      name: "no page has the heading",
      site: { "/": page("Orders") },
      earns: 0,
      facts: { pages: 1, found: false },
      findings: [{ says: 'a heading with "${words}"', proof: "/", good: false }]
    }`
  )

export const kindTemplates: Readonly<Record<PluginKind, KindTemplate>> = {
  share: {
    module: shareModule,
    test: (names) => pagesTest(names, "matching"),
    when: "matching >= 0.8",
    how: HEADINGS_HOW,
    step: headingStep
  },
  flag: { module: pluginModule, test: packageTest, when: "found", how: HEADINGS_HOW, step: headingStep },
  count: {
    module: countModule,
    test: (names) => pagesTest(names, "found"),
    when: "found >= 1",
    how: HEADINGS_HOW,
    step: headingStep
  },
  spec: {
    module: specModule,
    test: specTest,
    when: "matching >= 0.8",
    how: "We look for `words` in the summaries of the operations of the API description, in any case of letters.",
    step: (words) => `Say ${words} in the summary of each operation.`
  }
}
