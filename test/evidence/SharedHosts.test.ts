import { getDomain } from "tldts"
import { describe, expect, it } from "vitest"
import { normalise, SHARED_HOSTS, siteOf } from "../../engine/evidence/Address.ts"

describe("a host whose subdomains belong to different customers", () => {
  it.each([...SHARED_HOSTS])("%s has a site for each of them", (host) => {
    expect([siteOf(`acme.${host}`), siteOf(`v2.acme.${host}`), siteOf(`other.${host}`)]).toEqual([
      `acme.${host}`,
      `acme.${host}`,
      `other.${host}`
    ])
  })

  it.each([...SHARED_HOSTS])("%s is a site of its own, and is missing from the public suffix list", (host) => {
    expect(siteOf(host)).toBe(getDomain(host, { allowPrivateDomains: true }))
    expect(getDomain(`acme.${host}`, { allowPrivateDomains: true })).not.toBe(`acme.${host}`)
  })

  it.each(["acme.gitbook.io", "acme.readthedocs.io", "acme.github.io", "acme.vercel.app"])(
    "%s is one by the public suffix list",
    (host) => {
      expect(siteOf(host)).toBe(host)
    }
  )

  it("is no name that merely ends alike", () => {
    expect([siteOf("docs.notreadme.io"), siteOf("readme.io.dev")]).toEqual(["notreadme.io", "io.dev"])
  })
})

describe("a host with dots at its end", () => {
  it.each(["docs.site.com.", "docs.site.com..", "docs.site.com....."])(
    "%s is of the same site, and the same address",
    (host) => {
      expect([siteOf(host), normalise(`https://${host}/a`)]).toEqual(["site.com", "https://docs.site.com/a"])
    }
  )

  it.each([
    "https://a..b.com/",
    "https://.a.com/",
    "https://../",
    "https://1.2.3.4.5../",
    `https://${"x".repeat(64)}.com/`,
    `https://${"x.".repeat(127)}com/`
  ])("%s is no address", (url) => expect(normalise(url)).toBeNull())

  it("is the IP address that it is without them", () => {
    expect(normalise("http://127.0.0.1../")).toBe("http://127.0.0.1/")
  })
})
