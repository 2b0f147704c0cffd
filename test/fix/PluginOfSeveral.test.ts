import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { AuditReport } from "../../engine/audit/Report.ts"
import { idsOf } from "../../engine/fix/site/WritablePlugins.ts"
import { gapIn } from "../../engine/fix/write/Wish.ts"

const { criteria } = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(
  readFileSync(new URL("../golden/client-rendered/report.json", import.meta.url), "utf8")
)
const robots = criteria.find(({ measured }) => measured.plugin === "a3-robots-policy")
if (robots === undefined) throw new Error("the golden report has no criterion of a3-robots-policy")

const full = { ...robots, id: "A3", status: "present", score: robots.max } as const
const missed = { ...robots, id: "A6", status: "absent", score: 0 } as const
const unchecked = { ...robots, id: "A7", status: "inconclusive", score: 0 } as const

describe("a plugin that measures several criteria", () => {
  test("is written for where any of them has points to gain, not the first alone", () => {
    expect(gapIn([full, missed], { only: null })("a3-robots-policy")).toBe(true)
    expect(gapIn([missed, full], { only: null })("a3-robots-policy")).toBe(true)
    expect(gapIn([full, unchecked], { only: null })("a3-robots-policy")).toBe(false)
  })

  test("is named by all of them", () => {
    expect(idsOf({ criteria: [full, missed] }, ["a3-robots-policy", "a4-sitemap"])).toEqual(["A3", "A6"])
  })
})
