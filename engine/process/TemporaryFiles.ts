import type { RunError } from "../store/runs/Run.ts"
import { RESIDENT_LIMIT } from "./ProcessLimits.ts"

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"])

/** Why something has no result whose temporary files could not be written, safe to show. `happened`: the beginning of the sentence. */
export const temporaryFilesError = (error: unknown, happened = "The audit failed"): RunError => ({
  code: "internal",
  message: FULL.has(errorCode(error))
    ? `${happened} because the temporary folder of this service is full. Its operator must free space there, or set TMPDIR to another folder.`
    : `${happened} because this service cannot write to its temporary folder (${errorCode(error)}). Its operator must set TMPDIR to a folder that it can write to.`
})

/** Such as `ENOSPC`. */
const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error"

/** Why there is no process for a task: the end of a sentence, safe to show. */
export const NOT_STARTED =
  "this service could not start a process for it. Its operator must see whether it lacks memory, or may have more processes."

/** Why the process of a task was killed: the end of a sentence, and another one, safe to show. */
export const KILLED = `the system killed its process, most likely because memory was short. Allow ${RESIDENT_LIMIT / 1024 / 1024} MB for each concurrent audit and 700 MB besides, or run fewer at once (DOCGAUGE_CONCURRENT_AUDITS in a service).`
