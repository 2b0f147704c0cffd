import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { PlanSummary } from "../fix/plan/PlanSummary.ts"
import type { AuditProcessDied } from "../process/AuditProcess.ts"
import { AuditProcesses } from "../process/AuditProcesses.ts"
import {
  ARCHIVE_FILE,
  type FixTask,
  LARGEST_PLAN,
  LARGEST_PLAN_JSON,
  LARGEST_ZIP,
  PLAN_FILE,
  PLAN_JSON_FILE,
  ZIP_FILE
} from "../process/AuditTask.ts"
import type { RubricReference } from "../rubric/RubricFile.ts"
import { longestFix } from "../process/ProcessLimits.ts"
import { KILLED, NOT_STARTED, temporaryFilesError, workFolder } from "../process/TemporaryFiles.ts"
import type { RunError } from "../store/runs/Run.ts"

/** What was made from the archive of an audit. */
export interface MadeFixes {
  readonly plan: PlanSummary
  /** The plan as `docgauge fix --format json` prints it. */
  readonly json: Uint8Array
  /** The files and the plan. */
  readonly zip: Uint8Array
}

/** Why there are no fixes, safe to show: one or two sentences. `internal`: a fault of this service. */
export class NotFixed extends Data.TaggedError("NotFixed")<{
  readonly reason: "unusable" | "internal"
  readonly message: string
  /** `archive`: the same archive always gives the same failure. `crash`: it may. `service`: it has nothing to do with the archive. */
  readonly origin: "archive" | "crash" | "service"
}> {}

/** What is known of an audited site before its fixes are made. */
type SiteToFix = Pick<FixTask, "isSlow" | "reportScore">

/** Puts the archive into a file at this path. */
type ArchiveAt<E> = (path: string) => Effect.Effect<void, E>

/** Makes the fixes of an audited site from the archive of its audit, in an audit process: one at a time, so that it takes no more than one. */
export const makeFixer = (
  rubric: RubricReference
): Effect.Effect<
  <E>(site: SiteToFix, archive: ArchiveAt<E>) => Effect.Effect<MadeFixes, NotFixed | E>,
  never,
  AuditProcesses
> =>
  Effect.map(AuditProcesses, (processes) => {
    const fix = Effect.fn("Fixer.fix")(function* <E>(
      site: SiteToFix,
      archive: ArchiveAt<E>
    ): Effect.fn.Return<MadeFixes, NotFixed | E, Scope.Scope> {
      const folder = yield* Effect.mapError(
        workFolder,
        ({ cause }) =>
          new NotFixed({
            reason: "internal",
            message: temporaryFilesError(cause, "The files could not be made").message,
            origin: "service"
          })
      )
      yield* archive(join(folder, ARCHIVE_FILE))
      const task: FixTask = { kind: "fix", ...site, rubric, folder }
      const { failure } = yield* Effect.mapError(processes.fix(task), (died) => notFixed(died, longestFix(task)))
      if (failure !== null) return yield* notMade(failure.error)
      return yield* Effect.promise(async () => ({
        plan: readPlan((await bytesAt(join(folder, PLAN_FILE), LARGEST_PLAN)).toString("utf8")),
        json: await bytesAt(join(folder, PLAN_JSON_FILE), LARGEST_PLAN_JSON),
        zip: await bytesAt(join(folder, ZIP_FILE), LARGEST_ZIP)
      }))
    })
    const turns = Semaphore.makeUnsafe(1)
    return (site, archive) => turns.withPermit(Effect.scoped(fix(site, archive)))
  })

const readPlan = Schema.decodeUnknownSync(Schema.fromJsonString(PlanSummary))

/** The process may have been compromised by a hostile site, so the size is checked. */
const bytesAt = async (path: string, most: number): Promise<Buffer> => {
  const { size } = await stat(path)
  if (size > most) throw new Error(`${path} has ${size} bytes`)
  return await readFile(path)
}

const notMade = ({ code, message }: RunError): NotFixed =>
  code === "internal"
    ? new NotFixed({ reason: "internal", message, origin: "service" })
    : new NotFixed({ reason: "unusable", message, origin: "archive" })

const notFixed = ({ reason }: AuditProcessDied, longestMs: number): NotFixed => {
  switch (reason) {
    case "timed_out":
      return new NotFixed({
        reason: "unusable",
        message: `Making the files was stopped because it took longer than ${longestMs / 1_000} seconds.`,
        origin: "archive"
      })
    case "out_of_memory":
      return new NotFixed({
        reason: "unusable",
        message: "Making the files was stopped because this site needs more memory than this service allows.",
        origin: "archive"
      })
    case "crashed":
      return new NotFixed({
        reason: "internal",
        message: "The files could not be made because of an error in this service.",
        origin: "crash"
      })
    case "killed":
      return new NotFixed({
        reason: "internal",
        message: `The files could not be made because ${KILLED}`,
        origin: "service"
      })
    case "not_started":
      return new NotFixed({
        reason: "internal",
        message: `The files could not be made because ${NOT_STARTED}`,
        origin: "service"
      })
  }
}
