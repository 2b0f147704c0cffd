import type { Change } from "../../../engine/rubric/definition/Rubric.ts"
import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { diffRubrics } from "../../../engine/rubric/diff/RubricDiff.ts"
import type { UnboundRubric } from "../../../engine/rubric/UnboundRubric.ts"

/** A version of a rubric from its list of changes, with the differences between the files. */
export interface RubricVersion extends Change {
  /** Whether it is in force. */
  readonly inForce: boolean
  /** Whether its file may still change: the version in force has not been released. */
  readonly isDraft: boolean
  /** `sha256:` and the digest of the file; `null` for an earlier version that was not released. */
  readonly digest: string | null
  /** Differences from the released version before it; `null` if there is none to compare with. */
  readonly changes: ReadonlyArray<RubricChange> | null
}

/** The versions in a rubric's list of changes, newest first. `releases` are oldest first; those of other rubrics are ignored. */
export const rubricVersions = (
  { digest, rubric }: Pick<UnboundRubric, "digest" | "rubric">,
  releases: ReadonlyArray<UnboundRubric>
): ReadonlyArray<RubricVersion> => {
  const own = releases.filter((release) => release.rubric.id === rubric.id)
  return rubric.changes.map((change) => {
    const at = own.findIndex((release) => release.rubric.version === change.version)
    const [release, earlier] = [own[at], own[at - 1]]
    const inForce = change.version === rubric.version
    return {
      ...change,
      inForce,
      isDraft: inForce && release === undefined,
      digest: inForce ? digest : (release?.digest ?? null),
      changes: release === undefined || earlier === undefined ? null : diffRubrics(earlier, release).changes
    }
  })
}
