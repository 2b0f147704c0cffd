import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Argument, Command, Flag } from "effect/cli"
import type { EarlierRubric, RescoreOptions, RescoreOutcome } from "../../engine/audit/Rescore.ts"
import { rescoreRun } from "../../engine/audit/Rescore.ts"
import { makeTally } from "../../engine/audit/RescoreTally.ts"
import type { RunSource } from "../../engine/audit/StoredRun.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import { type CliFailure, wrongUsage } from "../CliFailure.ts"
import { type RescoreFormat, rescoreWriter } from "../render/Rescore.ts"
import { OWN_RUBRIC, pluginsFor, readRubric, readRubricAlone, rubricBytes } from "../Rubrics.ts"
import { writeOut } from "../Stdout.ts"
import { storedFiles } from "../StoredFiles.ts"
import { outputStyle, terminalWidth } from "../Terminal.ts"
import { allowPlugins } from "./auditFlags.ts"

const rescoreFlags = {
  rubric: Flag.String("rubric").pipe(Flag.withMetavar("FILE"), Flag.withDescription("The rubric to judge by. --rubric rubric.yaml"), Flag.optional),
  from: Flag.String("from").pipe(
    Flag.withMetavar("PATH"),
    Flag.withDescription("Reports (.json, .jsonl), archives (.warc.gz) and databases of the service (.db), files or folders of them; may be repeated. --from reports/"),
    Flag.atLeast(0)
  ),
  paths: Argument.String("path").pipe(Argument.withDescription("More of what --from takes"), Argument.variadic()),
  before: Flag.String("before").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("A rubric by which runs were judged, to name its conditions; may be repeated. --before released/1.0.0.yaml"),
    Flag.atLeast(0)
  ),
  allowPlugins,
  format: Flag.Literals("format", ["text", "markdown", "json"]).pipe(
    Flag.withDescription("How to print it; markdown is for a pull request. --format markdown"),
    Flag.withDefault("text")
  ),
  noColor: Flag.Boolean("no-color").pipe(Flag.withDescription("No colours, even on a terminal"), Flag.withDefault(false))
} as const

/** `docgauge rescore`: what a rubric does to every run that was kept, without the network. */
export const rescore = Command.make("rescore", rescoreFlags, Effect.fn("rescore")(function*({ allowPlugins, before, format, from, noColor, paths, rubric }) {
  const given = [...from, ...paths]
  if (given.length === 0) return yield* wrongUsage("which runs? Name reports, archives or folders of them, as in: docgauge rescore --rubric rubric.yaml --from reports/")
  const options = { rubric: yield* readRubric(rubric, allowPlugins), earlier: yield* earlierRubrics(before, allowPlugins) }
  yield* rescoreAll(storedFiles(given), options, { format, width: terminalWidth(), style: outputStyle(noColor) })
})).pipe(
  Command.withDescription("Judge stored runs by another rubric, without the network: per site the score before and after, what moved and why"),
  Command.withExamples([
    { command: "docgauge rescore --rubric rubric.yaml --before main.yaml --from reports/ --format markdown", description: "What does my change of the rubric do? For a pull request" },
    { command: "docgauge rescore --from audit.warc.gz", description: "Judge an archived audit by this package's rubric" }
  ])
)

/** Runs as they come, written as they are judged; what is held at a time does not grow with their number. */
const rescoreAll = Effect.fnUntraced(function*(source: RunSource, options: RescoreOptions, format: RescoreFormat): Effect.fn.Return<void, CliFailure> {
  const tally = makeTally()
  const writer = rescoreWriter(options.rubric.rubric, format)
  yield* writeOut(writer.begin)
  yield* Stream.fromAsyncIterable(source, (error) => wrongUsage(`the runs cannot be read: ${error instanceof Error ? error.message : String(error)}.`)).pipe(
    Stream.mapEffect((run): Effect.Effect<RescoreOutcome, never, Parsing> =>
      "unreadable" in run ? Effect.succeed({ _tag: "NotComparable", name: run.name, site: null, reason: run.unreadable }) : rescoreRun(run, options)),
    Stream.runForEach((outcome) => {
      tally.add(outcome)
      const text = writer.run(outcome)
      return text === "" ? Effect.void : writeOut(text)
    }),
    Effect.provide(Parsing.layer)
  )
  yield* writeOut(writer.end(tally.summary()))
})

/** The rubrics that runs may have been judged by, by digest; this package's own is always among them. */
const earlierRubrics = Effect.fnUntraced(function*(
  files: ReadonlyArray<string>,
  allowPlugins: boolean
): Effect.fn.Return<ReadonlyMap<string, EarlierRubric>, CliFailure, FileSystem.FileSystem> {
  const entries = yield* Effect.forEach([...files, OWN_RUBRIC], (file) => Effect.gen(function*() {
    const rubric = yield* readRubricAlone(file)
    const bytes = yield* rubricBytes(file)
    const loaded = yield* Effect.option(loadRubric(bytes, file, yield* pluginsFor(bytes, file, allowPlugins)))
    return [rubric.digest, { rubric, loaded: Option.getOrNull(loaded) }] as const
  }))
  return new Map(entries)
})
