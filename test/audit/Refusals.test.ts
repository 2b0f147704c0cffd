import { describe, expect, it } from "vitest"
import { refusalOfBase, refusalOfPages } from "../../engine/audit/Refusals.ts"
import type { Answer, Exchange, Fault, FaultKind } from "../../engine/evidence/Exchange.ts"
import type { Base } from "../../engine/site/Gathering.ts"
import type { Page } from "../../engine/site/Page.ts"
import { pageAt } from "../site/BlankPage.ts"

const AUDITED = "https://docs.example.com"

const asked = { method: "GET", url: AUDITED, accept: "*/*", agent: "docgauge" } as const

const fault = (kind: FaultKind, url = AUDITED): Fault => ({ _tag: "Fault", asked, url, kind, message: "so it is", redirects: [] })

const answer = (status: number, type = "text/html"): Answer =>
  ({ _tag: "Answer", asked, url: AUDITED, status, headers: [["content-type", type]], body: new Uint8Array(), cut: false, wireBytes: 0, redirects: [] })

const base = (exchange: Exchange, page: Page | null = null, redirects: Base["redirects"] = []): Base =>
  ({ audited: AUDITED, url: exchange.url, origin: AUDITED, prefix: "/", folder: `${AUDITED}/`, site: "example.com", redirects, exchange, page })

const detour = (location: string) => ({ url: AUDITED, status: 301, location, kind: "http" as const })

describe("at the base", () => {
  it.each(["dns", "refused", "tls", "connect_timeout", "not_public", "bad_address", "not_recorded"] as const)("%s ends the audit", (kind) => {
    expect(refusalOfBase(base(fault(kind)), answer(404))).toMatchObject({ reason: "unreachable", message: `${AUDITED} could not be reached: so it is.` })
  })

  it.each(["first_byte_timeout", "stalled", "exchange_timeout", "reset", "malformed", "redirect_loop"] as const)("%s does not: other pages may answer", (kind) => {
    expect(refusalOfBase(base(fault(kind)), answer(404))).toBeNull()
  })

  it("hanging does where robots.txt hung before it", () => {
    expect(refusalOfBase(base(fault("first_byte_timeout")), fault("exchange_timeout"))?.reason).toBe("unreachable")
    expect(refusalOfBase(base(answer(200)), fault("first_byte_timeout"))).toBeNull()
  })

  it("an answer does not, whatever its status", () => {
    expect([200, 403, 404, 503].map((status) => refusalOfBase(base(answer(status)), answer(404)))).toEqual([null, null, null, null])
  })

  it("leaving the site does, and names the address to audit instead", () => {
    const other = "https://elsewhere.example/docs"
    expect(refusalOfBase(base(fault("off_site", other), null, [detour(other)]), answer(404))).toEqual({
      reason: "left_site",
      message: `${AUDITED} redirects to another site, ${other}.`,
      advice: `Audit that address instead: docgauge ${other}`
    })
  })

  it.each([
    ["https://elsewhere.example/$(reboot)", "'https://elsewhere.example/$(reboot)'"],
    ["https://elsewhere.example/a';reboot;'", "'https://elsewhere.example/a%27;reboot;%27'"],
    ["https://elsewhere.example/?a=1&b=`id`", "'https://elsewhere.example/?a=1&b=`id`'"],
    [`https://elsewhere.example/${"x".repeat(5_000)}`, "https://elsewhere.example"]
  ])("can be pasted into a shell: %.40s", (other, pasted) => {
    expect(refusalOfBase(base(fault("off_site", other), null, [detour(other)]), answer(404))?.advice).toBe(`Audit that address instead: docgauge ${pasted}`)
  })
})

describe("among the pages", () => {
  const page = (over: Partial<Page>): Page => pageAt("/", over)

  it("one that can be read is enough", () => {
    expect(refusalOfPages(base(answer(403)), [{ page: null }, { page: page({}) }])).toBeNull()
  })

  const rows: ReadonlyArray<readonly [string, Base, string, string]> = [
    ["an error", base(answer(503)), "no_page", `${AUDITED} answers 503, and no other page was found.`],
    ["a challenge", base(answer(200), page({ challenge: "cloudflare" })), "no_page", `${AUDITED} answers with a bot challenge, and no other page was found.`],
    ["a PDF", base(answer(200, "application/pdf"), page({ format: "other" })), "no_page", `${AUDITED} is no web page (application/pdf), and no other page was found.`],
    ["a hostile type", base(answer(200, "a\u001b[31m/b"), page({ format: "other" })), "no_page", `${AUDITED} is no web page (a [31m/b), and no other page was found.`],
    ["a loop", base(fault("redirect_loop")), "no_page", `${AUDITED} leads to no page: so it is, and no other page was found.`],
    ["no answer", base(fault("first_byte_timeout")), "unreachable", `${AUDITED} could not be reached: so it is.`]
  ]
  it.each(rows)("none is told by what stands in its place: %s", (_, at, reason, message) => {
    expect(refusalOfPages(at, [{ page: at.page?.challenge === null ? null : at.page }])).toMatchObject({ reason, message })
  })

  it("says how many were tried", () => {
    expect(refusalOfPages(base(answer(403)), [{ page: null }, { page: null }, { page: null }])?.message)
      .toBe(`${AUDITED} answers 403, and none of 2 other pages could be had.`)
  })
})
