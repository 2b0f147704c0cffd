import { expect, it } from "vitest"
import { testThatAuditsEnd } from "./AuditsEnd.ts"
import { hostileSites, worstFamilies } from "./sites/index.ts"

it("audits twenty-five sites at least, of every family, and each site says what it attacks", () => {
  const counts = Object.values(worstFamilies).map((sites) => Object.keys(sites).length)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(25)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(Object.values(hostileSites).filter(({ attacks }) => !/^\S.*\.$/.test(attacks))).toEqual([])
})

/** Plans take as long as audits: CI makes those of a site of each way to grow, `npm run test:endurance` all. */
const PLANNED: ReadonlySet<string> = new Set(["structured-data", "markdown-images", "sitemap-indexes", "openapi-many"])

testThatAuditsEnd(worstFamilies, (name) => PLANNED.has(name))
