import { describe, expect, it } from "vitest"
import { rateFor, sharedKey, timesOf } from "../../engine/limit/LimitSettings.ts"

describe("shared keys", () => {
  it("contain a factor for every rate, which is 1 for other keys", () => {
    expect([
      timesOf(sharedKey(10, "192.0.2.0/24")),
      timesOf("192.0.2.1"),
      timesOf("2001:db8:1:2::/64"),
      timesOf("10x")
    ]).toEqual([10, 1, 1, 1])
    expect(rateFor({ amount: 2, windowMs: 60_000 }, sharedKey(10, "192.0.2.0/24"))).toEqual({
      amount: 20,
      windowMs: 60_000
    })
  })
})
