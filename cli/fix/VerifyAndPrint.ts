import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import process from "node:process"
import { counted, grouped } from "../../engine/plugin/Wording.ts"
import { FetchLimits, REQUEST_MILLISECONDS } from "../../engine/evidence/FetchLimits.ts"
import { PlanPromises } from "../../engine/fix/plan/PlanData.ts"
import { type CheckedPromise, type Outcome, requestsToVerify, verifyPlan } from "../../engine/fix/verify/VerifyPlan.ts"
import type { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { auditBegins, sourceOf } from "../audit/LocalAudit.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/Files.ts"
import { writeOut } from "../io/Stdout.ts"
import type { FixFlags } from "./FixFlags.ts"

/** Checks on the published site what a plan promised, prints a line for each promise, and fails if one is not kept. */
export const verifyAndPrint = Effect.fnUntraced(function* (
  flags: FixFlags,
  path: string
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem | ParserPool> {
  yield* refuseOthers(flags)
  const plan = yield* readJsonFile(path, PlanPromises, "a PLAN.json that this version of docgauge fix wrote")
  const requests = requestsToVerify(plan)
  const url = Option.getOrElse(flags.url, () => plan.base_url)
  const source = yield* sourceOf(
    { ...flags, url: Option.some(url), replay: flags.from, record: Option.none(), server: Option.none() },
    null,
    process.env,
    requests
  )
  if (!flags.quiet) {
    if (source.notice !== undefined) yield* Console.error(`docgauge: ${source.notice}`)
    yield* Console.error(
      `Checking ${counted(plan.files.length, "file")} of the plan on ${plainText(source.run.url, 200)}: up to ${counted(requests, "request")}.`
    )
  }
  yield* auditBegins((requests * REQUEST_MILLISECONDS + source.run.limits.gatherMs) / 1_000, false)
  const checked = yield* verifyPlan(plan, source.run.url).pipe(
    Effect.provide(source.transport),
    Effect.provideService(FetchLimits, source.run.limits)
  )
  yield* writeOut(flags.format === "json" ? json(plan, source.run.url, checked) : text(plan, checked))
  const [failed, open] = [countOf(checked, "broken"), countOf(checked, "open")]
  if (failed > 0)
    return yield* new CliFailure({
      code: ExitCode.belowTarget,
      message: `${grouped(failed)} of ${counted(checked.length, "promise")} ${failed === 1 ? "is" : "are"} not kept. Publish what is named above, and run this again.`
    })
  if (open > 0)
    return yield* new CliFailure({
      code: ExitCode.notReliable,
      message: `${grouped(open)} of ${counted(checked.length, "promise")} could not be checked. Run this again later.`
    })
})

const countOf = (checked: ReadonlyArray<CheckedPromise>, outcome: Outcome): number =>
  checked.filter((one) => one.outcome === outcome).length

const WORDS: Readonly<Record<Outcome, string>> = { kept: "kept    ", broken: "not kept", open: "open    " }

const text = (plan: PlanPromises, checked: ReadonlyArray<CheckedPromise>): string => {
  const kept = countOf(checked, "kept")
  const first = new Map(checked.toReversed().map((one) => [one.says, one]))
  return [
    ...checked.map((one) => {
      const { outcome, says, url, what } = one
      const reason =
        outcome === "open" && first.get(says) !== one
          ? "could not be checked, for the same reason as above"
          : plainText(says, 500)
      return `${WORDS[outcome]}  ${plainText(what, 200)}  ${plainText(url, 200)} ${outcome === "kept" ? `(${plainText(says, 300)})` : reason}`
    }),
    `${grouped(kept)} of ${counted(checked.length, "promise")} kept. The plan promised ${plan.score_before} → ${plan.at_least ? "at least " : ""}${plan.score} of 100: docgauge ${plainText(plan.base_url, 200)} audits what is published.`,
    ""
  ].join("\n")
}

const json = (plan: PlanPromises, url: string, checked: ReadonlyArray<CheckedPromise>): string =>
  `${JSON.stringify({ base_url: plan.base_url, url, kept: countOf(checked, "kept"), not_kept: countOf(checked, "broken"), open: countOf(checked, "open"), promises: checked }, null, 2)}\n`

/** Flags that only writing needs would have no effect, so they are refused. */
const refuseOthers = (flags: FixFlags): Effect.Effect<void, CliFailure> => {
  const given = [
    ["--from", Option.isSome(flags.from)],
    ["--as", Option.isSome(flags.as)],
    ["--patch", Option.isSome(flags.patch)],
    ["--logs", Option.isSome(flags.logs)],
    ["--only", Option.isSome(flags.only)],
    ["--ai", Option.isSome(flags.ai)],
    ["--host", Option.isSome(flags.host)],
    ["--rubric", Option.isSome(flags.rubric)],
    ["--sample", Option.isSome(flags.sample)],
    ["--all", flags.all],
    ["--force", flags.force],
    ["--pull-request", flags.pullRequest],
    ["--static", Option.isSome(flags.static)],
    ["--plan", flags.plan],
    ["--prompt", flags.prompt]
  ] as const
  const other = given.find(([, isGiven]) => isGiven)
  if (flags.format === "markdown")
    return Effect.fail(wrongUsage("--verify prints text or JSON: use --format text or --format json."))
  return other === undefined
    ? Effect.void
    : Effect.fail(
        wrongUsage(`--verify checks what is published and writes nothing, so ${other[0]} cannot be used with it.`)
      )
}
