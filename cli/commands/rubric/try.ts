import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { rubricOfReport } from "../../../engine/audit/Assemble.ts"
import { replayRun, type StoredRun, type UnreadableRun } from "../../../engine/audit/StoredRun.ts"
import type { BoundCriterion } from "../../../engine/plugin/Registry.ts"
import { counted } from "../../../engine/plugin/Wording.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { type LoadedRubric, ownCriteria } from "../../../engine/rubric/RubricFile.ts"
import { suggestion } from "../../../engine/rubric/source/NearestName.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"
import { allowPlugins, formatFlag, noColor, repeated } from "../../io/Flags.ts"
import { readRubric, rejected, rubricBytes } from "../../io/Rubrics.ts"
import { block, outputStyle, terminalWidth } from "../../render/Style.ts"
import type { TextOptions } from "../../render/TextReport.ts"
import { storedFiles } from "../../runs/StoredRuns.ts"
import { allCriteria, type CriterionResult } from "../../../engine/audit/Report.ts"

const INDENT = "    "

/** Tables of what criteria come to on recorded sites, one for each criterion, then what could not be read. */
const renderTried = (runs: ReadonlyArray<TriedRun | UnreadableRun>, options: TextOptions): string => {
  const tried = runs.flatMap((run) => ("unreadable" in run ? [] : [run]))
  const unreadable = runs.flatMap((run) => ("unreadable" in run ? [run] : []))
  const rows = tried.flatMap((run) => run.criteria.map((criterion) => ({ run, criterion })))
  const tables = [...Map.groupBy(rows, ({ criterion }) => criterion.id).values()].map((group) => table(group, options))
  const { style } = options
  const left = unreadable.map(({ name, unreadable: reason }) => style.fair(`${plainText(name)}: ${plainText(reason)}`))
  return [...tables, ...(left.length === 0 ? [] : [left])].map((lines) => lines.join("\n")).join("\n\n")
}

interface Row {
  readonly run: TriedRun
  readonly criterion: TriedCriterion
}

const table = (rows: ReadonlyArray<Row>, { style, width }: TextOptions): ReadonlyArray<string> => {
  const [first] = rows
  if (first === undefined) return []
  const { id, title } = first.criterion
  const widest = Math.max(...rows.map(({ run }) => run.site.length))
  const colour = { present: style.good, partial: style.fair, absent: style.poor, inconclusive: style.dim }
  return [
    style.bold(`${id} ${plainText(title)}`),
    ...rows.flatMap(({ criterion, run }) => [
      `  ${criterion.applicable ? colour[criterion.status](criterion.status.padEnd(12)) : style.dim(NOT_APPLICABLE)} ${(criterion.applicable ? `${criterion.earned}/${criterion.points}` : "–").padStart(5)}  ${plainText(run.site).padEnd(Math.min(widest, 60))}  ${style.dim(factsShown(criterion))}`,
      ...block(plainText(criterion.finding), width, INDENT),
      ...(criterion.notRecorded === 0
        ? []
        : block(
            `The archive lacks ${counted(criterion.notRecorded, "URL")} that it asks for. Record the site again with this rubric: docgauge URL --rubric FILE --record ARCHIVE`,
            width,
            INDENT
          ).map(style.fair))
    ]),
    `  ${counted(rows.length, "site")}: ${tallied(rows)}`
  ]
}

/** `pages=12 matching=0.75 (0.7 to 1)`. */
const factsShown = ({ facts, uncertain = {} }: TriedCriterion): string =>
  facts === null
    ? "no facts"
    : Object.entries(facts)
        .map(([name, value]) => `${name}=${String(value)}${rangeShown(uncertain[name])}`)
        .join(" ")

const rangeShown = (range: NonNullable<TriedCriterion["uncertain"]>[string] | undefined): string => {
  if (range === undefined) return ""
  return "one_of" in range
    ? ` (${range.one_of.join(" or ")})`
    : ` (${range.at_least} ${range.at_most === null ? "or more" : `to ${range.at_most}`})`
}

/** As wide as a status. */
const NOT_APPLICABLE = "not for it".padEnd(12)

const tallied = (rows: ReadonlyArray<Row>): string => {
  const judged = rows.filter(({ criterion }) => criterion.applicable)
  const statuses = (["present", "partial", "absent", "inconclusive"] as const).map(
    (status) => `${judged.filter(({ criterion }) => criterion.status === status).length} ${status}`
  )
  const others = rows.length - judged.length
  return [...statuses, ...(others === 0 ? [] : [`${others} to which it does not apply`])].join(", ")
}

/** `docgauge rubric try`: measures recorded sites again by the criteria of a file. */
export const tryFile = Command.make(
  "try",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The rubric file")),
    on: repeated(
      "on",
      "ARCHIVE",
      "Recorded audits (.warc, .warc.gz), service databases (.db), or folders of them; repeatable. --on recorded/"
    ),
    paths: Argument.String("archive").pipe(
      Argument.withDescription("More archives, as with --on"),
      Argument.variadic()
    ),
    criterion: repeated(
      "criterion",
      "ID",
      "Only this criterion; repeatable; default: those that the file names, or all of a whole rubric. --criterion D8"
    ),
    allowPlugins,
    format: formatFlag(["text", "json"], "Output format. --format json"),
    noColor
  },
  Effect.fn("rubric try")(function* ({ allowPlugins, criterion, file, format, noColor, on, paths }) {
    const archives = [...on, ...paths]
    if (archives.length === 0)
      return yield* wrongUsage(
        "no archives given. Record a site with `docgauge URL --record site.warc.gz`, then: docgauge rubric try house.yaml --on site.warc.gz"
      )
    const loaded = yield* readRubric(Option.some(file), allowPlugins)
    const rubric = onlyCriteria(loaded, yield* wantedOf(file, loaded, criterion))
    const runs = yield* Stream.fromAsyncIterable(storedFiles(archives), (error) =>
      wrongUsage(`cannot read the archives: ${error instanceof Error ? error.message : String(error)}.`)
    ).pipe(
      Stream.mapEffect((run) => tryOn(run, rubric)),
      Stream.runCollect,
      Effect.provide(ParserPool.layer)
    )
    yield* Console.log(
      format === "json"
        ? JSON.stringify({ rubric: rubricOfReport(loaded), runs }, null, 2)
        : renderTried(runs, { width: terminalWidth(), style: outputStyle(noColor) })
    )
    if (runs.every((run) => "unreadable" in run))
      return yield* wrongUsage("none of these could be measured again. Pass archives that docgauge recorded.")
  })
).pipe(
  Command.withDescription(
    "Measure recorded sites again by the criteria of a rubric file: facts, level and first finding of each"
  ),
  Command.withExamples([
    {
      command: "docgauge rubric try house.yaml --on recorded/ --criterion D8",
      description: "See what a rule finds on every recorded site while you write it"
    }
  ])
)

const wantedOf = Effect.fnUntraced(function* (
  file: string,
  { criteria, experimental }: LoadedRubric<BoundCriterion>,
  given: ReadonlyArray<string>
): Effect.fn.Return<ReadonlySet<string>, CliFailure, FileSystem.FileSystem> {
  const ids = [...criteria, ...experimental].map(({ definition }) => definition.id)
  const named = given.map((id) => id.toUpperCase())
  const unknown = named.find((id) => !ids.includes(id))
  if (unknown !== undefined)
    return yield* wrongUsage(
      `there is no criterion "${unknown}"; ${suggestion(unknown, ids, "the criteria are") ?? "the rubric has none"}`
    )
  if (named.length > 0) return new Set(named)
  const own = yield* Effect.mapError(ownCriteria(yield* rubricBytes(file), file), ({ problems }) =>
    rejected(problems, "nothing was measured")
  )
  return own ?? new Set(ids)
})

/** What a criterion comes to on one recorded site. */
export interface TriedCriterion {
  readonly id: string
  readonly title: string
  readonly status: CriterionResult["status"]
  readonly earned: number
  readonly points: number
  /** `false`: it does not apply to the site, so its points are not asked for. */
  readonly applicable: boolean
  /** `null` where the evidence is missing. */
  readonly facts: CriterionResult["measured"]["facts"]
  /** What facts may be that missing responses could change. */
  readonly uncertain: CriterionResult["measured"]["uncertain"]
  readonly finding: string
  /** How many URLs it asks for that the archive does not have. */
  readonly notRecorded: number
}

/** A recorded site, and what the criteria come to on it. */
export interface TriedRun {
  readonly name: string
  readonly site: string
  readonly date: string
  readonly criteria: ReadonlyArray<TriedCriterion>
}

/** The rubric with these criteria alone, which are all that is measured. */
export const onlyCriteria = (
  rubric: LoadedRubric<BoundCriterion>,
  wanted: ReadonlySet<string>
): LoadedRubric<BoundCriterion> => ({
  ...rubric,
  criteria: rubric.criteria.filter(({ definition }) => wanted.has(definition.id)),
  experimental: rubric.experimental.filter(({ definition }) => wanted.has(definition.id))
})

/** Measures again what an archive recorded, by the criteria of a rubric. */
export const tryOn = Effect.fn("TryRubric.tryOn")(function* (
  run: StoredRun | UnreadableRun,
  rubric: LoadedRubric<BoundCriterion>
): Effect.fn.Return<TriedRun | UnreadableRun, never, ParserPool> {
  const unreadable = (reason: string): UnreadableRun => ({ name: run.name, unreadable: reason })
  if ("unreadable" in run) return run
  if (run.archive === null) return unreadable("it is a report without an archive, and facts are measured from archives")
  return yield* Effect.match(
    Effect.flatMap(run.archive, (archive) => replayRun(archive, rubric)),
    {
      onFailure: unreadable,
      onSuccess: ({ lacking, report }): TriedRun => ({
        name: run.name,
        site: report.base_url,
        date: report.audit_date,
        criteria: allCriteria(report).map(
          ({ applicable, id, max, measured: { facts, uncertain }, score, status, summary, title }) => ({
            id,
            title,
            status,
            earned: score,
            points: max,
            applicable: applicable ?? true,
            facts,
            uncertain,
            finding: summary,
            notRecorded: lacking.get(id) ?? 0
          })
        )
      })
    }
  )
})
