import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { auditSample, withSample } from "../../scripts/readmeSample.ts"

const README = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8")

describe("npm run audit", () => {
  it("prints what the README shows, with lines left out where it has an ellipsis, and no sentence cut (renew it with `npm run generated`)", () => {
    const [, sample = ""] = /<!-- sample:begin -->\n```text\n(.*?)…\n```\n<!-- sample:end -->/s.exec(README) ?? []
    expect(sample.trimEnd().split("\n").length).toBeLessThanOrEqual(17)
    expect(sample).not.toMatch(/\w…/)
    expect(sample.split("…\n").length).toBeGreaterThan(1)
    expect(withSample(README, auditSample())).toBe(README)
  })

  it("audits the sample with flags, too", () => {
    expect(auditSample("-v", "--sample", "5")).toContain("docs-ai-readiness")
  })
})
