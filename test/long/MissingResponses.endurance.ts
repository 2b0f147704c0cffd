import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { Asked } from "../../engine/evidence/Exchange.ts"
import { keyOf } from "../../engine/evidence/Journal.ts"
import { goldenSites } from "../golden/GoldenSites.ts"
import {
  auditedWhole,
  auditedWithout,
  auditedWithoutSome,
  falseVerdicts,
  type Silence,
  silenceNames
} from "../golden/WithoutResponse.ts"

/** Of a hundred responses, those that are missing. */
const SHARES = [3, 8, 20, 50]

const SEEDS = 40

/** For each request, by its hash, whether its response is missing, and what comes in its place. */
const atRandom =
  (seed: number) =>
  (asked: Asked): Silence | null => {
    const digest = createHash("sha256")
      .update(`${seed} ${keyOf(asked)}`)
      .digest()
    const isMissing = digest.readUInt16BE(0) % 100 < (SHARES[seed % SHARES.length] ?? 0)
    return isMissing ? (silenceNames[digest.readUInt16BE(2) % silenceNames.length] ?? null) : null
  }

describe.each(goldenSites)("the $name site", (golden) => {
  test.each(silenceNames)(
    "has no other verdict, only inconclusive ones, where one response is missing: %s",
    async (silence) => {
      const { report, requests } = await auditedWhole(golden)
      const wrong: Array<string> = []
      for (const request of requests) {
        const without = await auditedWithout(golden, request, silence)
        if (without !== null)
          wrong.push(...falseVerdicts(report, without).map((verdict) => `${request.method} ${request.url}: ${verdict}`))
      }
      expect(wrong).toEqual([])
    }
  )

  test("has no other verdict if several responses are missing at once", async () => {
    const { report } = await auditedWhole(golden)
    const wrong: Array<string> = []
    for (let seed = 0; seed < SEEDS; seed++) {
      const without = await auditedWithoutSome(golden, atRandom(seed))
      if (without !== null) wrong.push(...falseVerdicts(report, without).map((verdict) => `seed ${seed}: ${verdict}`))
    }
    expect(wrong).toEqual([])
  })
})
