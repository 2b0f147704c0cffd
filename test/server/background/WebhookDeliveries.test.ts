import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHmac } from "node:crypto"
import type { ClaimedDelivery } from "../../../engine/store/webhooks/DeliveryStore.ts"
import { outcomeOf, signedPost, WAITS } from "../../../server/background/WebhookDeliveries.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const claimed = (over: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  serial: 1,
  id: "1f6d1c55-0a3e-4f0e-8f5e-2b7c9d3e4a10",
  type: "audit.finished",
  attempt: 1,
  body: '{"type":"audit.finished","data":{"title":"grün"}}',
  ageMs: 0,
  url: "https://hooks.dev/",
  secret: `whsec_${Buffer.from("a secret of thirty-two bytes!!!!").toString("base64")}`,
  site: "docs.a.dev",
  isWithdrawn: false,
  ...over
})

const answer = (status: number | null, retryAfterMs: number | null = null) => ({
  status,
  problem: status === null ? "no answer within 10 s" : null,
  retryAfterMs
})

describe("a signed delivery", () => {
  it("has the id, the seconds and the signature that Standard Webhooks asks for", () => {
    const { body, headers, id } = { ...claimed(), ...signedPost(claimed(), 1_764_500_000_999) }
    const expected = createHmac("sha256", "a secret of thirty-two bytes!!!!")
      .update(`${id}.1764500000.${body}`)
      .digest("base64")
    expect(headers).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1764500000",
      "webhook-signature": `v1,${expected}`
    })
  })

  it("agrees with the example of the specification", () => {
    const { headers } = signedPost(
      claimed({
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        body: '{"test": 2432232314}'
      }),
      1_614_265_330_000
    )
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })
})

describe("what an answer means", () => {
  it.effect("a 2xx ends a delivery, and nothing else does so before the last attempt", () =>
    Effect.gen(function* () {
      for (const status of [200, 204, 299])
        expect(yield* outcomeOf(claimed(), answer(status))).toEqual({ _tag: "Delivered", status })
      for (const status of [null, 301, 307, 400, 401, 404, 429, 500, 503])
        expect((yield* outcomeOf(claimed(), answer(status)))._tag).toBe("Later")
      expect(yield* outcomeOf(claimed({ attempt: WAITS.length + 1 }), answer(500))).toEqual({
        _tag: "Failed",
        status: 500,
        problem: "The receiver answered 500.",
        ends: null
      })
    })
  )

  it.effect("a 410 ends the webhook, but for a test, which is sent once", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf(claimed(), answer(410))).toMatchObject({ _tag: "Failed", ends: expect.any(String) })
      expect(yield* outcomeOf(claimed({ type: "webhook.test" }), answer(410))).toMatchObject({
        _tag: "Failed",
        ends: null
      })
      expect(yield* outcomeOf(claimed({ type: "webhook.test" }), answer(500))).toMatchObject({ _tag: "Failed" })
    })
  )

  it.effect("eight attempts are within 24 hours, each later than the one before", () =>
    Effect.gen(function* () {
      let ageMs = 0
      const ages = [0]
      for (let attempt = 1; attempt <= WAITS.length; attempt++) {
        const outcome = yield* outcomeOf(claimed({ attempt, ageMs }), answer(null))
        if (outcome._tag !== "Later") throw new Error(`attempt ${attempt} was the last`)
        ageMs += outcome.afterMs
        ages.push(ageMs)
      }
      expect(ages).toHaveLength(8)
      expect(ageMs).toBeLessThanOrEqual(24 * HOUR)
      expect(ages.map((age) => Math.floor(age / MINUTE)).slice(0, 4)).toEqual([0, 1, 6, 21])
    })
  )

  it.effect("Retry-After makes a wait longer, never shorter, and at most as long as the next", () =>
    Effect.gen(function* () {
      const waitFor = (attempt: number, retryAfterMs: number) =>
        Effect.map(outcomeOf(claimed({ attempt }), answer(503, retryAfterMs)), (outcome) =>
          outcome._tag === "Later" ? Math.round(outcome.afterMs / MINUTE) : null
        )
      expect(yield* waitFor(1, 1_000)).toBe(1)
      expect(yield* waitFor(1, 3 * MINUTE)).toBe(3)
      expect(yield* waitFor(1, 40 * HOUR)).toBe(5)
      expect(yield* waitFor(4, 40 * HOUR)).toBeGreaterThanOrEqual(180)
      expect(yield* waitFor(4, 40 * HOUR)).toBeLessThanOrEqual(184)
    })
  )

  it.effect("nothing is sent again more than 24 hours after its event", () =>
    Effect.gen(function* () {
      expect(yield* outcomeOf(claimed({ attempt: 2, ageMs: 24 * HOUR - MINUTE }), answer(500))).toMatchObject({
        _tag: "Failed"
      })
    })
  )
})
