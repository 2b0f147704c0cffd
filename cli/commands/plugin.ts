import { Argument, Command, Flag } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import { dirname, join } from "node:path"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"
import { criterionNames } from "../authoring/CriterionNames.ts"
import {
  HEADINGS_GUIDE,
  kindTemplates,
  PLUGIN_KINDS,
  type PluginKind,
  type PluginNames
} from "../authoring/PluginKinds.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readRubricAlone } from "../io/Rubrics.ts"

/** A package with one plugin, as `docgauge plugin new` was told. */
interface PluginWanted extends PluginNames {
  readonly kind: PluginKind
  /** Of the package: `acme-docs-rules` or `@acme/docs-rules`. */
  readonly name: string
  /** The criterion's id and category: `D8` and `D`. */
  readonly criterion: string
  readonly category: string
  readonly title: string
  /** The rubric that is extended: `docs-ai-readiness@2`. */
  readonly base: string
}

/** The files of the package, by path. */
export const pluginPackage = (wanted: PluginWanted): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(manifest(wanted), null, 2)}\n`,
  "index.js": kindTemplates[wanted.kind].module(wanted),
  "index.test.js": kindTemplates[wanted.kind].test(wanted),
  "rubric.yaml": rubric(wanted),
  ".github/workflows/test.yml": workflow,
  ".gitignore": "node_modules/\n",
  "README.md": readme(wanted)
})

const manifest = ({ name }: PluginWanted) => ({
  name,
  version: "0.1.0",
  private: true,
  type: "module",
  exports: "./index.js",
  files: ["index.js", "rubric.yaml"],
  scripts: { test: "vitest run && docgauge rubric check rubric.yaml --allow-plugins" },
  peerDependencies: { docgauge: `^${ENGINE_VERSION}` },
  devDependencies: { docgauge: `^${ENGINE_VERSION}`, vitest: "^5.0.0" }
})

const rubric = ({ base, criterion, kind, plugin, title, words }: PluginWanted): string =>
  `# yaml-language-server: $schema=./node_modules/docgauge/dist/rubric.schema.json
#
# What this file does not name is as in ${base}; \`npx docgauge rubric resolve rubric.yaml\` prints the whole.
extends: ${base}

# Criteria on trial are measured and reported apart, and earn nothing.
experimental:
  - id: ${criterion}
    plugin: "./index.js#${plugin}@1"
    title: ${JSON.stringify(title)}
    points: { 1: ${kindTemplates[kind].when} }
    params: { words: ${JSON.stringify(words)} }
    why: An agent that looks for ${words} goes by headings.
    how: ${kindTemplates[kind].how}
    effort: hours
    steps:
      - ${kindTemplates[kind].step(words)}
    read:
      - { title: "W3C: headings", url: "${HEADINGS_GUIDE}" }
`

const workflow = `name: test
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with: { persist-credentials: false }
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with: { node-version: 24 }
      - run: npm ci
      - run: npm test
`

const readme = ({ criterion, name, plugin, title }: PluginWanted): string =>
  `# ${name}

A house rule for [docgauge](https://www.npmjs.com/package/docgauge): ${criterion}, "${title}".

| file | what it holds |
|---|---|
| \`index.js\` | the plugin: it measures and reports facts |
| \`rubric.yaml\` | what the facts are worth, why, and what to do about it |
| \`index.test.js\` | small sites, and what the rule earns on each |

\`\`\`sh
npm install
npm test
npx docgauge https://docs.example.com --rubric rubric.yaml --allow-plugins
\`\`\`

Plugins are code that runs with your permissions, so docgauge loads them only with \`--allow-plugins\`.

Elsewhere, install this package beside docgauge, and name the plugin in a rubric as \`plugin: "${name}#${plugin}"\`: the package,
then the plugin's id or export.
`

/** `docgauge plugin new`: a package with a plugin, its test, a rubric that extends the package's own, and a workflow. */
const make = Command.make(
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

export const plugin = Command.make("plugin").pipe(
  Command.withDescription("Write rules of your own as a package"),
  Command.withSubcommands([make])
)
