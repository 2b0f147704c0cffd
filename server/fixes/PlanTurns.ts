import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Plans of all clients that are made or wait; beyond that, one must give way. */
export const MOST_PLANS = 8

/** How many client networks and slow domains are remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 1_000

/** A plan that is to be made. */
export interface PlanRequest {
  /** The client network that asks for it. */
  readonly network: string
  /** The registrable domain of the audited site. */
  readonly domain: string
}

/** There is no place for a plan, or it gave its place to that of another network. */
export class PlansBusy extends Data.TaggedError("PlansBusy")<{}> {}

/**
 * Makes plans one at a time: first those of domains whose plans are not known to be slow, and of these the one whose client network had
 * its last turn longest ago. If all places are taken, a waiting plan gives way: a slow one to one that may be quick, else the newest of the
 * network with the most, if the network that asks has two fewer.
 */
interface PlanTurns {
  /** Whether a plan would get a place now. */
  readonly hasPlace: (plan: PlanRequest) => boolean
  /** Makes a plan when its turn comes. `isSlow`: whether the last plan of its domain was slow. */
  readonly take: <A, E>(
    plan: PlanRequest,
    make: (isSlow: boolean) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | PlansBusy>
}

interface WaitingPlan extends PlanRequest {
  readonly begun: Deferred.Deferred<void, PlansBusy>
}

/** A plan whose making takes longer than `slowMs` milliseconds is slow. */
export const makePlanTurns = (slowMs: number): PlanTurns => {
  let making: WaitingPlan | null = null
  /** In the order of arrival. */
  let waiting: ReadonlyArray<WaitingPlan> = []
  /** When networks had their last turns. */
  const lastTurns = new Map<string, number>()
  let turn = 0
  const slowDomains = new Set<string>()

  const isSlow = ({ domain }: PlanRequest): boolean => slowDomains.has(domain)
  const turnOf = ({ network }: PlanRequest): number => lastTurns.get(network) ?? 0
  const waitingOf = ({ network }: PlanRequest): number => waiting.filter((plan) => plan.network === network).length
  const leave = (plan: WaitingPlan): void => {
    waiting = waiting.filter((one) => one !== plan)
  }

  /** The waiting plan that gives way to this one. */
  const givesWay = (plan: PlanRequest): WaitingPlan | undefined => {
    const slow = isSlow(plan) ? [] : waiting.filter(isSlow)
    const candidates = slow.length > 0 ? slow : waiting.filter((one) => waitingOf(one) > waitingOf(plan) + 1)
    return candidates.toSorted((one, other) => waitingOf(one) - waitingOf(other)).at(-1)
  }

  const isFull = (): boolean => waiting.length + (making === null ? 0 : 1) >= MOST_PLANS

  const beginNext = (): void => {
    making =
      waiting.toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)) || turnOf(one) - turnOf(other))[0] ??
      null
    if (making === null) return
    leave(making)
    turn += 1
    lastTurns.delete(making.network)
    lastTurns.set(making.network, turn)
    forgetOldest(lastTurns)
    Deferred.doneUnsafe(making.begun, Exit.void)
  }

  const noteTime = ({ domain }: PlanRequest, took: Duration.Duration): void => {
    slowDomains.delete(domain)
    if (Duration.toMillis(took) > slowMs) slowDomains.add(domain)
    forgetOldest(slowDomains)
  }

  const timed = <A, E>(plan: PlanRequest, make: (isSlow: boolean) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.timed(Effect.exit(Effect.suspend(() => make(isSlow(plan))))), ([took, exit]) => {
      noteTime(plan, took)
      return exit
    })

  return {
    hasPlace: (plan) => !isFull() || givesWay(plan) !== undefined,
    take: (plan, make) =>
      Effect.suspend(() => {
        if (isFull()) {
          const giving = givesWay(plan)
          if (giving === undefined) return Effect.fail(new PlansBusy())
          leave(giving)
          Deferred.doneUnsafe(giving.begun, Exit.fail(new PlansBusy()))
        }
        const own: WaitingPlan = { ...plan, begun: Deferred.makeUnsafe() }
        waiting = [...waiting, own]
        if (making === null) beginNext()
        return Effect.ensuring(
          Effect.andThen(Deferred.await(own.begun), timed(plan, make)),
          Effect.sync(() => {
            if (making === own) beginNext()
            else leave(own)
          })
        )
      })
  }
}

/** Deletes the key that was added first, if there are too many. */
const forgetOldest = (remembered: Map<string, unknown> | Set<string>): void => {
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}
