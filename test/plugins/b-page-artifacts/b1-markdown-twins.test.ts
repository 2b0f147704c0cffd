import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { b1MarkdownTwins } from "../../../plugins/b-page-artifacts/b1-markdown-twins.ts"
import { runCriterion } from "../../../engine/testing/CriterionRun.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { deadEnd, guides, html, markdown, siteOf, versionsOf } from "./Guides.ts"

const pages = siteOf((guide) => html(guide))
const [home, start, keys] = guides

testCriterion(b1MarkdownTwins, {
  cases: [
    {
      name: "every page has a Markdown version",
      site: { ...pages, ...versionsOf(5) },
      earns: 5,
      facts: { pages: 5, with_twin: 1 },
      findings: [
        { says: "All 5 sampled pages have a Markdown version, such as /index.md", proof: "/index.md", good: true }
      ]
    },
    {
      name: "that is negotiated, too, and leads nowhere from the start page",
      site: {
        ...siteOf((guide) => ({
          body: html(guide),
          byAccept: { "text/markdown": { body: deadEnd(guide), type: "text/markdown" } }
        })),
        ...versionsOf(5, deadEnd)
      },
      earns: "partial",
      facts: { with_twin: 1, dead_end: true },
      findings: [{ says: "The Markdown of / is a dead end: it names no index", proof: "/", good: false }]
    },
    {
      name: "declared by each page, at addresses that follow no rule",
      site: {
        ...siteOf((guide) => html(guide, `<link rel="alternate" type="text/markdown" href="/raw?page=${guide.path}">`)),
        ...Object.fromEntries(
          guides.map((guide) => [`/raw?page=${guide.path}`, { body: markdown(guide), type: "text/markdown" }])
        )
      },
      earns: 5
    },
    {
      name: "declared by each page, but at dead links",
      site: siteOf((guide) =>
        html(guide, `<link rel="alternate" type="text/markdown" href="/raw?page=${guide.path}">`)
      ),
      earns: 0,
      findings: [
        {
          says: "No sampled page has a Markdown version. 5 declared versions (on the page or in llms.txt) are dead links.",
          good: false
        },
        { says: "/raw?page=/, declared as the Markdown version of /, returns 404.", good: false }
      ]
    },
    {
      name: "pages of two lines, whose Markdown has no title",
      site: {
        ...siteOf(
          ({ path, title }) =>
            `<!doctype html><title>Parcel</title><nav>${guides.map(({ path }) => `<a href="${path}">${path}</a>`).join("")}</nav><main><p>${title}.</p><p>Call ${path}box.</p></main>`
        ),
        ...versionsOf(5, ({ path, title }) => ({ body: `${title}.\n\nCall ${path}box.\n`, type: "text/markdown" }))
      },
      earns: 5
    },
    {
      name: "a summary of each page, under a title of its own",
      site: {
        ...pages,
        ...versionsOf(
          5,
          ({ paragraphs }) =>
            `# In short\n\n${paragraphs.slice(0, 1).join("").split(" ").slice(0, 8).join(" ")} and so on\n`
        )
      },
      earns: 5
    },
    {
      name: "three of five pages",
      site: { ...pages, ...versionsOf(3) },
      earns: 3,
      facts: { with_twin: 0.6 },
      findings: [{ says: "tried as the Markdown version of", good: false }]
    },
    {
      name: "one page",
      site: { ...pages, "/keys.md": keys === undefined ? "" : markdown(keys) },
      earns: 1,
      facts: { with_twin: 0.2 }
    },
    {
      name: "one URL that every page declares is the Markdown version of one page at most",
      site: {
        ...siteOf((guide) => html(guide, '<link rel="alternate" type="text/markdown" href="/docs.md">')),
        "/docs.md": guides.map(markdown).join("\n")
      },
      earns: 1,
      facts: { with_twin: 0.2 }
    },
    {
      name: "the page itself under another address",
      site: { ...pages, ...versionsOf(5, (guide) => ({ body: html(guide), type: "text/markdown" })) },
      earns: 0,
      facts: { with_twin: 0 },
      findings: [{ says: "is an HTML page, not Markdown", good: false }]
    },
    {
      name: "an error text with status 200",
      site: { ...pages, ...versionsOf(5, () => "# Page not found\n\nThe page you are looking for does not exist.\n") },
      earns: 0,
      findings: [{ says: "is an error message with status 200" }]
    },
    {
      name: "Markdown of something else",
      site: {
        ...pages,
        ...versionsOf(
          5,
          ({ path }) => `# Cookies\n\nThis site stores crumbs of information about visitors (${path}).\n`
        )
      },
      earns: 0,
      findings: [{ says: "is Markdown, but does not contain the page's text" }]
    },
    {
      name: "any address answers with one text",
      site: { ...pages, "*": { body: home === undefined ? "" : markdown(home), type: "text/markdown" } },
      earns: 0
    },
    {
      name: "none",
      site: pages,
      earns: 0,
      findings: [{ says: "We tried 4 of the 5 sampled pages at the usual URLs: none has a Markdown version." }]
    },
    {
      name: "every guess hangs",
      site: {
        ...pages,
        "*": ({ url }) =>
          url.includes("canary") || url.endsWith(".txt") || url.endsWith(".xml")
            ? { status: 404 }
            : { delayMs: Infinity }
      },
      limits: { firstByteMs: 5 },
      earns: "inconclusive",
      findings: [{ says: "We could not fetch the Markdown version of any page" }]
    },
    {
      name: "a stray Markdown file among web pages is no version of any",
      site: {
        ...pages,
        "/": html(
          { path: "/", title: "Parcel documentation", paragraphs: [] },
          "",
          '<p>More in <a href="/HISTORY.md">the history of boxes</a>.</p>'
        ),
        "/HISTORY.md": "# History\n\nBoxes were invented long before warehouses were, and nobody knows by whom.\n"
      },
      earns: 0
    },
    {
      name: "pages that are Markdown themselves",
      url: "/start",
      site: start === undefined ? {} : { "/start": markdown(start) },
      earns: 5
    }
  ]
})

it("B1 calls no declared version dead that leads to another site, which was not asked", async () => {
  const site = {
    ...siteOf((guide) => html(guide, `<link rel="alternate" type="text/markdown" href="/raw?page=${guide.path}">`)),
    ...Object.fromEntries(
      guides.map(({ path }) => [
        `/raw?page=${path}`,
        { status: 302, headers: { location: "https://elsewhere.example/raw" } }
      ])
    )
  }
  const {
    findings: [{ message }]
  } = await Effect.runPromise(runCriterion(b1MarkdownTwins, "docs-ai-readiness", {}, { site }))
  expect(message).toBe("No sampled page has a Markdown version.")
})
