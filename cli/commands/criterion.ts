import { Argument, Command, Flag } from "effect/cli"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { join } from "node:path"
import process from "node:process"
import { type Explanation, explanations, pluginFolder, pluginPath } from "../../engine/rubric/CriterionPage.ts"
import { isBelow } from "../../engine/rubric/source/VersionBump.ts"
import type { UnboundRubric } from "../../engine/rubric/RubricFile.ts"
import { type CriterionNames, criterionNames } from "../authoring/CriterionNames.ts"
import {
  FAILING_CASE,
  pluginTemplate,
  rubricEntry,
  testTemplate,
  withNewEntry,
  withPlugin
} from "../authoring/NewCriterion.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { allowPlugins, formatFlag, noColor, rubric } from "../io/Flags.ts"
import { readRubric, readRubricAlone } from "../io/Rubrics.ts"
import { block, outputStyle, terminalWidth } from "../render/Style.ts"

/** `docgauge criterion list`: which plugin measures what for which criterion. */
const list = Command.make(
  "list",
  {
    rubric,
    allowPlugins,
    format: formatFlag(["text", "json"], "Output format. --format json"),
    noColor
  },
  Effect.fn("criterion list")(function* ({ allowPlugins, format, noColor, rubric }) {
    const explained = explanations(yield* readRubric(rubric, allowPlugins))
    if (format === "json") return yield* Console.log(JSON.stringify(explained.map(described), null, 2))
    const style = outputStyle(noColor)
    const longest = Math.max(...explained.map(({ definition }) => definition.plugin.length))
    const longestRevision = Math.max(2, ...explained.map(({ definition }) => String(definition.revision).length))
    const width = Math.max(60, terminalWidth())
    yield* Console.log(
      explained
        .flatMap(({ definition: { id, plugin, points, revision }, facts, onTrial }) => {
          const head = `${id.padEnd(4)}${(onTrial ? "–" : String(points)).padStart(3)}  ${plugin.padEnd(longest)}  ${String(revision).padStart(longestRevision)}  `
          const [first = "", ...rest] = block(Object.keys(facts).join(", "), width - head.length, "")
          return [
            `${style.bold(id.padEnd(4))}${head.slice(4)}${first}`,
            ...rest.map((line) => " ".repeat(head.length) + line)
          ]
        })
        .join("\n")
    )
  })
).pipe(
  Command.withDescription("List criteria with their points, plugin, revision and facts"),
  Command.withExamples([
    { command: "docgauge criterion list --format json", description: "Include the meaning of each fact" }
  ])
)

const described = ({ category, definition, facts, onTrial }: Explanation) => {
  const { deprecated, id, params, plugin, points, revision, title } = definition
  return {
    id,
    title,
    category: category.key,
    points: onTrial ? 0 : points,
    on_trial: onTrial,
    ...(deprecated === undefined ? {} : { deprecated }),
    plugin,
    revision,
    params,
    facts: Object.entries(facts).map(([name, fact]) => ({ name, ...fact }))
  }
}

const RUBRIC = "rubric.yaml"
const INDEX = join("plugins", "index.ts")
const RELEASED = join("test", "rubric", "released")

/** A file to write: a new one, or a changed one. */
interface Writing {
  readonly path: string
  readonly text: string
  readonly isNew: boolean
}

/** `docgauge criterion new`: plugin, rubric entry on trial, test and index line. All of them or none. */
const make = Command.make(
  "new",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("An id such as A6, or a short name such as has-glossary, which gets the next free id")
    ),
    category: Flag.String("category").pipe(
      Flag.withMetavar("LETTER"),
      Flag.withDescription("Category of the criterion. --category D")
    ),
    title: Flag.String("title").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("Title, as something to do. --title 'Publish a glossary'")
    )
  },
  Effect.fn("criterion new")(function* (wanted) {
    const title = yield* titleOf(wanted.title)
    const rubric = yield* readTree
    const released = yield* releases
    const names = yield* orWrongUsage(
      criterionNames({ ...wanted, title }, rubric, yield* takenNames([rubric, ...released]))
    )
    const last =
      released
        .map((each) => each.rubric.version)
        .toSorted((one, other) => (isBelow(one, other) ? -1 : 1))
        .at(-1) ?? null
    const writings = yield* writingsFor(names, title, rubric, last)
    yield* writeAll(writings)
    yield* Console.log(report(names, writings))
  })
).pipe(
  Command.withDescription(
    "Create a criterion in docgauge's source tree: plugin, test, entry under experimental in rubric.yaml, and line in plugins/index.ts"
  ),
  Command.withExamples([
    {
      command: "docgauge criterion new has-glossary --category D --title 'Publish a glossary'",
      description: "Create an experimental criterion: measured and reported, without points"
    }
  ])
)

const orWrongUsage = <A>(result: Result.Result<A, string>): Effect.Effect<A, CliFailure> =>
  Result.isSuccess(result) ? Effect.succeed(result.success) : Effect.fail(wrongUsage(`${result.failure}.`))

const titleOf = (text: string): Effect.Effect<string, CliFailure> => {
  const title = text.replace(/\s+/gu, " ").trim().replace(/\.$/u, "")
  return title === "" || title.length > 80 || /\p{Cc}/u.test(title)
    ? Effect.fail(wrongUsage("--title takes one line of at most 80 characters, such as 'Publish a glossary'."))
    : Effect.succeed(title)
}

/** The rubric of the working directory's source tree. */
const readTree = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const missing = yield* Effect.filter([RUBRIC, INDEX, join("test", "plugins")], (path) =>
    Effect.map(
      Effect.orElseSucceed(files.exists(path), () => false),
      (there) => !there
    )
  )
  if (missing.length > 0)
    return yield* wrongUsage(
      `this is not docgauge's source tree: ${process.cwd()} has no ${missing.join(", ")}. Change to a clone of its repository.`
    )
  return yield* readRubricAlone(RUBRIC)
})

const releases = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = yield* Effect.orElseSucceed(files.readDirectory(RELEASED), (): Array<string> => [])
  return yield* Effect.forEach(
    names.filter((name) => name.endsWith(".yaml")),
    (name) => readRubricAlone(join(RELEASED, name))
  )
})

const takenNames = Effect.fnUntraced(function* (rubrics: ReadonlyArray<UnboundRubric>) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Effect.orElseSucceed(
    files.readDirectory("plugins", { recursive: true }),
    (): Array<string> => []
  )
  const definitions = rubrics.flatMap(({ criteria }) => criteria.map(({ definition }) => definition))
  return {
    criteria: new Set(definitions.map(({ id }) => id)),
    plugins: new Set([
      ...definitions.map(({ plugin }) => plugin),
      ...paths.flatMap((path) => /([a-z]\d+-[^/\\]+)\.ts$/u.exec(path)?.[1] ?? [])
    ])
  }
})

const writingsFor = Effect.fnUntraced(function* (
  names: CriterionNames,
  title: string,
  rubric: UnboundRubric,
  released: string | null
): Effect.fn.Return<ReadonlyArray<Writing>, CliFailure, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const read = (path: string) => Effect.mapError(files.readFileString(path), () => wrongUsage(`cannot read ${path}.`))
  const date = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const entry = { criterion: names.criterion, title, text: rubricEntry(names, title), date, released }
  return [
    { path: pluginPath(names.category.key, names.plugin), text: pluginTemplate(names, title), isNew: true },
    {
      path: join("test", "plugins", pluginFolder(names.category.key), `${names.plugin}.test.ts`),
      text: testTemplate(names),
      isNew: true
    },
    { path: INDEX, text: yield* orWrongUsage(withPlugin(INDEX, yield* read(INDEX), names)), isNew: false },
    { path: RUBRIC, text: yield* orWrongUsage(withNewEntry(RUBRIC, yield* read(RUBRIC), rubric, entry)), isNew: false }
  ]
})

/** Writes the new files first and never overwrites one; if anything fails, it removes them again. */
const writeAll = Effect.fnUntraced(function* (
  writings: ReadonlyArray<Writing>
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const written: Array<string> = []
  const write = ({ isNew, path, text }: Writing) =>
    files.writeFileString(path, text, { flag: isNew ? "wx" : "w" }).pipe(
      Effect.mapError(() =>
        wrongUsage(
          isNew ? `${path} already exists, or cannot be written. Nothing was changed.` : `cannot write ${path}.`
        )
      ),
      Effect.tap(() => Effect.sync(() => (isNew ? written.push(path) : written.length)))
    )
  yield* Effect.forEach(writings, write, { discard: true }).pipe(
    Effect.tapError(() => Effect.forEach(written, (path) => Effect.ignore(files.remove(path)), { discard: true }))
  )
})

const report = ({ criterion, plugin }: CriterionNames, writings: ReadonlyArray<Writing>): string => {
  const test = writings.find(({ path }) => path.endsWith(".test.ts"))?.path ?? ""
  return [
    `${criterion} is experimental: it is measured and reported separately, without points.`,
    "",
    ...writings.map(({ isNew, path }) => `  ${isNew ? "created" : "changed"}  ${path}`),
    "",
    `Next: npx vitest run ${test}`,
    `One case fails, "${FAILING_CASE}": ${plugin} does not check anything yet. Write the check in its \`meets\`, change the`,
    `page of that case so that it passes, and explain in ${RUBRIC} why it matters, how it is measured and how to fix it.`,
    "Then write its page from these texts: npm run docs:criteria"
  ].join("\n")
}

export const criterion = Command.make("criterion").pipe(
  Command.withDescription("List criteria, or create a new one"),
  Command.withSubcommands([list, make])
)
