import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Argument, Command } from "effect/cli"
import { promoted } from "../../engine/audit/compare/CriterionChange.ts"
import type { EarlierRubric, RescoreOptions, RescoreOutcome } from "../../engine/audit/compare/Rescore.ts"
import { rescoreRun } from "../../engine/audit/compare/Rescore.ts"
import { makeTally } from "../../engine/audit/compare/RescoreTally.ts"
import { rubricOfReport } from "../../engine/audit/Assemble.ts"
import type { RunSource } from "../../engine/audit/StoredRun.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { loadRubric, OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { allowPlugins, formatFlag, noColor, optionalText, repeated, rubric } from "../io/Flags.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { type RescoreFormat, rescoreWriter } from "../render/Rescore.ts"
import { pluginsOf, readRubric, readRubricAlone, rubricBytes } from "../io/Rubrics.ts"
import { writeOut } from "../io/Stdout.ts"
import { storedFiles } from "../runs/StoredRuns.ts"
import { outputStyle, terminalWidth } from "../render/Style.ts"

const rescoreFlags = {
  rubric,
  from: repeated(
    "from",
    "PATH",
    "Reports (.json, .jsonl), files of facts (.json), archives (.warc.gz), service databases (.db), or folders of them; repeatable. --from reports/"
  ),
  paths: Argument.String("path").pipe(Argument.withDescription("More paths, as with --from"), Argument.variadic()),
  archives: optionalText(
    "archives",
    "FOLDER",
    "Archives of the runs in a service database; default: the folder archives beside it. --archives data/archives"
  ),
  before: repeated(
    "before",
    "FILE",
    "An earlier rubric, to show which of its conditions changed the score; repeatable. --before released/1.0.0.yaml"
  ),
  promote: repeated(
    "promote",
    "ID",
    "Judge as if this criterion on trial earned its points; totals are scaled to 100; repeatable. --promote B6"
  ),
  synthetic: repeated(
    "synthetic",
    "PATH",
    "Runs of made-up sites, as with --from: they are counted apart; repeatable. --synthetic recorded/golden"
  ),
  allowPlugins,
  format: formatFlag(["text", "markdown", "json"], "Output format; Markdown is for pull requests. --format markdown"),
  noColor
} as const

/** `docgauge rescore`: judges every stored run by another rubric, without the network. */
export const rescore = Command.make(
  "rescore",
  rescoreFlags,
  Effect.fn("rescore")(function* (flags) {
    const { allowPlugins, archives, before, format, from, noColor, paths, promote, rubric, synthetic } = flags
    const given = [...from, ...paths]
    if (given.length + synthetic.length === 0)
      return yield* wrongUsage(
        "no runs given. Pass reports, archives or folders of them, for example: docgauge rescore --rubric rubric.yaml --from reports/"
      )
    const read = yield* readRubric(rubric, allowPlugins)
    const promotion = yield* promotionOf(read, promote)
    const earlier = yield* earlierRubrics(before, allowPlugins)
    const options = {
      rubric: promotion?.rubric ?? read,
      earlier,
      // With several, it is not known which one a file of facts should be compared with.
      before: before.length === 1 ? ([...earlier.values()][0]?.loaded ?? null) : null
    }
    const folder = Option.getOrNull(archives)
    yield* rescoreAll(bothKinds(storedFiles(given, folder), storedFiles(synthetic, folder)), options, {
      format,
      promotion: promotion?.promotion ?? null,
      width: terminalWidth(),
      style: outputStyle(noColor)
    })
  })
).pipe(
  Command.withShortDescription("Judge stored runs by another rubric, without the network"),
  Command.withDescription(
    "Judge stored runs by another rubric, without the network: the score of each site before and after, and why it changed"
  ),
  Command.withExamples([
    {
      command: "docgauge rescore --rubric rubric.yaml --before main.yaml --from reports/ --format markdown",
      description: "Show in a pull request how a change of the rubric affects real scores"
    },
    {
      command: "docgauge rescore --from reports/ --promote B6",
      description: "See what scores would be if a criterion on trial earned points"
    },
    { command: "docgauge rescore --from audit.warc.gz", description: "Judge an archived audit by the built-in rubric" }
  ])
)

/** The rubric with these criteria promoted; `null`: none is asked for. */
const promotionOf = (rubric: RescoreOptions["rubric"], ids: ReadonlyArray<string>) => {
  if (ids.length === 0) return Effect.succeed(null)
  const onTrial = rubric.experimental.map(({ definition }) => definition.id)
  const unknown = ids.find((id) => !onTrial.includes(id))
  return unknown === undefined
    ? Effect.succeed(promoted(rubric, ids))
    : Effect.fail(
        wrongUsage(
          onTrial.length === 0
            ? `the rubric has no criteria on trial, so ${plainText(unknown, 40)} cannot be promoted.`
            : `${plainText(unknown, 40)} is not on trial, so it cannot be promoted. On trial: ${onTrial.join(", ")}.`
        )
      )
}

/** Runs of real sites, then those of made-up ones, marked. */
async function* bothKinds(real: RunSource, synthetic: RunSource): RunSource {
  yield* real
  for await (const run of synthetic) yield "unreadable" in run ? run : { ...run, synthetic: true }
}

/** Streams the runs: each is written as soon as it is judged, so memory does not grow with their number. */
const rescoreAll = Effect.fnUntraced(function* (
  source: RunSource,
  options: RescoreOptions,
  format: RescoreFormat
): Effect.fn.Return<void, CliFailure> {
  const tally = makeTally()
  const writer = rescoreWriter(rubricOfReport(options.rubric), format)
  yield* writeOut(writer.begin, format.format)
  yield* Stream.fromAsyncIterable(source, (error) =>
    wrongUsage(`cannot read the runs: ${error instanceof Error ? error.message : String(error)}.`)
  ).pipe(
    Stream.mapEffect((run): Effect.Effect<RescoreOutcome, never, ParserPool> =>
      "unreadable" in run
        ? Effect.succeed({ _tag: "NotComparable", name: run.name, site: null, reason: run.unreadable })
        : rescoreRun(run, options)
    ),
    Stream.runForEach((outcome) => {
      tally.add(outcome)
      const text = writer.run(outcome)
      return text === "" ? Effect.void : writeOut(text, format.format)
    }),
    Effect.provide(ParserPool.layer)
  )
  yield* writeOut(writer.end(tally.summary()), format.format)
})

/** The rubrics by which runs may have been judged, by digest; always includes this package's own. */
const earlierRubrics = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  allowPlugins: boolean
): Effect.fn.Return<ReadonlyMap<string, EarlierRubric>, CliFailure, FileSystem.FileSystem> {
  const entries = yield* Effect.forEach([...files, OWN_RUBRIC.file], (file) =>
    Effect.gen(function* () {
      const rubric = yield* readRubricAlone(file)
      const bytes = yield* rubricBytes(file)
      const loaded = yield* Effect.option(loadRubric(bytes, file, yield* pluginsOf(bytes, file, allowPlugins)))
      return [rubric.digest, { rubric, loaded: Option.getOrNull(loaded) }] as const
    })
  )
  return new Map(entries)
})
