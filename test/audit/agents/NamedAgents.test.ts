import { describe, expect, it } from "vitest"
import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import { productToken } from "../../../engine/site/wellknown/RobotsFile.ts"

describe("the named agents", () => {
  it("are at least eight, each with an id of its own that a header can carry", () => {
    expect(NAMED_AGENTS.length).toBeGreaterThanOrEqual(8)
    expect(new Set(NAMED_AGENTS.map(({ id }) => id)).size).toBe(NAMED_AGENTS.length)
    expect(NAMED_AGENTS.filter(({ id }) => !/^[a-z0-9-]{1,40}$/.test(id))).toEqual([])
  })

  it("claim nothing without a source", () => {
    for (const { accept, checked, converts, keeps, sources } of NAMED_AGENTS) {
      expect(accept === null).toBe(sources.accept === null)
      expect(converts === null && keeps === null).toBe(sources.pipeline === null)
      for (const source of Object.values(sources)) if (source !== null) expect(source).toMatch(/^https:\/\/[^\s]+$/)
      expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  it("have headers of one printable line, and a token that robots.txt can name", () => {
    for (const { accept, robotsToken, userAgent } of NAMED_AGENTS) {
      expect(`${userAgent}${accept ?? ""}`).toMatch(/^[\x20-\x7e]+$/)
      expect(productToken(robotsToken)).toBe(robotsToken.toLowerCase())
    }
  })

  it("leave room for redirects and retries in their requests", () => {
    expect(NAMED_AGENTS.length * 6).toBeLessThanOrEqual(REQUESTS_AS_AGENTS * 0.8)
  })
})
