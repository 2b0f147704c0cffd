import { describe, expect, it } from "vitest"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import { goldenSites } from "./GoldenSites.ts"
import { auditedWhole, auditedWithout, falseVerdicts, silenceNames } from "./WithoutResponse.ts"

/** Requests of a site that are tried, one for each way. test/long tries all requests. */
const TRIED = silenceNames.length

describe.each(goldenSites)("the $name site, each of its responses missing once", (golden) => {
  it("is judged as with it, or a criterion is inconclusive", { timeout: 120_000 }, async () => {
    const { report, requests } = await auditedWhole(golden)
    const wrong: Array<string> = []
    for (const [index, request] of evenStride(requests, TRIED).entries()) {
      const silence = silenceNames[index % silenceNames.length] ?? "429"
      const without = await auditedWithout(golden, request, silence)
      if (without !== null)
        wrong.push(
          ...falseVerdicts(report, without).map(
            (verdict) => `${silence} from ${request.method} ${request.url}: ${verdict}`
          )
        )
    }
    expect(wrong).toEqual([])
  })
})
