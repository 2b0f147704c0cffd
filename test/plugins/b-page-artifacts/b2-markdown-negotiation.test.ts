import { b2MarkdownNegotiation } from "../../../plugins/b-page-artifacts/b2-markdown-negotiation.ts"
import type { FakeResponse, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { type Guide, guides, html, markdown, siteOf } from "./Guides.ts"

const VARY = { vary: "Accept" }

/** Pages of which the first `many` answer a request for Markdown with `version`. */
const negotiating = (many: number, version: (guide: Guide) => FakeResponse): FakeSite =>
  siteOf((guide) => (guides.indexOf(guide) < many ? { body: html(guide), byAccept: { "text/markdown": version(guide) } } : html(guide)))

testCriterion(b2MarkdownNegotiation, {
  cases: [
    {
      name: "Markdown with its type and Vary",
      site: negotiating(5, (guide) => ({ body: markdown(guide), type: "text/markdown; charset=utf-8", headers: { Vary: "Accept-Encoding, Accept" } })),
      earns: 3,
      facts: { asked: 5, markdown: 1, negotiated: 1 },
      findings: [{ says: "Of 5 pages asked for text/markdown, 5 answered with Markdown, 5 of them", proof: "/", good: true }]
    },
    { name: "four pages of five", site: negotiating(4, (guide) => ({ body: markdown(guide), type: "text/markdown", headers: VARY })), earns: 3 },
    {
      name: "without Vary",
      site: negotiating(5, (guide) => ({ body: markdown(guide), type: "text/markdown", headers: { Vary: "Accept-Encoding" } })),
      earns: 2,
      facts: { markdown: 1, negotiated: 0 },
      findings: [{ says: "answers with Markdown without naming Accept in Vary", good: false }]
    },
    {
      name: "as text/plain",
      site: negotiating(5, (guide) => ({ body: markdown(guide), type: "text/plain", headers: VARY })),
      earns: 2,
      findings: [{ says: "answers with Markdown as text/plain" }]
    },
    { name: "some pages", site: negotiating(2, (guide) => ({ body: markdown(guide), type: "text/markdown", headers: VARY })), earns: 1, facts: { markdown: 0.4 } },
    {
      name: "HTML under the type of Markdown",
      site: negotiating(5, (guide) => ({ body: html(guide), type: "text/markdown", headers: VARY })),
      earns: 0,
      findings: [{ says: "answers a request for Markdown with HTML", good: false }]
    },
    {
      name: "an error text with status 200",
      site: negotiating(5, () => ({ body: "# Page not found\n\nSorry, this page does not exist.\n", type: "text/markdown", headers: VARY })),
      earns: 0,
      findings: [{ says: "with an error text" }]
    },
    { name: "406", site: negotiating(5, () => ({ status: 406, body: "" })), earns: 0, findings: [{ says: "with an error" }] },
    { name: "ignored", site: siteOf((guide) => html(guide)), earns: 0, findings: [{ says: "none answered with Markdown", proof: "/" }] },
    { name: "requests for Markdown are throttled", site: negotiating(5, () => ({ status: 429 })), earns: "inconclusive" }
  ]
})
