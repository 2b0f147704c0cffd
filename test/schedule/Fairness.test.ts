import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Leases } from "../../engine/schedule/Leases.ts"
import { guest, OPERATOR, SCHEDULE, type Submitter } from "../../engine/schedule/turns/Submitter.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import * as MemoryRunStore from "../../engine/store/runs/MemoryRunStore.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { dialects } from "../store/Databases.ts"

type Services = AuditQueue | Leases | RunStore

const queueOn = (address: Database): Layer.Layer<Services> =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(Layer.mergeAll(SqlRunStore.layerSql, Leases.layerSql(60_000))),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(layerDatabase(address)),
    Layer.orDie
  )

const inMemory: Layer.Layer<Services> = AuditQueue.layerMemory.pipe(
  Layer.provideMerge(Layer.mergeAll(MemoryRunStore.layerMemory, Leases.layerMemory)),
  Layer.provide(SecureRandom.layerWebCrypto)
)

/** The same laws with every kind of store; `runs` of them, since a database takes its time. */
const kinds = [
  { name: "memory", runs: 200, fresh: Effect.succeed(inMemory) },
  ...dialects
    .filter(({ available }) => available)
    .map(({ fresh, kind, name }) => ({ name, runs: kind === "SQLite" ? 25 : 12, fresh: Effect.map(fresh, queueOn) }))
]

/** One of five networks, the schedule, or an operator. */
const SUBMITTERS: ReadonlyArray<Submitter> = [
  ...["a", "b", "c", "d", "e"].map((network) => guest(network)),
  SCHEDULE,
  OPERATOR
]

type Step =
  /** `domain`: one of three that are shared, or one of the run's own. */
  | { readonly _tag: "Submit"; readonly submitter: number; readonly domain: number | null }
  | { readonly _tag: "Take" }
  /** An audit ends: of those under way, the one at this place. */
  | { readonly _tag: "End"; readonly place: number }

const aStep = (domains: fc.Arbitrary<number | null>, ends: boolean): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        _tag: fc.constant("Submit" as const),
        submitter: fc.nat(SUBMITTERS.length - 1),
        domain: domains
      })
    },
    { weight: 4, arbitrary: fc.constant({ _tag: "Take" as const }) },
    ...(ends ? [{ weight: 3, arbitrary: fc.record({ _tag: fc.constant("End" as const), place: fc.nat(5) }) }] : [])
  )

/** A run that was submitted. */
interface Entry {
  readonly id: string
  readonly submitter: number
  readonly domain: string
}

/** A turn: whose it was, and who else had a run waiting at that moment that could have been taken. */
interface Turn {
  readonly submitter: number
  readonly others: ReadonlySet<number>
}

let serial = 0

/** Carries the steps out, from an empty queue to an empty queue, and notes the turns. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const queue = yield* AuditQueue
  const leases = yield* Leases
  const store = yield* RunStore
  const waiting: Array<Entry> = []
  const underWay: Array<Entry> = []
  const turns: Array<Turn> = []
  const free = ({ domain }: Entry): boolean => !underWay.some((other) => other.domain === domain)

  const submit = Effect.fnUntraced(function* (submitter: number, shared: number | null) {
    const host = shared === null ? `own-${serial++}.example` : `shared-${shared}.example`
    const run = yield* store.accept({
      url: `https://${host}/${serial++}`,
      site: `${host}/${serial}`,
      domain: host,
      rubricDigest: "sha256:rubric"
    })
    yield* queue.offer(run.id, SUBMITTERS[submitter] ?? OPERATOR)
    waiting.push({ id: run.id, submitter, domain: host })
  })

  const take = Effect.gen(function* () {
    const able = waiting.filter(free)
    if (able.length === 0) return
    const { run } = yield* queue.claim(new Set())
    const entry = able.find(({ id }) => id === run.id)
    assert.isDefined(entry, "a run came up that does not wait, or whose domain is being audited")
    if (entry === undefined) return
    assert.strictEqual(
      able.find(({ submitter }) => submitter === entry.submitter)?.id,
      run.id,
      "runs of a submitter come up in order"
    )
    turns.push({
      submitter: entry.submitter,
      others: new Set(able.map(({ submitter }) => submitter).filter((other) => other !== entry.submitter))
    })
    waiting.splice(waiting.indexOf(entry), 1)
    underWay.push(entry)
    yield* store.begin(run.id, leases.worker)
  })

  const end = Effect.fnUntraced(function* (place: number) {
    const [entry] = underWay.splice(place % Math.max(1, underWay.length), 1)
    if (entry === undefined) return
    yield* store.fail({ id: entry.id, worker: leases.worker, attempt: 1 }, { code: null, message: "over" })
    yield* leases.free(entry.domain, entry.id)
  })

  for (const step of steps) {
    if (step._tag === "Submit") yield* submit(step.submitter, step.domain)
    else if (step._tag === "Take") yield* take
    else yield* end(step.place)
  }
  while (waiting.length > 0 || underWay.length > 0) {
    yield* take
    yield* end(0)
  }
  return turns
})

const isOperator = (submitter: number): boolean => SUBMITTERS[submitter]?.class === "operator"

/** Two turns of a submitter between which another, which had a run to take all the while, had none. */
const unfair = (turns: ReadonlyArray<Turn>): ReadonlyArray<string> =>
  turns.flatMap(({ others, submitter }, first) => {
    const second = turns.findIndex((turn, index) => index > first && turn.submitter === submitter)
    if (second < 0) return []
    const between = turns.slice(first + 1, second)
    return [...others]
      .filter((other) => isOperator(other) === isOperator(submitter))
      .filter(
        (other) =>
          turns.slice(first, second + 1).every((turn) => turn.others.has(other)) &&
          !between.some((turn) => turn.submitter === other)
      )
      .map((other) => `${submitter} had turns ${first} and ${second}, ${other} none between`)
  })

/** Two turns in a row of one class while the other had a run to take. */
const oneSided = (turns: ReadonlyArray<Turn>): ReadonlyArray<string> =>
  turns.flatMap((turn, index) => {
    const next = turns[index + 1]
    if (next === undefined || isOperator(turn.submitter) !== isOperator(next.submitter)) return []
    const isPassedOver = (its: Turn): boolean =>
      [...its.others].some((other) => isOperator(other) !== isOperator(turn.submitter))
    return isPassedOver(turn) && isPassedOver(next) ? [`turns ${index} and ${index + 1} are of one class`] : []
  })

describe.each(kinds)("the queue, in $name", { concurrent: true }, ({ fresh, runs }) => {
  const holds = (steps: fc.Arbitrary<ReadonlyArray<Step>>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const services = yield* Layer.build(yield* fresh)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, async (steps) => {
              const turns = await Effect.runPromise(Effect.provide(play(steps), services))
              assert.deepStrictEqual(unfair(turns), [])
              assert.deepStrictEqual(oneSided(turns), [])
            }),
            { numRuns: runs }
          )
        )
      })
    )

  it.live(
    "gives every waiting submitter a turn between two turns of another, and alternates between classes",
    () => holds(fc.array(aStep(fc.constant(null), true), { maxLength: 40 })),
    120_000
  )

  it.live(
    "skips runs whose domain is being audited, without delaying others",
    () => holds(fc.array(aStep(fc.option(fc.nat(2)), true), { maxLength: 40 })),
    120_000
  )
})
