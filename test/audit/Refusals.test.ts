import { describe, expect, it } from "vitest"
import { refusalOfBase, refusalOfPages } from "../../engine/audit/AuditRequest.ts"
import type { Answer, Exchange, Fault, FaultKind } from "../../engine/evidence/Exchange.ts"
import { failureOf } from "../../engine/evidence/http/HopFailure.ts"
import type { Base } from "../../engine/site/base/Derivation.ts"
import type { Page } from "../../engine/page/Page.ts"
import { pageAt } from "../site/BlankPage.ts"

const AUDITED = "https://docs.example.com"

const asked = { method: "GET", url: AUDITED, accept: "*/*", agent: "docgauge" } as const

const fault = (kind: FaultKind, url = AUDITED): Fault => ({
  _tag: "Fault",
  asked,
  url,
  kind,
  message: "so it is",
  redirects: []
})

const answer = (status: number, type = "text/html"): Answer => ({
  _tag: "Answer",
  asked,
  url: AUDITED,
  status,
  headers: [["content-type", type]],
  body: new Uint8Array(),
  cut: false,
  wireBytes: 0,
  redirects: []
})

const base = (exchange: Exchange, page: Page | null = null, redirects: Base["redirects"] = []): Base => ({
  audited: AUDITED,
  url: exchange.url,
  origin: AUDITED,
  prefix: "/",
  folder: `${AUDITED}/`,
  site: "example.com",
  redirects,
  exchange,
  page
})

const detour = (location: string) => ({ url: AUDITED, status: 301, location, kind: "http" as const })

describe("at the base", () => {
  it.each([
    "dns",
    "refused",
    "tls",
    "connect_timeout",
    "not_public",
    "bad_address",
    "not_recorded",
    "first_byte_timeout",
    "stalled",
    "exchange_timeout",
    "reset",
    "malformed",
    "rate_limited"
  ] as const)("%s ends the audit", (kind) => {
    expect(refusalOfBase(base(fault(kind)))).toMatchObject({
      reason: "unreachable",
      message: `${AUDITED} could not be reached: so it is.`
    })
  })

  it.each(["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT"])(
    "a certificate that is not trusted (%s) is told with how to trust its issuer",
    (code) => {
      const { message } = failureOf(Object.assign(new Error(), { code }))
      const advice = refusalOfBase(base({ ...fault("tls"), message }))?.advice
      expect(advice).toContain("NODE_USE_SYSTEM_CA=1")
      expect(advice).toContain("NODE_OPTIONS=--use-system-ca")
      expect(advice).toContain("NODE_EXTRA_CA_CERTS=ca.pem")
    }
  )

  it.each(["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "ECONNRESET"])(
    "%s is not helped by other certificates, and none are named",
    (code) => {
      const { message } = failureOf(Object.assign(new Error(), { code }))
      expect(refusalOfBase(base({ ...fault("tls"), message }))?.advice).toMatch(/^Check the URL/)
    }
  )

  it.each(["redirect_loop", "too_many_redirects", "budget"] as const)(
    "%s ends the audit: it leads to no page",
    (kind) => {
      expect(refusalOfBase(base(fault(kind)))).toMatchObject({
        reason: "no_page",
        message: `${AUDITED} leads to no page: so it is.`
      })
    }
  )

  it.each([200, 203, 206])("a %d does not", (status) => {
    expect(refusalOfBase(base(answer(status)))).toBeNull()
  })

  it.each([
    [404, "answers 404", "Check the URL. Audit the first page of the documentation."],
    [410, "answers 410", "Check the URL. Audit the first page of the documentation."],
    [302, "answers 302", "Check the URL. Audit the first page of the documentation."],
    [
      401,
      "answers 401",
      "If a firewall or a login protects it, let the user agent docgauge through, then audit it again."
    ],
    [
      403,
      "answers 403",
      "If a firewall or a login protects it, let the user agent docgauge through, then audit it again."
    ],
    [
      429,
      "answers 429: it limits the rate of requests",
      "Audit it again later, or let the user agent docgauge through."
    ],
    [500, "answers 500", "Audit it again once the site works."],
    [503, "answers 503", "Audit it again once the site works."]
  ])("a %d ends the audit, whatever else the site has, and says what to do", (status, told, advice) => {
    expect(refusalOfBase(base(answer(status)))).toEqual({
      reason: "no_page",
      message: `${AUDITED} ${told}, so it was not audited.`,
      advice
    })
  })

  it("a challenge ends the audit, and is told as one", () => {
    const challenge = { ...answer(403), headers: [["cf-mitigated", "challenge"]] } as const
    expect(refusalOfBase(base(challenge))?.message).toBe(
      `${AUDITED} answers 403 with a bot challenge, so it was not audited.`
    )
  })

  it("an error that the base redirects to is told with its URL", () => {
    const at = base({ ...answer(404), url: `${AUDITED}/docs`, redirects: [detour(`${AUDITED}/docs`)] })
    expect(refusalOfBase(at)?.message).toBe(
      `${AUDITED} leads to ${AUDITED}/docs, which answers 404, so it was not audited.`
    )
  })

  it("leaving the site does, and names the address to audit instead", () => {
    const other = "https://elsewhere.example/docs"
    expect(refusalOfBase(base(fault("off_site", other), null, [detour(other)]))).toEqual({
      reason: "left_site",
      message: `${AUDITED} redirects to another site, ${other}.`,
      advice: `Audit that URL instead: docgauge ${other}`
    })
  })

  it("leading to a site that an operator has blocked ends the audit, whether that is the URL itself or where it redirects", () => {
    const other = "https://api.docs.example.com/"
    for (const redirects of [[], [detour(other)]])
      expect(refusalOfBase(base(fault("blocked", other), null, redirects))?.reason).toBe("blocked")
  })

  it.each([
    ["https://elsewhere.example/$(reboot)", "'https://elsewhere.example/$(reboot)'"],
    ["https://elsewhere.example/a';reboot;'", "'https://elsewhere.example/a%27;reboot;%27'"],
    ["https://elsewhere.example/?a=1&b=`id`", "'https://elsewhere.example/?a=1&b=`id`'"],
    [`https://elsewhere.example/${"x".repeat(5_000)}`, "https://elsewhere.example"]
  ])("can be pasted into a shell: %.40s", (other, pasted) => {
    expect(refusalOfBase(base(fault("off_site", other), null, [detour(other)]))?.advice).toBe(
      `Audit that URL instead: docgauge ${pasted}`
    )
  })
})

describe("a file of the documentation that is given as its URL", () => {
  const at = (path: string, type: string, format: Page["format"], body = ""): Base => {
    const url = `${AUDITED}${path}`
    const exchange = { ...answer(200, type), url, body: new TextEncoder().encode(body) }
    return { ...base(exchange, pageAt(path, { format })), audited: url }
  }

  it("is told as the llms.txt of its folder, which is what to audit", () => {
    expect(refusalOfBase(at("/docs/llms.txt", "text/plain", "markdown"))).toEqual({
      reason: "no_page",
      message: `${AUDITED}/docs/llms.txt is the llms.txt of ${AUDITED}/docs/, not a page: audit ${AUDITED}/docs/ instead.`,
      advice: `Run: docgauge ${AUDITED}/docs/`
    })
    expect(refusalOfBase(at("/llms-full.txt", "text/plain", "text"))?.message).toContain(
      `is the llms-full.txt of ${AUDITED}/,`
    )
  })

  it("is told as a sitemap of its folder, which is what to audit", () => {
    const map = '<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'
    expect(refusalOfBase(at("/docs/sitemap.xml", "application/xml", "other", map))).toEqual({
      reason: "no_page",
      message: `${AUDITED}/docs/sitemap.xml is a sitemap, not a page: audit ${AUDITED}/docs/ instead.`,
      advice: `Run: docgauge ${AUDITED}/docs/`
    })
    expect(refusalOfBase(at("/sitemap.xml", "text/html", "html", "<!doctype html><title>Sitemap</title>"))).toBeNull()
  })

  it.each([
    ["/openapi.json", "application/json", '{"info":{"title":"Orders"},"openapi" : "3.1.0"}', "OpenAPI"],
    ["/openapi.yaml", "application/yaml", 'openapi: "3.0.3"\ninfo:\n  title: Orders', "OpenAPI"],
    ["/v2.yml", "text/plain", "# ours\nswagger: '2.0'", "Swagger"],
    ["/events.yaml", "text/yaml", "asyncapi: 3.0.0", "AsyncAPI"],
    ["/rpc.json", "application/json", '{"openrpc":"1.2.6"}', "OpenRPC"],
    [
      "/orders.json",
      "application/json",
      '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}',
      "Postman"
    ]
  ])("is told as an API description: %s", (path, type, body, name) => {
    expect(refusalOfBase(at(path, type, type === "text/plain" ? "text" : "other", body))).toEqual({
      reason: "no_page",
      message: `${AUDITED}${path} is an API description (${name}), not a page: audit the documentation that it belongs to instead.`,
      advice: `Pass the URL of its first page, such as ${AUDITED}/. The audit finds the API description from there.`
    })
  })

  it("is audited where it is a page, whatever it is called, or a page that only shows a description", () => {
    expect(refusalOfBase(at("/llms.txt", "text/html", "html"))).toBeNull()
    expect(refusalOfBase(at("/about-openapi.md", "text/markdown", "markdown", "openapi: 3.1.0"))).toBeNull()
    expect(refusalOfBase(at("/config.json", "application/json", "other", '{"name":"openapi"}'))).toBeNull()
  })
})

describe("among the pages", () => {
  const page = (over: Partial<Page>): Page => pageAt("/", over)

  const challenge = base(answer(200), page({ challenge: "cloudflare" }))

  it("one that can be read is enough", () => {
    expect(refusalOfPages(challenge, [{ page: null }, { page: page({}) }])).toBeNull()
  })

  const rows: ReadonlyArray<readonly [string, Base, string]> = [
    ["a challenge", challenge, `${AUDITED} answers with a bot challenge, and we found no other page.`],
    [
      "a PDF",
      base(answer(200, "application/pdf"), page({ format: "other" })),
      `${AUDITED} is not a web page (application/pdf), and we found no other page.`
    ],
    [
      "bytes that are no text, as of a bomb",
      base(answer(200, "text/html"), page({ format: "other" })),
      `${AUDITED} is binary data, though it is sent as text/html, and we found no other page.`
    ],
    [
      "a hostile type",
      base(answer(200, "a\u001b[31m/b"), page({ format: "other" })),
      `${AUDITED} is not a web page (a [31m/b), and we found no other page.`
    ],
    [
      "no type",
      base(answer(200, ""), page({ format: "other" })),
      `${AUDITED} is not a web page (without a type), and we found no other page.`
    ]
  ]
  it.each(rows)("without a page, the message says what the URL answers instead: %s", (_, at, message) => {
    expect(refusalOfPages(at, [{ page: at.page?.challenge === null ? null : at.page }])).toMatchObject({
      reason: "no_page",
      message
    })
  })

  it("says how many were tried", () => {
    expect(refusalOfPages(challenge, [{ page: null }, { page: null }, { page: null }])?.message).toBe(
      `${AUDITED} answers with a bot challenge, and none of the 2 other pages could be read.`
    )
  })
})
