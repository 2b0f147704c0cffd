import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startService, type TestService } from "../TestService.ts"

const words = async (service: TestService, path: string): Promise<string> => (await (await service.ask(path)).text()).replace(/\s+/g, " ")

describe("the documentation of a service without limits", () => {
  let service: TestService
  beforeAll(async () => { service = await startService() })
  afterAll(() => service.stop())

  it.each(["/docs/v1/verify-site.md", "/docs/v1/for-agents.md"])("says so in whole sentences: %s", async (path) => {
    expect(await words(service, path)).not.toMatch(/site no limit|audited no limit|no limit requests/)
  })

  it("says how often a site can be audited", async () => {
    expect(await words(service, "/docs/v1/verify-site.md")).toContain("One client network can audit one site without a limit.")
  })
})

describe("the documentation of a service with limits", () => {
  it("says how often a site can be audited, and how much is sent to it", async () => {
    const service = await startService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h", DOCGAUGE_HOST_BUDGET: "600/1h" } })
    const page = await words(service, "/docs/v1/verify-site.md")
    expect(page).toContain("One client network can audit one site once in 24 hours.")
    expect(page).toContain("All other limits still apply: at most 600 requests in 60 minutes to one registrable domain")
    await service.stop()
  })
})
