import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { grouped } from "../../../engine/plugin/Wording.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import { productToken } from "../../../engine/site/wellknown/RobotsFile.ts"

const GIVEN = {
  markdown: "Markdown of the whole page",
  article: "Markdown of the main content",
  text: "text of the whole page"
} as const

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

  it("are in docs/agents.md as they are here", () => {
    const rows = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8").matchAll(
      /^\| ([^|]+) \| (?:`([^`]+)`|a browser) \| `([^`]+)` \| (yes|no) \| ([^|]+) \|$/gm
    )
    expect([...rows].map(([, ...cells]) => cells)).toEqual(
      NAMED_AGENTS.map(({ accept, converts, keeps, name, robotsToken, userAgent }) => [
        name,
        userAgent.includes(robotsToken) ? robotsToken : undefined,
        robotsToken,
        accept?.includes("text/markdown") === true ? "yes" : "no",
        converts === null
          ? "not published"
          : `${GIVEN[converts]}${keeps === null ? "" : `, ${grouped(keeps)} characters`}`
      ])
    )
  })

  it("leave room for redirects and retries in their requests", () => {
    expect(NAMED_AGENTS.length * 6).toBeLessThanOrEqual(REQUESTS_AS_AGENTS * 0.8)
  })
})
