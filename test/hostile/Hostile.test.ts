import { expect, it } from "vitest"
import { testThatAuditsEnd } from "./AuditsEnd.ts"
import { hostileSites, worstFamilies } from "./sites/index.ts"

it("audits twenty-five sites at least, of every family, and each site says what it attacks", () => {
  const counts = Object.values(worstFamilies).map((sites) => Object.keys(sites).length)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(25)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(Object.values(hostileSites).filter(({ attacks }) => !/^\S.*\.$/.test(attacks))).toEqual([])
})

testThatAuditsEnd(worstFamilies)
