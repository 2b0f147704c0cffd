import { readFileSync } from "node:fs"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { siteOf } from "../../engine/evidence/Address.ts"
import { siteBudget } from "../site/SiteBudget.ts"
import { Evidence } from "../../engine/evidence/Evidence.ts"
import { type LoadedRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { gatherBase } from "../../engine/site/base/Base.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { makeSite } from "../../engine/site/Site.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { HOST, hostileSites } from "./HostileSites.ts"

const rubric: Promise<LoadedRubric<BoundCriterion>> = Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

/** CPU time of this thread, in milliseconds, by what spent it: gathering, then each plugin. */
type Times = ReadonlyMap<string, number>

const timed = Effect.fnUntraced(function* <A, E, R>(
  times: Map<string, number>,
  name: string,
  work: Effect.Effect<A, E, R>
) {
  const before = process.threadCpuUsage()
  const result = yield* Effect.exit(work)
  const { system, user } = process.threadCpuUsage(before)
  times.set(name, (user + system) / 1_000)
  return result
})

/** Gathers what plugins share, then lets one plugin after the other measure. */
const timesOn = async (hostile: FakeSite): Promise<Times> => {
  const { criteria, experimental } = await rubric
  const evidence = Evidence.layer({
    site: siteOf(new URL(HOST).hostname),
    canonicalOrigin: null,
    allowanceOf: siteBudget().allowanceOf
  })
  const times = new Map<string, number>()
  const work = Effect.gen(function* () {
    const door = yield* Evidence
    const base = yield* gatherBase(door.collector("site/base"), yield* ParserPool, `${HOST}/`)
    const site = yield* makeSite({ base, date: "2026-11-22", sampleSize: 20 })
    const shared = site.for("site/audit")
    yield* timed(
      times,
      "gathering",
      Effect.all(
        [
          shared.robots,
          shared.llmsTxt,
          shared.fullText,
          shared.sitemaps,
          shared.sample,
          shared.topicPages,
          shared.markdownVersions,
          shared.negotiation,
          shared.spec
        ],
        { discard: true }
      )
    )
    for (const { bound, definition } of [...criteria, ...experimental])
      yield* timed(times, definition.plugin, bound.measure(site.for(definition.id)))
  })
  await Effect.runPromise(
    work.pipe(
      Effect.scoped,
      Effect.provide(
        Layer.mergeAll(evidence.pipe(Layer.provide(layerFakeSite(hostile, { host: HOST }))), ParserPool.layerInline)
      )
    )
  )
  return times
}

/** Each four times the one before; an eighth of the longest page that is read. Some work ends at a limit before that, and shows at a smaller size only. */
const SIZES = [15_625, 62_500, 250_000]
const MOST_GROWTH = 8
const ROUNDS = 5

/** Less is mostly noise, in milliseconds. What is no slower on the smaller size may take 80 ms on the larger, which does no harm on the largest. */
const MEASURABLE = 10

const leastOf = (one: Times, other: Times): Times =>
  new Map([...one].map(([name, ms]) => [name, Math.min(ms, other.get(name) ?? ms)]))

/** What took more than eight times as long on four times as much, by the place of the larger size. */
const tooSlow = (measured: ReadonlyArray<Times>): ReadonlyArray<readonly [larger: number, what: string]> =>
  measured.flatMap((large, index) => {
    const small = measured[index - 1]
    return small === undefined
      ? []
      : [...large].flatMap(([name, ms]) => {
          const before = Math.max(small.get(name) ?? 0, MEASURABLE)
          return ms > before * MOST_GROWTH
            ? [
                [
                  index,
                  `${name} on ${SIZES[index]} characters: ${Math.round(before)} ms, then ${Math.round(ms)} ms`
                ] as const
              ]
            : []
        })
  })

describe("the time of all plugins grows no faster than the site", () => {
  it("measures all thirty, and those on trial", async () => {
    const { criteria, experimental } = await rubric
    const times = await timesOn({ "/": "<h1>Docs</h1>" })
    expect([...times.keys()].filter((name) => name !== "gathering")).toHaveLength(30 + experimental.length)
    expect([criteria.length, experimental.length]).toEqual([30, 2])
  })

  it.each(Object.entries(hostileSites))("on a site of %s", async (_, make) => {
    const best: Array<Times> = []
    for (const size of SIZES) best.push(await timesOn(make(size)))
    for (let round = 1; round < ROUNDS && tooSlow(best).length > 0; round++) {
      const unsure = new Set(tooSlow(best).flatMap(([index]) => [index - 1, index]))
      for (const index of unsure)
        best[index] = leastOf(best[index] ?? new Map(), await timesOn(make(SIZES[index] ?? 0)))
    }
    expect(tooSlow(best).map(([, what]) => what)).toEqual([])
  })
})
