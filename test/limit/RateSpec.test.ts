import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseRate, parseWindow } from "../../engine/limit/LimitSettings.ts"

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const unit = fc.constantFrom("s", "m", "h", "d")
const spanText = fc.tuple(fc.integer({ min: 1, max: 366 }), unit)

describe("rates", () => {
  it.each([
    ["2/60s", { amount: 2, windowMs: 60_000 }],
    ["30/30s", { amount: 30, windowMs: 30_000 }],
    ["20/4s", { amount: 20, windowMs: 4_000 }],
    ["1/24h", { amount: 1, windowMs: 86_400_000 }],
    ["600/1h", { amount: 600, windowMs: 3_600_000 }],
    [" 5/1d ", { amount: 5, windowMs: 86_400_000 }],
    ["off", null]
  ])("reads %s", (text, rate) => expect(Result.getOrThrow(parseRate(text))).toEqual(rate))

  it("accept any count per any duration", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), spanText, (amount, [count, letter]) => {
        expect(parseRate(`${amount}/${count}${letter}`)).toEqual(
          Result.succeed({ amount, windowMs: count * UNITS[letter] })
        )
      })
    )
  })

  it.each([
    ["", '"" is not a rate; give a rate such as 2/60s, or off'],
    ["2", '"2" is not a rate; give a rate such as 2/60s, or off'],
    ["0/60s", "0 is not a count from 1 to 1000000; give a rate such as 2/60s, or off"],
    ["1000001/1s", "1000001 is not a count from 1 to 1000000; give a rate such as 2/60s, or off"],
    ["2/60", '"60" is not a whole number of s, m, h or d; give a rate such as 2/60s, or off'],
    ["2/1.5h", '"1.5h" is not a whole number of s, m, h or d; give a rate such as 2/60s, or off'],
    ["2/0s", "0s is not between 1s and 366d; give a rate such as 2/60s, or off"],
    ["2/367d", "367d is not between 1s and 366d; give a rate such as 2/60s, or off"],
    ["-2/60s", '"-2/60s" is not a rate; give a rate such as 2/60s, or off'],
    ["2/60toString", '"60toString" is not a whole number of s, m, h or d; give a rate such as 2/60s, or off']
  ])("says what is wrong with %j", (text, problem) => expect(parseRate(text)).toEqual(Result.fail(problem)))

  it("reject anything else with one line", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const parsed = parseRate(text)
        expect(Result.isFailure(parsed) ? parsed.failure : "").not.toMatch(/[\n\r]/)
      })
    )
  })
})

describe("windows", () => {
  it("accept any duration", () => {
    fc.assert(
      fc.property(spanText, ([count, letter]) => {
        expect(parseWindow(`${count}${letter}`)).toEqual(Result.succeed(count * UNITS[letter]))
      })
    )
  })

  it("accept off", () => expect(parseWindow("off")).toEqual(Result.succeed(null)))

  it("reject a count", () => {
    expect(parseWindow("1/10m")).toEqual(
      Result.fail('"1/10m" is not a whole number of s, m, h or d; give a span such as 10m, or off')
    )
  })
})
