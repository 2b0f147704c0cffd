import { assert, describe, it } from "@effect/vitest"
import {
  type Answer,
  type Exchange,
  FAULT_KINDS,
  type FaultKind,
  isMissing,
  isUnobtainable
} from "../../engine/evidence/Exchange.ts"

const asked = { method: "GET", url: "https://docs.example.com/a", accept: "*/*", agent: "docgauge" } as const

const answer = (status: number, headers: Answer["headers"] = [], body = ""): Answer => {
  const bytes = new TextEncoder().encode(body)
  return {
    _tag: "Answer",
    asked,
    url: asked.url,
    status,
    headers,
    body: bytes,
    cut: false,
    wireBytes: bytes.length,
    redirects: []
  }
}

const fault = (kind: FaultKind): Exchange => ({
  _tag: "Fault",
  asked,
  url: asked.url,
  kind,
  message: "it failed",
  redirects: []
})

const titled = (title: string, text = "") =>
  `<!doctype html><html><head><title>${title}</title></head><body>${text}</body></html>`

describe("a missing response", () => {
  it.each([
    ["429", answer(429)],
    ["408", answer(408)],
    ["500", answer(500)],
    ["503", answer(503)],
    ["a challenge by its header, whatever the status", answer(403, [["cf-mitigated", "challenge"]])],
    ["a challenge of AWS, which answers 202", answer(202, [["x-amzn-waf-action", "challenge"]])],
    ["a challenge by its title, with status 200", answer(200, [], titled("Just a moment..."))],
    ["a timeout", fault("first_byte_timeout")],
    ["a connection that broke", fault("reset")],
    ["a spent budget", fault("budget")],
    ["a time of gathering that is over", fault("deadline")]
  ])("is %s", (_, exchange) => {
    assert.isTrue(isMissing(exchange))
    assert.isTrue(isUnobtainable(exchange))
  })

  it.each([
    ["404", answer(404)],
    ["410", answer(410)],
    ["400", answer(400)],
    ["a page", answer(200, [], titled("Guide", "<p>Text.</p>"))],
    ["a page about challenges", answer(200, [], titled("Troubleshooting: “Just a moment...”", "<p>Text.</p>"))],
    ["a long page with such a title", answer(200, [], titled("Just a moment...", "<p>Text.</p>".repeat(10_000)))],
    ["a URL on another site", fault("off_site")]
  ])("is not %s, which is evidence", (_, exchange) => {
    assert.isFalse(isMissing(exchange))
    assert.isFalse(isUnobtainable(exchange))
  })

  it.each([
    ["401", answer(401)],
    ["403", answer(403)],
    ["a redirect in a circle", fault("redirect_loop")]
  ])("is not %s: the site refuses, today and tomorrow, and we still do not know", (_, exchange) => {
    assert.isFalse(isMissing(exchange))
    assert.isTrue(isUnobtainable(exchange))
  })

  it("includes every fault but those that are the site's own answer", () => {
    assert.deepStrictEqual(
      FAULT_KINDS.filter((kind) => !isMissing(fault(kind))),
      ["off_site", "bad_address", "not_public", "shut_out", "too_many_redirects", "redirect_loop", "not_in_folder"]
    )
  })
})
