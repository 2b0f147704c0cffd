import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { Argument, Command, Flag } from "effect/cli"
import { dirname, join } from "node:path"
import { OWN_RUBRIC } from "../../../server/config/RubricLoading.ts"
import { criterionNames } from "../../authoring/CriterionNames.ts"
import { PLUGIN_KINDS, type PluginKind } from "../../authoring/PluginKinds.ts"
import { pluginPackage, type PluginWanted } from "../../authoring/PluginPackage.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"
import { readRubricAlone } from "../../io/Rubrics.ts"

/** `docgauge plugin new`: a package with a plugin, its test, a rubric that extends the package's own, and a workflow. */
export const make = Command.make(
  "new",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription(
        "Name of the package, such as has-glossary or @acme/has-glossary; its folder has the last part of it"
      )
    ),
    kind: Flag.Literals("kind", PLUGIN_KINDS).pipe(
      Flag.withMetavar("KIND"),
      Flag.withDescription(
        "What it measures: a share of the pages, a flag (whether something is there), a count, or a rule on the API description (spec). --kind share"
      ),
      Flag.withDefault("flag")
    ),
    category: Flag.String("category").pipe(
      Flag.withMetavar("LETTER"),
      Flag.withDescription("Category of the criterion. --category D"),
      Flag.withDefault("D")
    ),
    title: Flag.String("title").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("Title, as something to do. --title 'Publish a glossary'"),
      Flag.withDefault("")
    )
  },
  Effect.fn("plugin new")(function* (given) {
    const wanted = yield* wantedBy(given)
    const folder = wanted.plugin
    yield* writePackage(folder, pluginPackage(wanted))
    yield* Console.log(report(folder, wanted))
  })
).pipe(
  Command.withDescription(
    "Create a package with a plugin, its test, a rubric that extends the built-in one, and a workflow"
  ),
  Command.withExamples([
    {
      command: "docgauge plugin new has-glossary --title 'Publish a glossary'",
      description: "In the folder has-glossary"
    },
    {
      command: "docgauge plugin new names-owner --kind share --title 'Name the owner of each page'",
      description: "For a rule that each page should keep"
    }
  ])
)

const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/

/** Words that say nothing about what a rule is about. */
const FILLERS = new Set(["has", "have", "with", "is", "are", "the", "a", "an", "docgauge", "plugin"])

const wantedBy = Effect.fnUntraced(function* ({
  category,
  kind,
  name,
  title
}: {
  readonly kind: PluginKind
  readonly name: string
  readonly category: string
  readonly title: string
}): Effect.fn.Return<PluginWanted, CliFailure, FileSystem.FileSystem> {
  const plugin = PACKAGE_NAME.exec(name)?.[1]
  if (plugin === undefined || name.length > 100)
    return yield* wrongUsage(
      `"${name}" cannot be the name of a package with a plugin. Use lower case, digits and dashes, such as has-glossary or @acme/has-glossary.`
    )
  const own = yield* readRubricAlone(OWN_RUBRIC.file)
  const words =
    plugin
      .split("-")
      .filter((word) => !FILLERS.has(word))
      .join(" ") || plugin.replaceAll("-", " ")
  const heading = title.replace(/\s+/gu, " ").trim() || defaultTitle(kind, words)
  if (heading.length > 80 || /\p{Cc}/u.test(heading))
    return yield* wrongUsage("--title takes one line of at most 80 characters, such as 'Publish a glossary'.")
  const taken = {
    criteria: new Set(own.criteria.map(({ definition }) => definition.id)),
    plugins: new Set(own.criteria.map(({ definition }) => definition.plugin))
  }
  const names = criterionNames({ id: plugin, category, title: heading }, own, taken)
  if (Result.isFailure(names)) return yield* wrongUsage(`${names.failure}.`)
  const [major = ""] = own.rubric.version.split(".")
  return {
    kind,
    name,
    plugin,
    exported: exportedName(plugin),
    words,
    criterion: names.success.criterion,
    category: names.success.category.id,
    title: heading,
    base: `${own.rubric.id}@${major}`
  }
})

const defaultTitle = (kind: PluginKind, words: string): string =>
  kind === "spec" ? `Say ${words} in the summary of each operation` : `A page has a heading on ${words}`

/** The export of a plugin. The suffix tells it from reserved words and from what the module imports and declares. */
export const exportedName = (plugin: string): string =>
  `${plugin.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Plugin`

/** Writes all files into a new folder; it never writes into one that exists. */
const writePackage = Effect.fnUntraced(function* (folder: string, contents: Readonly<Record<string, string>>) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(files.makeDirectory(folder), () =>
    wrongUsage(`${folder} exists already, or cannot be made here. Nothing was written.`)
  )
  yield* Effect.forEach(
    Object.entries(contents),
    ([path, text]) =>
      Effect.mapError(
        Effect.andThen(
          files.makeDirectory(dirname(join(folder, path)), { recursive: true }),
          files.writeFileString(join(folder, path), text)
        ),
        () => wrongUsage(`cannot write ${join(folder, path)}.`)
      ),
    { discard: true }
  )
})

const report = (folder: string, wanted: PluginWanted): string =>
  [
    `${wanted.criterion} "${wanted.title}" is on trial: it is measured and reported apart, and earns nothing.`,
    "",
    ...Object.keys(pluginPackage(wanted)).map((path) => `  created  ${join(folder, path)}`),
    "",
    "Next:",
    `  cd ${folder} && npm install && npm test`,
    "  npx docgauge https://docs.example.com --rubric rubric.yaml --allow-plugins",
    `Then write your own check in index.js, and say in rubric.yaml why it matters and what to do.`
  ].join("\n")
