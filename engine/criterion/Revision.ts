import * as Schema from "effect/Schema"

const FORM = 'a whole number such as 2, or text in quotes such as "2.1"'

/**
 * A plugin's revision as it is written: `2`, or `"2.1"` since it has got facts and none of the others changed. Text, because "2.10"
 * comes after "2.9"; `2` is 2.0.
 */
export const Revision = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  Schema.String.check(Schema.isPattern(/^[1-9]\d{0,5}\.(0|[1-9]\d{0,5})$/u))
]).annotate({ expected: FORM })
export type Revision = typeof Revision.Type

export interface RevisionParts {
  /** Higher: the same evidence could give other values of the same facts. */
  readonly major: number
  /** Higher within one `major`: there are more facts. */
  readonly minor: number
}

export const revisionParts = (revision: Revision): RevisionParts => {
  const [major = 0, minor = 0] = String(revision).split(".").map(Number)
  return { major, minor }
}

const isRevision = Schema.is(Revision)

/** What is wrong with a revision that a plugin's code declares; `null`: nothing. */
export const revisionFault = (revision: Revision): string | null =>
  isRevision(revision) ? null : `its revision is ${JSON.stringify(revision)}, and must be ${FORM}`

/** Whether a plugin at a revision has all facts that another revision has, and the same values of them. */
export const servesRevision = (revision: Revision, wanted: Revision): boolean => {
  const [has, wants] = [revisionParts(revision), revisionParts(wanted)]
  return has.major === wants.major && has.minor >= wants.minor
}
