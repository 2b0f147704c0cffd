/** The names in a plugin's code. */
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
  id: "${plugin}",
  // Raise this whenever the same site could give other facts, and pin it in rubric.yaml.
  revision: 1,
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

/**
 * Whether a heading of the page has the words. Write your own check here.
 *
 * @param {import("docgauge/plugin").Page} page
 * @param {string} words
 */
const hasHeading = ({ headings }, words) => headings.some(({ text }) => text.toLowerCase().includes(words.toLowerCase()))
`

/** Its test: a case for each level, and what the suite adds by itself (broken sites, another order of responses). */
export const packageTest = ({ exported, words }: Pick<PluginNames, "exported" | "words">): string =>
  `import { testCriterion } from "docgauge/testing"
import { ${exported} } from "./index.js"

/** @param {string} heading */
const page = (heading) => \`<!doctype html><html lang="en"><title>Docs</title><main><h1>\${heading}</h1><p>An API, and how to call it, in a few plain words.</p></main></html>\`

testCriterion(${exported}, {
  rubric: new URL("rubric.yaml", import.meta.url),
  cases: [
    {
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
    }
  ]
})
`
