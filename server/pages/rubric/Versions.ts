import type { Change, Rubric } from "../../../engine/rubric/Rubric.ts"
import type { RubricChange } from "../../../engine/rubric/RubricChange.ts"
import { diffRubrics } from "../../../engine/rubric/RubricDiff.ts"
import type { UnboundRubric } from "../../../engine/rubric/UnboundRubric.ts"

/** A version of a rubric, as its history tells of it, and what it changed by the files themselves. */
export interface RubricVersion extends Change {
  /** Whether audits are judged by it now. */
  readonly inForce: boolean
  /** `sha256:` and the digest of the frozen file; `null` where it was not released. */
  readonly digest: string | null
  /** Against the released version before it; `null` for the first, and where there is nothing to hold it against. */
  readonly changes: ReadonlyArray<RubricChange> | null
}

/** The versions that a rubric's history tells of, newest first. `releases` are oldest first; those of other rubrics are passed over. */
export const rubricVersions = (rubric: Rubric, releases: ReadonlyArray<UnboundRubric>): ReadonlyArray<RubricVersion> => {
  const own = releases.filter((release) => release.rubric.id === rubric.id)
  return rubric.changes.map((change) => {
    const at = own.findIndex((release) => release.rubric.version === change.version)
    const [release, earlier] = [own[at], own[at - 1]]
    return {
      ...change,
      inForce: change.version === rubric.version,
      digest: release?.digest ?? null,
      changes: release === undefined || earlier === undefined ? null : diffRubrics(earlier, release).changes
    }
  })
}
