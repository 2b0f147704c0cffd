import * as Result from "effect/Result"
import { sourceText, type Span } from "../../engine/rubric/SourceText.ts"
import type { UnboundRubric } from "../../engine/rubric/UnboundRubric.ts"
import { bumpBetween, bumped, covers } from "../../engine/rubric/VersionBump.ts"
import { readYaml, type YamlNode } from "../../engine/rubric/YamlSource.ts"

/** A new criterion as the rubric's file is to have it. */
export interface NewEntry {
  readonly criterion: string
  readonly title: string
  /** As `rubricEntry` gives it. */
  readonly text: string
  /** The day of the change, `YYYY-MM-DD`. */
  readonly date: string
  /** The version that was released last; `null`: none was, and the version stays as it is. */
  readonly released: string | null
}

interface Replacement extends Span {
  readonly text: string
}

/**
 * The text of a rubric with one more criterion on trial, in a version that may have it; everything else stays as it is,
 * comments and layout too. Fails, in one sentence, where the file is laid out so that it cannot be edited safely.
 */
export const withEntry = (file: string, text: string, { rubric }: UnboundRubric, entry: NewEntry): Result.Result<string, string> => {
  const { root } = readYaml(sourceText(file, text))
  if (root === null) return Result.fail(`${file} cannot be read as YAML`)
  return Result.map(
    Result.all([onTrial(file, text, root, entry), versioned(file, text, root, rubric, entry)]),
    ([trial, version]) => replaced(text, [trial, ...version])
  )
}

const replaced = (text: string, replacements: ReadonlyArray<Replacement>): string =>
  replacements.toSorted((one, other) => other.start - one.start)
    .reduce((edited, { end, start, text: inserted }) => edited.slice(0, start) + inserted + edited.slice(end), text)

/** The entry as the last one under `experimental`, which is made where there is none. */
const onTrial = (file: string, text: string, root: YamlNode, entry: NewEntry): Result.Result<Replacement, string> => {
  const existing = root.entries.get("experimental")
  if (existing === undefined) {
    const before = root.entries.get("changes")?.key.start ?? text.length
    const at = lineStart(text, before)
    return Result.succeed({ start: at, end: at, text: `experimental:\n${indented(entry.text, 2)}\n` })
  }
  const first = existing.node.items[0]
  const indent = first === undefined ? null : dashColumn(text, first.span.start)
  if (indent === null) return Result.fail(`"experimental" of ${file} is not a list with one criterion a block: write it as one, or remove it where it is empty`)
  const next = [...root.entries.values()].map(({ key }) => key.start).filter((start) => start > existing.key.start).toSorted((one, other) => one - other)[0]
  const at = next === undefined ? text.length : lineStart(text, next)
  return Result.succeed({ start: at, end: at, text: `${indented(entry.text, indent)}\n` })
}

/** The column of the dash before a list item that begins a line; `null` where it does not. */
const dashColumn = (text: string, at: number): number | null => {
  const [, indent] = /^( *)- +$/u.exec(text.slice(lineStart(text, at), at)) ?? []
  return indent === undefined ? null : indent.length
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1

const indented = (text: string, columns: number): string => text.replace(/^(?=.)/gmu, " ".repeat(columns))

/** A minor version is owed for what is on trial: of one that was released, the next; of one that was not, as it is or raised. */
const versioned = (file: string, text: string, root: YamlNode, rubric: UnboundRubric["rubric"], entry: NewEntry): Result.Result<ReadonlyArray<Replacement>, string> => {
  if (entry.released === null) return Result.succeed([])
  const owed = bumped(entry.released, "minor")
  const bump = bumpBetween(entry.released, rubric.version)
  const changes = root.entries.get("changes")?.node.items[0]
  const version = root.entries.get("version")?.node
  const indent = changes === undefined ? null : dashColumn(text, changes.span.start)
  if (changes === undefined || version === undefined || indent === null || bump === null) return Result.fail(`"changes" of ${file} is not a list with one entry a line`)
  if (bump === "none") {
    const at = lineStart(text, changes.span.start)
    const line = `${" ".repeat(indent)}- { version: ${owed}, date: ${entry.date}, what: ${JSON.stringify(`${entry.criterion} on trial: ${entry.title}`)}, criteria: [${entry.criterion}] }\n`
    return Result.succeed([{ ...version.span, text: owed }, { start: at, end: at, text: line }])
  }
  const raised = covers(bump, "minor") ? [] : versionSpans(version, changes).map((span) => ({ ...span, text: owed }))
  return Result.map(named(file, text, changes, entry.criterion), (names) => [...raised, ...names])
}

const versionSpans = (version: YamlNode, changes: YamlNode): ReadonlyArray<Span> => {
  const own = changes.entries.get("version")?.node
  return own === undefined ? [version.span] : [version.span, own.span]
}

/** The newest entry of `changes`, naming the criterion too. */
const named = (file: string, text: string, changes: YamlNode, criterion: string): Result.Result<ReadonlyArray<Replacement>, string> => {
  const criteria = changes.entries.get("criteria")?.node
  if (criteria?.plain === "all") return Result.succeed([])
  const end = criteria === undefined ? -1 : text.indexOf("]", criteria.items.at(-1)?.span.end ?? criteria.span.start)
  if (criteria === undefined || !text.startsWith("[", criteria.span.start) || end === -1) {
    return Result.fail(`the newest entry under "changes" of ${file} does not name its criteria as a list in brackets, such as [A1, B2]`)
  }
  return Result.succeed([{ start: end, end, text: `${criteria.items.length === 0 ? "" : ", "}${criterion}` }])
}
