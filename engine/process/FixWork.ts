import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Zippable, zipSync } from "fflate"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { runRecordOf } from "../audit/AuditRequest.ts"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { openArchive, replay } from "../evidence/archive/Replay.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { fixSite } from "../fix/Fix.ts"
import { planOf, planSummaryOf } from "../fix/plan/Plan.ts"
import { planDataText, planJson } from "../fix/plan/PlanData.ts"
import { planMarkdown, questionsMarkdown } from "../fix/plan/PlanMarkdown.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import type { RecipeBook } from "../rubric/recipes/Recipes.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { plainText } from "../text/PlainText.ts"
import {
  ARCHIVE_FILE,
  type AuditFailure,
  type FixTask,
  LARGEST_PLAN,
  LARGEST_PLAN_JSON,
  LARGEST_ZIP,
  PLAN_FILE,
  PLAN_JSON_FILE,
  ZIP_FILE
} from "./AuditTask.ts"
import type { Parent } from "./AuditWork.ts"
import { temporaryFilesError } from "./TemporaryFiles.ts"
import { isSafePath } from "../fix/site/GeneratedFile.ts"
import type { OutputFile } from "../fix/plan/OutputFiles.ts"
import { OUTPUT_FOLDER } from "../fix/plan/PlanWords.ts"

/** Makes the fixes of a site from the archive in the task's folder, writes them there, and sends the end to the parent. */
export const carryOutFix = Effect.fn("FixWork.carryOut")(function* (
  { folder, reportScore }: FixTask,
  rubric: LoadedRubric<BoundCriterion>,
  recipes: RecipeBook | null,
  { tell }: Parent
): Effect.fn.Return<void, never, ParserPool> {
  const startedAt = yield* Clock.currentTimeMillis
  const failure = yield* makeFixes(folder, reportScore, rubric, recipes).pipe(
    Effect.as(null),
    Effect.catch((failed: AuditFailure) => Effect.succeed(failed))
  )
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  tell({ _tag: "Ended", failure, durationMs, bytes: 0, residentBytes: process.memoryUsage.rss() })
})

const makeFixes = Effect.fnUntraced(function* (
  folder: string,
  reportScore: number | null,
  rubric: LoadedRubric<BoundCriterion>,
  recipes: RecipeBook | null
): Effect.fn.Return<void, AuditFailure, ParserPool> {
  const archive = yield* Effect.mapError(openArchive(join(folder, ARCHIVE_FILE)), ({ message }) =>
    failed(`The archive of this audit can't be used: ${message}.`)
  )
  if (archive.run === null)
    return yield* Effect.fail(failed("The archive of this audit does not say what was audited."))
  const { limits, ...run } = runRecordOf(archive.run)
  const outcome = yield* fixSite({
    audit: { ...run, rubric },
    options: { only: null, ai: null, host: null },
    isLive: false,
    pages: null
  }).pipe(
    Effect.provide(replay(archive)),
    Effect.provideService(FetchLimits, limits),
    Effect.mapError(({ message }) =>
      failed(`The audit gives no report when it is repeated from its archive: ${message}`)
    )
  )
  const plan = planOf(outcome, null, recipes, reportScore)
  yield* keep(folder, PLAN_FILE, Buffer.from(JSON.stringify(planSummaryOf(plan))), LARGEST_PLAN)
  yield* keep(folder, PLAN_JSON_FILE, Buffer.from(planJson(plan)), LARGEST_PLAN_JSON)
  const questions = questionsMarkdown(plan.before)
  const papers = [
    { path: "PLAN.md", text: planMarkdown(plan) },
    { path: "PLAN.json", text: planDataText(plan) },
    ...(questions === null ? [] : [{ path: "QUESTIONS.md", text: questions }])
  ]
  yield* keep(folder, ZIP_FILE, zipOf([...papers, ...plan.files]), LARGEST_ZIP)
})

const keep = (folder: string, name: string, content: Uint8Array, most: number): Effect.Effect<void, AuditFailure> =>
  content.byteLength > most
    ? Effect.fail(
        failed(
          `The files of this site are too large for this service: ${name} has ${Math.ceil(content.byteLength / MB)} MB, and at most ${most / MB} MB are offered.`
        )
      )
    : Effect.mapError(
        Effect.tryPromise(() => writeFile(join(folder, name), content)),
        ({ cause }): AuditFailure => ({
          error: temporaryFilesError(cause, "The files could not be made"),
          advice: null
        })
      )

const MB = 1024 * 1024

/** The message may quote the site. */
const failed = (message: string): AuditFailure => ({
  error: { code: "fix_failed", message: plainText(message, 500) },
  advice: null
})

/** The date of every entry. In local time, which is what a zip has: the same bytes in every time zone. */
const DATE = new Date(2000, 0, 1, 12)

/** Files as a zip, in one folder and in the order given; the same files give the same bytes. A path that could lead out of a folder is left out. */
export const zipOf = (files: ReadonlyArray<Pick<OutputFile, "path" | "text">>): Uint8Array => {
  const entries: Zippable = {}
  for (const { path, text } of files) {
    if (isSafePath(path)) entries[`${OUTPUT_FOLDER}/${path}`] = new TextEncoder().encode(text)
  }
  return zipSync(entries, { mtime: DATE })
}
