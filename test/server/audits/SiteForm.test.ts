import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { domainOf, siteFormOf, sitesAbove } from "../../../engine/evidence/Address.ts"
import { startService, type TestService } from "../TestService.ts"

describe("base_url_norm", () => {
  it.each([
    ["https://docs.site.dev", "docs.site.dev"],
    ["https://www.site.dev/", "site.dev"],
    ["https://DOCS.site.dev..///", "docs.site.dev"],
    ["https://docs.site.dev/index.html", "docs.site.dev"],
    ["https://docs.site.dev/INDEX.HTM", "docs.site.dev"],
    ["https://docs.site.dev/a", "docs.site.dev/a"],
    ["https://docs.site.dev//a", "docs.site.dev/a"],
    ["https://docs.site.dev/a;x", "docs.site.dev/a"],
    ["https://docs.site.dev/a;x=1/;y//index.html;z", "docs.site.dev/a"],
    ["https://docs.site.dev/%61/", "docs.site.dev/a"],
    ["https://docs.site.dev/A", "docs.site.dev/A"],
    ["https://docs.site.dev/index.html/a", "docs.site.dev/index.html/a"],
    ["https://docs.site.dev:8443/a", "docs.site.dev:8443/a"],
    ["https://bücher.dev/ü", "xn--bcher-kva.dev/%C3%BC"]
  ])("of %s is %s", (url, site) => expect(siteFormOf(url)).toBe(site))
})

describe("what a site is below", () => {
  it.each([
    ["docs.site.dev", ["docs.site.dev"]],
    ["docs.site.dev/a/b", ["docs.site.dev", "docs.site.dev/a", "docs.site.dev/a/b"]],
    ["docs.site.dev:8443/a:1", ["docs.site.dev:8443", "docs.site.dev:8443/a:1", "docs.site.dev", "docs.site.dev/a:1"]]
  ])("is itself, its host and the paths between, on a port also without it: %s", (site, above) =>
    expect(sitesAbove(site)).toEqual(above)
  )

  it.each([
    ["docs.site.dev/a", "site.dev"],
    ["docs.site.dev:8443/a", "site.dev"],
    ["one.github.io/a", "one.github.io"],
    ["127.0.0.1:80", "127.0.0.1"]
  ])("is of the registrable domain of its host: %s", (site, domain) => expect(domainOf(site)).toBe(domain))
})

describe("a site's quota", () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { DOCGAUGE_SITE_QUOTA: "1/24h" } })
  })
  afterAll(() => service.stop())

  it("is the same for every spelling of its URL", async () => {
    expect((await service.submit({ base_url: "https://docs.quota.dev/a" })).status).toBe(200)
    for (const path of ["//a", "/a;x", "/a/index.html", "/;y/a"]) {
      const answer = await service.submit({ base_url: `https://docs.quota.dev${path}` })
      expect([path, answer.status, ((await answer.json()) as { readonly code?: string }).code]).toEqual([
        path,
        429,
        "site_quota"
      ])
    }
    expect((await service.submit({ base_url: "https://docs.quota.dev/b" })).status).toBe(200)
  })
})
