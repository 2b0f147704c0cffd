import * as Result from "effect/Result"
import { pluginFolder } from "../../engine/rubric/CriterionPage.ts"
import { PLACEHOLDERS } from "../../engine/rubric/rules/Texts.ts"
import { sourceText, type Span } from "../../engine/rubric/source/SourceText.ts"
import { bumpBetween, bumped, covers } from "../../engine/rubric/source/VersionBump.ts"
import { readYamlSource, type YamlNode } from "../../engine/rubric/source/YamlSource.ts"
import type { UnboundRubric } from "../../engine/rubric/RubricFile.ts"
import type { CriterionNames } from "./CriterionNames.ts"

interface NewEntry {
  readonly criterion: string
  readonly title: string
  /** The YAML text from `rubricEntry`. */
  readonly text: string
  /** The day of the change, `YYYY-MM-DD`. */
  readonly date: string
  /** The last released version; `null`: none was released, so the version does not change. */
  readonly released: string | null
}

interface Replacement extends Span {
  readonly text: string
}

/**
 * The text of a rubric with one more criterion on trial and, if necessary, a higher version; everything else stays as it is,
 * comments and layout too. Fails with one sentence if the file's layout does not allow a safe edit.
 */
export const withNewEntry = (
  file: string,
  text: string,
  { rubric }: UnboundRubric,
  entry: NewEntry
): Result.Result<string, string> => {
  const { root } = readYamlSource(sourceText(file, text))
  if (root === null) return Result.fail(`${file} is not valid YAML`)
  return Result.map(
    Result.all([onTrial(file, text, root, entry), versioned(file, text, root, rubric, entry)]),
    ([trial, version]) => replaced(text, [trial, ...version])
  )
}

const replaced = (text: string, replacements: ReadonlyArray<Replacement>): string =>
  replacements
    .toSorted((one, other) => other.start - one.start)
    .reduce((edited, { end, start, text: inserted }) => edited.slice(0, start) + inserted + edited.slice(end), text)

/** Adds the entry as the last one under `experimental`, which is created if missing. */
const onTrial = (file: string, text: string, root: YamlNode, entry: NewEntry): Result.Result<Replacement, string> => {
  const existing = root.entries.get("experimental")
  if (existing === undefined) {
    const before = root.entries.get("changes")?.key.start ?? text.length
    const at = lineStart(text, before)
    return Result.succeed({ start: at, end: at, text: `experimental:\n${indented(entry.text, 2)}\n` })
  }
  const first = existing.node.items[0]
  const indent = first === undefined ? null : dashColumn(text, first.span.start)
  if (indent === null)
    return Result.fail(
      `"experimental" in ${file} is not a block list of criteria. Rewrite it as one, or remove it if it is empty`
    )
  const next = [...root.entries.values()]
    .map(({ key }) => key.start)
    .filter((start) => start > existing.key.start)
    .toSorted((one, other) => one - other)[0]
  const at = next === undefined ? text.length : lineStart(text, next)
  return Result.succeed({ start: at, end: at, text: `${indented(entry.text, indent)}\n` })
}

/** The column of the dash of a list item that begins a line; `null` if it does not begin one. */
const dashColumn = (text: string, at: number): number | null => {
  const [, indent] = /^( *)- +$/u.exec(text.slice(lineStart(text, at), at)) ?? []
  return indent === undefined ? null : indent.length
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1

const indented = (text: string, columns: number): string => text.replace(/^(?=.)/gmu, " ".repeat(columns))

/**
 * A criterion on trial requires a minor version: the next one after a released version; an unreleased version is kept or raised.
 */
const versioned = (
  file: string,
  text: string,
  root: YamlNode,
  rubric: UnboundRubric["rubric"],
  entry: NewEntry
): Result.Result<ReadonlyArray<Replacement>, string> => {
  if (entry.released === null) return Result.succeed([])
  const owed = bumped(entry.released, "minor")
  const bump = bumpBetween(entry.released, rubric.version)
  const changes = root.entries.get("changes")?.node.items[0]
  const version = root.entries.get("version")?.node
  const indent = changes === undefined ? null : dashColumn(text, changes.span.start)
  if (changes === undefined || version === undefined || indent === null || bump === null)
    return Result.fail(`"changes" in ${file} is not a block list`)
  if (bump === "none") {
    const at = lineStart(text, changes.span.start)
    const line = `${" ".repeat(indent)}- { version: ${owed}, date: ${entry.date}, what: ${JSON.stringify(`${entry.criterion} on trial: ${entry.title}`)}, criteria: [${entry.criterion}] }\n`
    return Result.succeed([
      { ...version.span, text: owed },
      { start: at, end: at, text: line }
    ])
  }
  const raised = covers(bump, "minor") ? [] : versionSpans(version, changes).map((span) => ({ ...span, text: owed }))
  return Result.map(named(file, text, changes, entry.criterion), (names) => [...raised, ...names])
}

const versionSpans = (version: YamlNode, changes: YamlNode): ReadonlyArray<Span> => {
  const own = changes.entries.get("version")?.node
  return own === undefined ? [version.span] : [version.span, own.span]
}

/** Adds the criterion to the newest entry of `changes`. */
const named = (
  file: string,
  text: string,
  changes: YamlNode,
  criterion: string
): Result.Result<ReadonlyArray<Replacement>, string> => {
  const criteria = changes.entries.get("criteria")?.node
  if (criteria?.plain === "all") return Result.succeed([])
  const end = criteria === undefined ? -1 : text.indexOf("]", criteria.items.at(-1)?.span.end ?? criteria.span.start)
  if (criteria === undefined || !text.startsWith("[", criteria.span.start) || end === -1) {
    return Result.fail(
      `the newest entry under "changes" in ${file} does not list its criteria in brackets, such as [A1, B2]`
    )
  }
  return Result.succeed([{ start: end, end, text: `${criteria.items.length === 0 ? "" : ", "}${criterion}` }])
}

/** The last import of a plugin; plugin folders begin with a category's letter. */
const LAST_IMPORT = /(?:^import \{ \w+ \} from "\.\/[a-z]-[a-z-]+\/[^"]+"\n)(?!import)/mu

const LIST_END = /(\bregister\(\w+\))(\n\s*\]\)\s*\)\n)/u

/** The list of plugins with one more at its end, as in the rubric; fails with one sentence if the file is laid out differently. */
export const withPlugin = (
  file: string,
  text: string,
  { category, exported, plugin }: CriterionNames
): Result.Result<string, string> => {
  const imported = `import { ${exported} } from "./${pluginFolder(category.key)}/${plugin}.ts"\n`
  if (!LAST_IMPORT.test(text) || !LIST_END.test(text))
    return Result.fail(
      `${file} does not have the expected layout of imports and list. Add the plugin by hand, or restore the file`
    )
  return Result.succeed(
    text
      .replace(LAST_IMPORT, (last) => last + imported)
      .replace(LIST_END, (_, last: string, end: string) => `${last},\n    register(${exported})${end}`)
  )
}

/** The case that fails until the plugin checks something and the case's site meets it. */
export const FAILING_CASE = "every page meets it"

/** The maximum points of the criterion while it is on trial. */
const TRIAL_POINTS = 2

/** The test of a new criterion. One case fails: the plugin does not check anything yet, so no site can meet it. */
export const testTemplate = ({ category, exported, plugin }: CriterionNames): string =>
  `import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { ${exported} } from "../../../plugins/${pluginFolder(category.key)}/${plugin}.ts"

const page = (content: string, title = "Docs"): string =>
  \`<!doctype html><html lang="en"><title>\${title}</title><main><h1>\${title}</h1><p>An API, and how to call it, in a few plain words.</p>\${content}</main></html>\`

testCriterion(${exported}, {
  cases: [
    {
      name: "no page meets it",
      site: { "/": page("") },
      earns: 0,
      facts: { pages: 1, matching: 0 },
      findings: [{ proof: "/", good: false }]
    },
    {
      // Fails until the plugin checks something and this page meets it.
      name: "${FAILING_CASE}",
      site: { "/": page("<p>Replace this by what the criterion requires.</p>") },
      earns: ${TRIAL_POINTS}
    }
  ]
})
`

/** The plugin of a new criterion: it compiles, runs, and finds that no page meets the criterion. */
export const pluginTemplate = ({ criterion, exported, plugin }: CriterionNames, title: string): string =>
  `import { defineShare } from "../../engine/plugin/DefineShare.ts"
import type { Page } from "../../engine/page/Page.ts"

/** ${criterion}: ${comment(title)}. */
export const ${exported} = defineShare({
  id: "${plugin}",
  revision: 1,
  meaning: "of those, pages that meet the criterion",
  where: (page) => meets(page),
  says: ["meets the criterion", "meet the criterion"],
  lacks: "does not meet the criterion"
})

/** Whether a page meets the criterion. Always false until you write a check. */
const meets = (_page: Page): boolean => false
`

const comment = (title: string): string => title.replaceAll("*/", "").replace(/\.$/u, "")

/** The rubric's entry for a new criterion, without indentation; lines end with line feeds. */
export const rubricEntry = ({ criterion, plugin }: CriterionNames, title: string): string =>
  `- id: ${criterion}
  title: ${JSON.stringify(title)}
  plugin: ${plugin}@1
  points: { ${TRIAL_POINTS}: matching >= 0.8 }
  why: >-
    ${PLACEHOLDERS.why(criterion)}
  how: >-
    ${PLACEHOLDERS.how(plugin)}
  effort: days
  steps:
  - ${PLACEHOLDERS.step(criterion)}
  read:
  - { title: Where ${criterion} comes from, url: "https://example.com/${plugin}" }
`
