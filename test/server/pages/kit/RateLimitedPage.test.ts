import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { describe, expect, it } from "vitest"
import { type LimitDecision, type LimitRefusal, UNLIMITED } from "../../../../engine/limit/LimitDecision.ts"
import { StoreUnavailable } from "../../../../engine/store/database/StoreUnavailable.ts"
import { rateLimitedPage } from "../../../../server/pages/kit/NoticePage.ts"
import { htmlFaults } from "../htmlCheck.ts"

const REFUSAL: LimitRefusal = {
  _tag: "Refusal",
  code: "rate_limited",
  standing: { policy: "browse", limit: 60, windowSeconds: 60, remaining: 0, resetSeconds: 7 },
  retryAfter: 7,
  runId: null
}

const clients = {
  of: () => ({ address: "192.0.2.1", rateKey: "192.0.2.1", network: "192.0.2.0/24" }),
  scheme: () => "https" as const
}

const GONE = new StoreUnavailable({ cause: new Error("secret path") })

/** What a client that prefers this type is answered. */
const told = async (
  accept: string,
  verdict: LimitDecision,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, StoreUnavailable>,
  method = "GET"
) => {
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/browse", { method, headers: { accept } }))
  const ration = rateLimitedPage(clients, () => Effect.succeed(verdict))
  const response = HttpServerResponse.toWeb(
    await Effect.runPromise(Effect.provide(ration(request, answer), Logger.layer([])))
  )
  const text = await response.text()
  if (response.headers.get("content-type")?.startsWith("text/html") === true) expect(await htmlFaults(text)).toEqual([])
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    type: response.headers.get("content-type"),
    text
  }
}

const page = Effect.succeed(HttpServerResponse.text("the page"))

describe("rate-limited pages", () => {
  it("are shown within the limit", async () =>
    expect(await told("text/html", UNLIMITED, page)).toMatchObject({ status: 200, text: "the page" }))

  it("are refused beyond it, as a page or as JSON", async () => {
    expect(await told("text/html", REFUSAL, page)).toMatchObject({
      status: 429,
      retryAfter: "7",
      text: expect.stringContaining("Too many requests. Wait 7 seconds.")
    })
    const json = await told("application/json", REFUSAL, page)
    expect([json.status, JSON.parse(json.text)]).toEqual([
      429,
      { error: "Too many requests. Wait 7 seconds.", code: "rate_limited", retry_after: 7 }
    ])
  })

  it("load again by themselves when the wait is over, unless that would send a form again", async () => {
    const { text } = await told("text/html", REFUSAL, page)
    expect(text).toContain('reloads in <span class="count-down" data-again="7">7 seconds</span>')
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="7"/></noscript>')
    expect((await told("text/html", REFUSAL, page, "POST")).text).not.toContain("data-again")
  })

  it("say if the store is unavailable, without the reason", async () => {
    const html = await told("text/html", UNLIMITED, Effect.fail(GONE))
    expect(html).toMatchObject({
      status: 503,
      retryAfter: "5",
      text: expect.stringContaining("<h1>Temporarily unavailable</h1>")
    })
    const json = await told("*/*", UNLIMITED, Effect.fail(GONE))
    expect([json.status, json.type, JSON.parse(json.text)]).toEqual([
      503,
      "application/json",
      { error: "The database is unavailable. Try again soon." }
    ])
    expect(html.text + json.text).not.toContain("secret path")
  })
})
