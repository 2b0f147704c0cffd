import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { auditSample, README, withSample } from "../../scripts/readmeSample.ts"

describe("npm run audit", () => {
  it("begins as the README shows (renew it with `npm run generated`)", () => {
    const readme = readFileSync(README, "utf8")
    expect(withSample(readme, auditSample())).toBe(readme)
  })

  it("audits the sample with flags, too", () => {
    expect(auditSample("-v", "--sample", "5")).toContain("docs-ai-readiness")
  })
})
