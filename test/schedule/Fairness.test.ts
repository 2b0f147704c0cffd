import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import {
  type Claim,
  classesAfter,
  guest,
  OPERATOR,
  SCHEDULE,
  type Submitter,
  type SubmitterClass
} from "../../engine/schedule/queue/QueueStore.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import * as MemoryRunStore from "../../engine/store/runs/MemoryRunStore.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { dialects } from "../store/Databases.ts"

type Services = AuditQueue | RunStore

const queueOn = (address: Database): Layer.Layer<Services> =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(SqlRunStore.layerSql),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(layerDatabase(address)),
    Layer.orDie
  )

const inMemory: Layer.Layer<Services> = AuditQueue.layerMemory.pipe(
  Layer.provideMerge(MemoryRunStore.layerMemory),
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
  /** Its place by the rule of `putInQueue`. */
  readonly tag: number
}

/** A turn: whose it was, and who else had a run waiting at that moment that could have been taken. */
interface Turn {
  readonly submitter: number
  readonly others: ReadonlySet<number>
}

let serial = 0

/** Carries the steps out, from an empty queue to an empty queue, and notes the turns. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, queueState: { lastClass: SubmitterClass }) {
  const queue = yield* AuditQueue
  const store = yield* RunStore
  const waiting: Array<Entry> = []
  const underWay: Array<Entry & { readonly claim: Claim }> = []
  const turns: Array<Turn> = []
  const tagFor = (submitter: number): number => {
    const ofClass = (entry: Entry): boolean => isOperator(entry.submitter) === isOperator(submitter)
    const tags = (entries: ReadonlyArray<Entry>): ReadonlyArray<number> => entries.map(({ tag }) => tag)
    const next = waiting.filter(ofClass)
    return (
      1 +
      Math.max(
        0,
        ...tags([...waiting, ...underWay].filter((entry) => entry.submitter === submitter)),
        ...tags(underWay.filter(ofClass)),
        next.length === 0 ? 0 : Math.min(...tags(next)) - 1
      )
    )
  }
  const free = ({ domain }: Entry): boolean => !underWay.some((other) => other.domain === domain)

  const submit = Effect.fnUntraced(function* (submitter: number, shared: number | null) {
    const host = shared === null ? `own-${serial++}.example` : `shared-${shared}.example`
    const run = yield* store.accept({
      url: `https://${host}/${serial++}`,
      site: `${host}/${serial}`,
      domain: host,
      rubricDigest: "sha256:rubric"
    })
    const tag = tagFor(submitter)
    yield* queue.offer(run, SUBMITTERS[submitter] ?? OPERATOR)
    waiting.push({ id: run.id, submitter, domain: host, tag })
  })

  const take = Effect.gen(function* () {
    const able = waiting.filter(free)
    if (able.length === 0) return
    const claim = yield* queue.claim()
    const entry = able.find(({ id }) => id === claim.run.id)
    assert.isDefined(entry, "a run came up that does not wait, or whose domain is being audited")
    if (entry === undefined) return
    const its = classesAfter(queueState.lastClass).find((one) => able.some(isOf(one))) ?? "guest"
    const lowest = Math.min(...able.filter(isOf(its)).map(({ tag }) => tag))
    const next = able.find((one) => isOf(its)(one) && one.tag === lowest)
    assert.strictEqual(next?.id, entry.id, "the run with the lowest tag comes up, of the class whose turn it is")
    queueState.lastClass = its
    turns.push({
      submitter: entry.submitter,
      others: new Set(able.map(({ submitter }) => submitter).filter((other) => other !== entry.submitter))
    })
    waiting.splice(waiting.indexOf(entry), 1)
    underWay.push({ ...entry, claim })
    yield* store.begin(entry.id, queue.worker)
  })

  const end = Effect.fnUntraced(function* (place: number) {
    const [entry] = underWay.splice(place % Math.max(1, underWay.length), 1)
    if (entry === undefined) return
    yield* store.fail({ id: entry.id, worker: queue.worker, attempt: 1 }, { code: null, message: "over" })
    yield* queue.complete(entry.claim)
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

const isOf =
  (its: SubmitterClass) =>
  ({ submitter }: Entry): boolean =>
    SUBMITTERS[submitter]?.class === its

const isOperator = (submitter: number): boolean => SUBMITTERS[submitter]?.class === "operator"

/** Three turns of a submitter during which another, which had a run to take all the while, had none: two are a tie of tags. */
const unfair = (turns: ReadonlyArray<Turn>): ReadonlyArray<string> =>
  turns.flatMap(({ others, submitter }, first) => {
    const own = turns.flatMap((turn, index) => (index >= first && turn.submitter === submitter ? [index] : []))
    const third = own[2]
    if (third === undefined) return []
    const during = turns.slice(first, third + 1)
    return [...others]
      .filter((other) => isOperator(other) === isOperator(submitter))
      .filter((other) => during.every((turn) => turn.submitter !== other && turn.others.has(other)))
      .map((other) => `${submitter} had turns ${own.slice(0, 3).join(", ")}, ${other} none of them or between`)
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
  const holds = (
    steps: fc.Arbitrary<ReadonlyArray<Step>>,
    laws: ReadonlyArray<(turns: ReadonlyArray<Turn>) => ReadonlyArray<string>>
  ) =>
    Effect.scoped(
      Effect.gen(function* () {
        const services = yield* Layer.build(yield* fresh)
        const queueState: { lastClass: SubmitterClass } = { lastClass: "operator" }
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(steps, async (steps) => {
              const turns = await Effect.runPromise(Effect.provide(play(steps, queueState), services))
              for (const law of laws) assert.deepStrictEqual(law(turns), [])
            }),
            { numRuns: runs }
          )
        )
      })
    )

  it.live("gives every waiting submitter a turn before another has its third, and alternates between classes", () =>
    holds(fc.array(aStep(fc.constant(null), true), { maxLength: 40 }), [unfair, oneSided])
  )

  it.live("skips runs whose domain is being audited, without delaying others", () =>
    holds(fc.array(aStep(fc.option(fc.nat(2)), true), { maxLength: 40 }), [oneSided])
  )
})
