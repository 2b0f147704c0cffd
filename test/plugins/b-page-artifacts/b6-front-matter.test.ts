import { describe, expect, it } from "vitest"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { b6FrontMatter, frontMatterElements } from "../../../plugins/b-page-artifacts/b6-front-matter.ts"
import { type Guide, html, markdown, siteOf, versionsOf } from "./Guides.ts"

const pages = siteOf((guide) => html(guide))

const complete = (guide: Guide): string =>
  `---\ntitle: ${guide.title}\ndescription: >-\n  ${guide.paragraphs[0] ?? ""}\nurl: https://docs.example.com${guide.path}\nlast_updated: 2026-10-01\n---\n\n${markdown(guide)}`

testCriterion(b6FrontMatter, {
  cases: [
    {
      name: "all four",
      site: { ...pages, ...versionsOf(5, complete) },
      earns: 2,
      facts: { versions: 5, title: 1, description: 1, url: 1, updated: 1 },
      findings: [{ says: "All 5 Markdown versions have front matter with a title", good: true }]
    },
    {
      name: "no date",
      site: { ...pages, ...versionsOf(5, (guide) => complete(guide).replace(/last_updated.*\n/, "")) },
      earns: 1,
      facts: { updated: 0 },
      findings: [
        { says: "The front matter of /keys.md has no date of the last change.", proof: "/keys.md", good: false }
      ]
    },
    {
      name: "no front matter",
      site: { ...pages, ...versionsOf(5) },
      earns: 0,
      facts: { versions: 5, title: 0 },
      findings: [{ says: "/index.md has no front matter.", good: false }]
    },
    {
      name: "no Markdown versions",
      site: pages,
      earns: 0,
      facts: { versions: 0 },
      findings: [{ says: "no front matter to read" }]
    },
    {
      name: "a version that did not answer",
      site: { ...pages, ...versionsOf(5, complete), "/keys.md": { status: 503 } },
      earns: 2
    },
    {
      name: "half of the versions did not answer",
      site: { ...pages, ...versionsOf(3, complete), "/tracking.md": { status: 503 }, "/returns.md": { status: 503 } },
      earns: "inconclusive"
    }
  ]
})

describe("front matter", () => {
  it("may quote its values, and spell its keys in several ways", () => {
    expect(
      frontMatterElements('title: "A"\nsummary: \'B\'\ncanonical-URL: /a\nlastUpdated: "October 1, 2026"')
    ).toEqual({ title: true, description: true, url: true, updated: true })
  })

  it("needs values: an empty one, a name without URL and a date without year are none", () => {
    expect(frontMatterElements('title: ""\ndescription:\nurl: guide\nupdated: yesterday')).toEqual({
      title: false,
      description: false,
      url: false,
      updated: false
    })
  })

  it("counts keys at the margin only", () => {
    expect(frontMatterElements("seo:\n  title: A\n  url: /a")).toEqual({
      title: false,
      description: false,
      url: false,
      updated: false
    })
  })
})
