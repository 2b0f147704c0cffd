import { b2MarkdownNegotiation } from "../../../plugins/b-page-artifacts/b2-markdown-negotiation.ts"
import type { FakeResponse, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { deadEnd, type Guide, guides, html, markdown, siteOf } from "./Guides.ts"

const VARY = { vary: "Accept" }

/** Pages of which the first `many` answer a request for Markdown with `version`. */
const negotiating = (many: number, version: (guide: Guide) => FakeResponse): FakeSite =>
  siteOf((guide) =>
    guides.indexOf(guide) < many ? { body: html(guide), byAccept: { "text/markdown": version(guide) } } : html(guide)
  )

testCriterion(b2MarkdownNegotiation, {
  cases: [
    {
      name: "Markdown with its type and Vary",
      site: negotiating(5, (guide) => ({
        body: markdown(guide),
        type: "text/markdown; charset=utf-8",
        headers: { Vary: "Accept-Encoding, Accept" }
      })),
      earns: 8,
      facts: { asked: 5, markdown: 1, negotiated: 1, lists: 1 },
      findings: [
        {
          says: "All 5 requested pages return Markdown when asked for it, with Content-Type: text/markdown and Vary: Accept.",
          proof: "/",
          good: true
        }
      ]
    },
    {
      name: "no Markdown for large pages, of which we ask as many as we can",
      site: siteOf((guide) => html(guide).replace("</body>", `<p>${"Much more. ".repeat(40_000)}</p></body>`)),
      earns: 0,
      facts: { asked: 2, markdown: 0 }
    },
    {
      name: "Markdown that leads nowhere from the start page",
      site: negotiating(5, (guide) => ({ body: deadEnd(guide), type: "text/markdown", headers: VARY })),
      earns: "partial",
      facts: { negotiated: 1, lists: 1, dead_end: true },
      findings: [{ says: "The Markdown of / is a dead end: it names no index", proof: "/", good: false }]
    },
    {
      name: "four pages of five",
      site: negotiating(4, (guide) => ({ body: markdown(guide), type: "text/markdown", headers: VARY })),
      earns: 8
    },
    {
      name: "Markdown for the bare type alone, HTML for the lists that agents send",
      site: siteOf((guide) => (asked) => ({
        body: asked.accept === "text/markdown" ? markdown(guide) : html(guide),
        type: asked.accept === "text/markdown" ? "text/markdown" : "text/html",
        headers: VARY
      })),
      earns: 3,
      facts: { negotiated: 1, lists: 0 },
      findings: [
        { says: "2 pages that we asked with the lists of 2 coding agents do not return it to them.", good: true },
        {
          says: "returns HTML to a request for Markdown that names other types, too, as coding agents do (Accept: text/markdown, text/html, */*).",
          good: false
        }
      ]
    },
    {
      name: "Markdown for one of the lists that agents send",
      site: siteOf((guide) => (asked) => ({
        body: asked.accept.includes("text/html") ? html(guide) : markdown(guide),
        type: asked.accept.includes("text/html") ? "text/html" : "text/markdown",
        headers: VARY
      })),
      earns: 3,
      facts: { negotiated: 1, lists: 0 }
    },
    {
      name: "the lists that agents send are throttled",
      site: siteOf(
        (guide) => (asked) =>
          asked.accept === "text/markdown"
            ? { body: markdown(guide), type: "text/markdown", headers: VARY }
            : asked.accept.startsWith("text/markdown")
              ? { status: 429 }
              : html(guide)
      ),
      earns: "inconclusive"
    },
    {
      name: "without Vary",
      site: negotiating(5, (guide) => ({
        body: markdown(guide),
        type: "text/markdown",
        headers: { Vary: "Accept-Encoding" }
      })),
      earns: 5,
      facts: { markdown: 1, negotiated: 0 },
      findings: [{ says: "returns Markdown without Vary: Accept", good: false }]
    },
    {
      name: "as text/plain",
      site: negotiating(5, (guide) => ({ body: markdown(guide), type: "text/plain", headers: VARY })),
      earns: 5,
      findings: [{ says: "returns Markdown as text/plain" }]
    },
    {
      name: "some pages",
      site: negotiating(2, (guide) => ({ body: markdown(guide), type: "text/markdown", headers: VARY })),
      earns: 1,
      facts: { markdown: 0.4 }
    },
    {
      name: "HTML under the type of Markdown",
      site: negotiating(5, (guide) => ({ body: html(guide), type: "text/markdown", headers: VARY })),
      earns: 0,
      findings: [{ says: "returns HTML to a request for Markdown", good: false }]
    },
    {
      name: "an error text with status 200",
      site: negotiating(5, () => ({
        body: "# Page not found\n\nSorry, this page does not exist.\n",
        type: "text/markdown",
        headers: VARY
      })),
      earns: 0,
      findings: [{ says: "returns an error message to" }]
    },
    {
      name: "406",
      site: negotiating(5, () => ({ status: 406, body: "" })),
      earns: 0,
      findings: [{ says: "returns an error status to" }]
    },
    {
      name: "ignored",
      site: siteOf((guide) => html(guide)),
      earns: 0,
      findings: [{ says: "No requested page returns Markdown when asked for it.", proof: "/" }]
    },
    {
      name: "files of Markdown among web pages, which answer with Markdown whatever is asked",
      site: siteOf((guide) =>
        guides.indexOf(guide) % 2 === 0
          ? { body: markdown(guide), type: "text/markdown", headers: VARY }
          : html(guide, "", guides.map(({ path }) => `<a href="${path}">${path}</a>`).join(" "))
      ),
      url: "/start",
      earns: 0,
      facts: { asked: 2, markdown: 0 }
    },
    {
      name: "web pages beyond the first five of the sample",
      site: {
        "/": html(
          {
            path: "/",
            title: "Parcel documentation",
            paragraphs: ["Everything on parcels, from the first box to the last one."]
          },
          "",
          [
            ...guides.slice(1).map(({ path }) => `<a href="${path}">${path}</a>`),
            ..."abcde".split("").map((name) => `<a href="/${name}">${name}</a>`)
          ].join(" ")
        ),
        ...Object.fromEntries(
          "abcde".split("").map((name) => [
            `/${name}`,
            {
              body: `# Note ${name}\n\nWhat there is to say about note ${name}, in a sentence of some length.\n`,
              type: "text/markdown"
            }
          ])
        ),
        ...Object.fromEntries(
          guides.slice(1).map((guide) => [
            guide.path,
            {
              body: html(guide),
              byAccept: { "text/markdown": { body: markdown(guide), type: "text/markdown", headers: VARY } }
            }
          ])
        )
      },
      earns: 8,
      facts: { asked: 5, negotiated: 0.8 }
    },
    {
      name: "pages of Markdown alone are asked themselves",
      url: "/start",
      site: { "/start": { body: guides.slice(1, 2).map(markdown).join(""), type: "text/markdown", headers: VARY } },
      earns: 8,
      facts: { asked: 1 }
    },
    {
      name: "requests for Markdown are throttled",
      site: negotiating(5, () => ({ status: 429 })),
      earns: "inconclusive"
    }
  ]
})
