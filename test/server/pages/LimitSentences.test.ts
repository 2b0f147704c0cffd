import { describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

const words = async (service: TestService, path: string): Promise<string> => {
  const answer = await service.ask(path)
  expect(answer.status).toBe(200)
  return (await answer.text()).replace(/\s+/g, " ")
}

/** Pages of a service with these settings, by their names. */
const pagesWith = async (env: Readonly<Record<string, string>>) => {
  const service = await startService({ env })
  const page = (name: string) => words(service, `/docs/v1/${name}.md`)
  const pages = {
    verify: await page("verify-site"),
    agents: await page("for-agents"),
    limits: await page("limits"),
    bot: await words(service, "/bot.md")
  }
  await service.stop()
  return pages
}

describe("how often a site can be audited", () => {
  it("is told without a number where a service has no limit", async () => {
    const { agents, limits, verify } = await pagesWith({ DOCGAUGE_SITE_QUOTA: "off" })
    expect(limits).toContain("| audits of one site | no limit |")
    expect(limits).toMatch(/\| audits of a \[verified site\]\([^)]*\) \| no limit \|/)
    expect(agents).toContain("without a limit")
    expect(verify + agents).not.toMatch(/\b(?:once|times) in \d|(?:site|audited) no limit|instead of/)
  })

  it("is told with both numbers where owners can verify their sites, and how much is sent to a site", async () => {
    const { agents, bot, limits, verify } = await pagesWith({
      DOCGAUGE_SITE_QUOTA: "1/24h",
      DOCGAUGE_VERIFIED_QUOTA: "1/10m",
      DOCGAUGE_HOST_BUDGET: "600/1h",
      DOCGAUGE_GATHER_SECONDS: "45"
    })
    for (const number of ["once in 24 hours", "once in 10 minutes", "600 requests in 60 minutes"])
      expect(verify).toContain(number)
    expect(agents).toContain("once in 24 hours")
    expect(limits).toMatch(
      /\| audits of a \[verified site\]\([^)]*\) \| once in 10 minutes \|[^|]*\| `"site";q=1;w=600` \|/
    )
    expect(limits).toContain("| gathering evidence | 45 seconds,")
    for (const number of ["within 10 minutes", "600 requests", "60 minutes", "45 seconds"])
      expect(bot).toContain(number)
  })

  it("is told to be the same for all sites where a service verifies none", async () => {
    const { limits, verify } = await pagesWith({ DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_VERIFIED_QUOTA: "off" })
    expect(verify).toContain("once in 24 hours")
    expect(limits).toMatch(/\| audits of a \[verified site\]\([^)]*\) \| not verified here \|/)
    expect(verify).not.toMatch(/without a limit|instead of/)
  })
})
