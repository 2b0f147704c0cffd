import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { proxiesOf, proxyFor } from "../../../engine/evidence/http/Proxies.ts"

const proxyOf = (url: string, environment: Record<string, string>): string | null => {
  const proxies = proxiesOf(environment)
  return Result.isFailure(proxies) ? proxies.failure : (proxyFor(new URL(url), proxies.success)?.url ?? null)
}

const PROXY = { HTTPS_PROXY: "http://proxy.example:3128", HTTP_PROXY: "proxy.example:8080" }
const SITE = "https://docs.example.com/a"

describe("the proxies of the environment", () => {
  it.each([
    [SITE, {}, null],
    [SITE, PROXY, "http://proxy.example:3128/"],
    ["http://docs.example.com/", PROXY, "http://proxy.example:8080/"],
    ["http://docs.example.com/", { HTTPS_PROXY: "http://proxy.example" }, null],
    [SITE, { ...PROXY, https_proxy: "https://other.example" }, "https://other.example/"],
    [SITE, { ...PROXY, https_proxy: " " }, "http://proxy.example:3128/"],
    ["https://localhost:8443/", PROXY, null],
    ["http://127.1:3000/", PROXY, null],
    ["http://[::1]:3000/", PROXY, null]
  ])("send %s, with %j, through %s", (url, environment, expected) => expect(proxyOf(url, environment)).toBe(expected))

  it.each([
    ["*", true],
    ["docs.example.com", true],
    [".example.com", true],
    ["*.example.com", true],
    ["example.com", true],
    ["EXAMPLE.COM.", true],
    ["other.com, example.com", true],
    ["other.com example.com", true],
    ["docs.example.com:443", true],
    ["docs.example.com:8443", false],
    ["ample.com", false],
    ["in.docs.example.com", false],
    ["s.example.com", false],
    ["", false],
    [",", false],
    ["203.0.113.0/24", false]
  ])("are not used by a host that NO_PROXY=%j excepts", (exceptions, excepted) => {
    expect(proxyOf(SITE, { ...PROXY, NO_PROXY: exceptions }) === null).toBe(excepted)
  })

  it.each([
    ["8.8.8.8", true],
    ["8.8.8.0/24", true],
    ["8.8.9.0/24", false],
    ["2001:db8::/32", false]
  ])("except addresses by NO_PROXY=%j", (exceptions, excepted) => {
    expect(proxyOf("https://8.8.8.8/", { ...PROXY, no_proxy: exceptions }) === null).toBe(excepted)
    expect(proxyOf("https://[2001:db8::7]/", { ...PROXY, no_proxy: "2001:db8::7" })).toBe(null)
  })

  it("keep their login out of their URL", () => {
    const proxies = Result.getOrThrow(proxiesOf({ HTTPS_PROXY: "http://me:p%40ss@proxy.example" }))
    expect(proxies.https).toMatchObject({ authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}` })
    expect(proxies.https?.url).toBe("http://proxy.example/")
  })

  it.each(["socks5://proxy.example", "http://", "http://me:hush@", "http://me:hush%zz@proxy.example"])(
    "are refused for %j, without quoting it",
    (value) => {
      const failure = proxyOf(SITE, { https_proxy: value })
      expect(failure).toMatch(/^https_proxy (?:must be the URL of an HTTP proxy|has a user name or password with a %)/)
      expect(failure).not.toContain("hush")
    }
  )
})
