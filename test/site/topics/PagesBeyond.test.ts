import * as fc from "fast-check"
import { expect, it } from "vitest"
import { pagesBeyond, referenceSearch } from "../../../engine/site/topics/PageSearch.ts"
import { type Sitemaps, sitemaps } from "../../../engine/site/wellknown/Sitemap.ts"
import { topicSearch } from "../../../engine/site/topics/TopicPages.ts"

type File = Sitemaps["files"][number]

const beyond = (count: number) => pagesBeyond({ files: Array<File>(count) })

const counted = [sitemaps, topicSearch, referenceSearch].reduce(
  (sum, { budget }) => (typeof budget === "function" ? sum : sum + budget.requests - (budget.insteadOfOthers ?? 0)),
  0
)

it("of a site with few sitemap files, ten reference pages and forty others may be read", () => {
  expect(beyond(1)).toEqual({ reference: 10, topics: 40 })
})

it("sitemap files and pages together stay within what is counted of their budgets, and some pages are always read", () => {
  fc.assert(
    fc.property(fc.nat(47), (files) => {
      const { reference, topics } = beyond(files)
      expect(files + reference + topics).toBeLessThanOrEqual(counted)
      expect(Math.min(reference, topics)).toBeGreaterThan(0)
    })
  )
})
