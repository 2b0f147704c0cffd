import * as Effect from "effect/Effect"
import { type Norm, type NormBook, versionText } from "./Norms.ts"
import { type NotAsked, publishedSince, type ReleaseHosts } from "./AskReleases.ts"

/** What there is to say of a norm. */
export interface NormState {
  readonly id: string
  /** Why our criteria, or what we know of it, are older than the norm; empty: they are not, as far as we could ask. */
  readonly older: ReadonlyArray<string>
  /** Why its releases could not be asked for; `null`: they were, or it has none. */
  readonly notAsked: string | null
}

/** Norms are looked at again after so many days. */
const CHECKED_DAYS = 90

/** Asks for the newest version of every norm. `today`: as `2026-11-28`. */
export const normStates = (
  { norms }: NormBook,
  hosts: ReleaseHosts,
  today: string
): Effect.Effect<ReadonlyArray<NormState>> =>
  Effect.forEach(norms, (norm) => normState(norm, hosts, today), { concurrency: 4 })

const normState = Effect.fnUntraced(function* (
  norm: Norm,
  hosts: ReleaseHosts,
  today: string
): Effect.fn.Return<NormState> {
  const known = knownToBeOlder(norm, today)
  return yield* Effect.match(publishedSince(norm, hosts), {
    onFailure: ({ message }: NotAsked) => ({ id: norm.id, older: known, notAsked: message }),
    onSuccess: (published) => ({ id: norm.id, older: [...known, ...published], notAsked: null })
  })
})

/** What the file itself says. */
const knownToBeOlder = ({ checked, due, ...held }: Norm, today: string): ReadonlyArray<string> => {
  const days = Math.round((Date.parse(today) - Date.parse(checked)) / 86_400_000)
  return [
    ...(due === undefined
      ? []
      : [`${versionText(due)} is due; the criteria judge by ${versionText(held) || "an older text"}`]),
    ...(days > CHECKED_DAYS ? [`last checked ${days} days ago, on ${checked}`] : [])
  ]
}

/** The states as lines of text: those that are older first, then what could not be asked, then how many there are. */
export const normLines = (states: ReadonlyArray<NormState>): ReadonlyArray<string> => {
  const older = states.filter((state) => state.older.length > 0)
  const silent = states.filter(({ notAsked }) => notAsked !== null)
  return [
    ...older.flatMap(({ id, older: reasons }) => reasons.map((reason) => `${id}: ${reason}`)),
    ...silent.map(({ id, notAsked }) => `${id}: could not be asked: ${notAsked}`),
    `${states.length} norms: ${older.length} to look at, ${silent.length} that could not be asked.`
  ]
}
