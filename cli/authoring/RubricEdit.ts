import * as Result from "effect/Result"
import { sourceText, type Span } from "../../engine/rubric/source/SourceText.ts"
import type { UnboundRubric } from "../../engine/rubric/UnboundRubric.ts"
import { bumpBetween, bumped, covers } from "../../engine/rubric/source/VersionBump.ts"
import { readYamlSource, type YamlNode } from "../../engine/rubric/source/YamlSource.ts"

/** A new criterion for the rubric file. */
export interface NewEntry {
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
