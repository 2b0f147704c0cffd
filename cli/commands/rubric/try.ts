import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Argument, Command } from "effect/cli"
import { rubricOfReport } from "../../../engine/audit/Assemble.ts"
import { onlyCriteria, tryOn } from "../../../engine/audit/compare/TryRubric.ts"
import type { BoundCriterion } from "../../../engine/criterion/Registry.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { type LoadedRubric, ownCriteria } from "../../../engine/rubric/RubricFile.ts"
import { suggestion } from "../../../engine/rubric/source/NearestName.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"
import { allowPlugins, formatFlag, noColor, repeated } from "../../io/Flags.ts"
import { readRubric, rejected, rubricBytes } from "../../io/Rubrics.ts"
import { renderTried } from "../../render/Tried.ts"
import { outputStyle, terminalWidth } from "../../render/Terminal.ts"
import { storedFiles } from "../../runs/StoredFiles.ts"

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
