import type { FuzzTarget } from "./Target.ts"
import { auditTargets } from "./targets/AuditTarget.ts"
import { descriptionTargets } from "./targets/DescriptionTargets.ts"
import { fixTargets } from "./targets/FixTargets.ts"
import { networkTargets } from "./targets/NetworkTargets.ts"
import { pageTargets } from "./targets/PageTargets.ts"
import { serverTargets } from "./targets/ServerTargets.ts"

/** Every parser of foreign bytes. */
export const fuzzTargets: ReadonlyArray<FuzzTarget> = [
  ...pageTargets,
  ...descriptionTargets,
  ...networkTargets,
  ...serverTargets,
  ...fixTargets,
  ...auditTargets
]
