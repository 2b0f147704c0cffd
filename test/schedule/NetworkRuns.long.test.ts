import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { sharedKey } from "../../engine/limit/LimitSettings.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { everyStore, submit } from "./TestService.ts"

const [CLIENT_RUNS, NETWORK_RUNS, FACTOR] = [2, 4, 3]

/** Client networks with the wider ones that count, written by hand. */
const NETWORKS: ReadonlyArray<{
  readonly key: string
  readonly own: number
  readonly wider: ReadonlyArray<readonly [name: string, limit: number]>
}> = [
  ...["1:100", "1:200", "1:300", "2:100", "2:200", "3:100", "3:200", "4:100", "4:200"].map((groups) => ({
    key: `2001:db8:${groups}::/56`,
    own: CLIENT_RUNS,
    wider: [
      ["2001:db8::/32", 3 * NETWORK_RUNS],
      [`2001:db8:${groups.slice(0, 1)}::/48`, NETWORK_RUNS]
    ] as const
  })),
  ...["198.51.100.0/24", "198.51.101.0/24", "198.51.102.0/24"].map((key) => ({
    key,
    own: CLIENT_RUNS,
    wider: [["198.51.0.0/16", NETWORK_RUNS]] as const
  })),
  // Its own limit is higher than that of a wider network, which is raised to it for this client network only.
  {
    key: sharedKey(FACTOR, "mcp 198.51.100.0/24"),
    own: FACTOR * CLIENT_RUNS,
    wider: [["198.51.0.0/16", FACTOR * CLIENT_RUNS]]
  },
  ...["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"].map((key) => ({ key, own: CLIENT_RUNS, wider: [] }))
]

interface Unfinished {
  readonly id: string
  readonly key: string
  readonly wider: ReadonlyArray<string>
}

/** A client network that submits, or the place of an unfinished run that ends. */
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ network: fc.constantFrom(...NETWORKS) }) },
    { weight: 1, arbitrary: fc.record({ ends: fc.nat(20) }) }
  ),
  { minLength: 20, maxLength: 70 }
)

let serial = 0

/** Submits and ends runs, with the decision that the limits allow each time; then ends the others. */
const play = Effect.fnUntraced(function* (
  all: ReadonlyArray<{ readonly network: (typeof NETWORKS)[number] } | { readonly ends: number }>
) {
  const store = yield* RunStore
  const unfinished: Array<Unfinished> = []
  const end = ({ id }: Unfinished) => store.giveUp(id, { code: null, message: "over" })
  for (const step of all) {
    if ("ends" in step) {
      const [ended] = unfinished.splice(step.ends % Math.max(1, unfinished.length), 1)
      if (ended !== undefined) assert.isTrue(yield* end(ended))
      continue
    }
    const { key, own, wider } = step.network
    const isOwnFull = unfinished.filter((run) => run.key === key).length >= own
    const full = wider.find(([name, limit]) => unfinished.filter((run) => run.wider.includes(name)).length >= limit)
    const submission = yield* submit(`site${serial++}.dev`, "", key)
    if (submission._tag === "Refusal") {
      assert.deepStrictEqual(
        [submission.standing.policy, submission.network],
        isOwnFull ? ["runs", undefined] : ["network", full?.[0]]
      )
    } else {
      assert.deepStrictEqual([isOwnFull, full], [false, undefined])
      unfinished.push({ id: submission.run.id, key, wider: wider.map(([name]) => name) })
    }
  }
  for (const run of unfinished) yield* end(run)
})

describe.each(everyStore)("the unfinished runs of wider networks, in $name", { concurrent: true }, ({ name, run }) => {
  const options = {
    audit: () => Effect.never,
    settings: { clientRuns: CLIENT_RUNS, networkRuns: NETWORK_RUNS },
    schedule: { concurrency: 0 }
  }

  it.live("never exceed their limits, whatever is submitted, and nothing within them is refused", () =>
    run(
      options,
      Effect.gen(function* () {
        const services = yield* Effect.context<RunStore | Effect.Services<ReturnType<typeof submit>>>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, (all) => Effect.runPromise(Effect.provide(play(all), services))),
            { numRuns: name === "memory" ? 100 : 8 }
          )
        )
      })
    )
  )

  it.live("are not limited if the limit is off", () =>
    run(
      { ...options, settings: { clientRuns: CLIENT_RUNS, networkRuns: null } },
      Effect.gen(function* () {
        const all = yield* Effect.forEach(Array.from({ length: 30 }), (_, index) =>
          submit(`off${index}.dev`, "", `198.51.${index}.0/24`)
        )
        assert.isTrue(all.every(({ _tag }) => _tag === "Accepted"))
      })
    )
  )
})
