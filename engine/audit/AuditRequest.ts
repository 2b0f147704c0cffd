import type * as Effect from "effect/Effect"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { JournalListener } from "../evidence/Journal.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { NamedPages } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"
import type { KeptExchange } from "./measure/CutEvidence.ts"
import type { AuditReport } from "./Report.ts"

/** What to audit and how; the same request on the same evidence gives the same report. */
export interface AuditRequest {
  /** As `parseTarget` returns it, and as the report repeats it. */
  readonly url: string
  /** What is asked first: the URL with the slash and the query that were typed, on its host; `url` if missing. */
  readonly first?: string | undefined
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** Paths and globs of pages that are always in the sample; none if missing. */
  readonly namedPages?: ReadonlyArray<string>
  /** The production origin whose URLs are read as the audited origin's; `null`: none. */
  readonly canonicalOrigin: string | null
  /** Whether the site is a folder and not served: criteria that judge a server are not measured. */
  readonly folder?: boolean
  readonly rubric: LoadedRubric<BoundCriterion>
  /** The ids of the agents of others (`NAMED_AGENTS`) that a few URLs are asked for as, once all is judged; none if missing. Only for the owner of the site. */
  readonly asAgents?: ReadonlyArray<string>
  /** The only host, with its port, that is asked as them; any of the site if missing. The service knows the owner of one host. */
  readonly asAgentsHost?: string
  readonly listen?: (event: AuditEvent) => void
  /** Reads what was derived of the site, after all criteria were measured. */
  readonly inspect?: (site: Site) => Effect.Effect<void>
}

/** Progress of a running audit. */
export type AuditEvent =
  | Parameters<JournalListener>[0]
  | { readonly _tag: "Measured"; readonly criterion: string; readonly done: number; readonly total: number }

/** A report and the evidence behind it. */
export interface AuditOutcome {
  readonly report: AuditReport
  /** Every request, in a defined order. */
  readonly journal: ReadonlyArray<KeptExchange>
  /** The one other origin that the site names as its own, as a preview does; `null` where it names none. */
  readonly productionOrigin: string | null
  /** What `namedPages` led to. */
  readonly named: ReadonlyArray<NamedPages>
}
