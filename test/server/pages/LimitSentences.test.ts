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
  it("is told without a number where a service has no limit, and no token is asked for", async () => {
    const { agents, limits, verify } = await pagesWith({ DOCGAUGE_SITE_QUOTA: "off" })
    expect(verify).toContain("This service does not limit how often a site is audited, so you need no token here.")
    expect(verify).toContain(
      'description: "How the owner of a documentation site publishes a token where a service limits how often a site is audited. This one does not."'
    )
    expect(agents).toContain("You can audit the same site without a limit per client network.")
    expect(limits).toContain("| audits of one site | no limit |")
    expect(limits).toMatch(/\| audits of a \[verified site\]\([^)]*\) \| no limit \|/)
    expect(verify + agents).not.toMatch(/site no limit|audited no limit|no limit requests|instead of without/)
  })

  it("is told with both numbers where owners can verify their sites, and how much is sent to a site", async () => {
    const { agents, bot, limits, verify } = await pagesWith({
      DOCGAUGE_SITE_QUOTA: "1/24h",
      DOCGAUGE_VERIFIED_QUOTA: "1/10m",
      DOCGAUGE_HOST_BUDGET: "600/1h",
      DOCGAUGE_GATHER_SECONDS: "45"
    })
    expect(verify).toContain(
      "One client network can audit one site once in 24 hours. If the site is yours, publish a token on it, and it can be audited once in 10 minutes per network"
    )
    expect(verify).toContain('so that the site can be audited again once in 10 minutes instead of once in 24 hours."')
    expect(verify).toContain(
      "All other limits still apply: at most 600 requests in 60 minutes to one registrable domain"
    )
    expect(bot).toContain("A second request within 10 minutes gets the same report and sends nothing to your site.")
    expect(agents).toContain("You can audit the same site once in 24 hours per client network.")
    expect(limits).toMatch(
      /\| audits of a \[verified site\]\([^)]*\) \| once in 10 minutes \|[^|]*\| `"site";q=1;w=600` \|/
    )
    expect(bot).toContain("share a budget of 600 requests to a registrable domain, refilled evenly over 60 minutes.")
    expect(bot).toContain("It fetches for at most 45 seconds,")
    expect(limits).toContain("| gathering evidence | 45 seconds,")
  })

  it("is told to be the same for all sites where a service verifies none", async () => {
    const { limits, verify } = await pagesWith({ DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_VERIFIED_QUOTA: "off" })
    expect(verify).toContain(
      "One client network can audit one site once in 24 hours. This service verifies no sites, so a token changes nothing here."
    )
    expect(verify).toContain(
      'description: "How the owner of a documentation site publishes a token to have it audited more often, where a service verifies sites. This one does not."'
    )
    expect(limits).toMatch(/\| audits of a \[verified site\]\([^)]*\) \| not verified here \|/)
    expect(verify + limits).not.toContain("without a limit")
  })
})
