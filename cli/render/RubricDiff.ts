import { escapeMarkdown, markdownTable } from "../../engine/audit/MarkdownText.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import type { RubricChange } from "../../engine/rubric/RubricChange.ts"
import type { RubricDiff } from "../../engine/rubric/RubricDiff.ts"
import type { Bump } from "../../engine/rubric/VersionBump.ts"
import type { Style } from "./Style.ts"
import type { TextOptions } from "./TextReport.ts"
import { block } from "./Wrap.ts"

/** A long condition is a sentence too long for a table, but must be read whole to be judged. */
const LONGEST = 2_000

const OWED: Readonly<Record<Bump, string>> = {
  none: "Nothing that is judged or read changed: no new version is owed.",
  patch: "A patch is owed: words only.",
  minor: "A minor version is owed: what changed can only raise a score, or earns nothing.",
  major: "A major version is owed: scores may fall."
}

const verdict = (diff: RubricDiff): ReadonlyArray<string> => [
  OWED[diff.owed],
  ...diff.faults.map(sentence),
  ...(diff.faults.length > 0 || diff.from === diff.to ? [] : [`${diff.from} → ${diff.to} is enough.`])
]

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

const heading = ({ from, id, to }: RubricDiff): string => `${id} ${from} → ${to}`

/** What each change is about, in the order of the changes. */
const subjects = ({ changes }: RubricDiff): ReadonlyArray<string | null> => [...new Set(changes.map(({ subject }) => subject))]

const colourOf = (style: Style, owes: Bump): Style["good"] => {
  if (owes === "major") return style.poor
  return owes === "minor" ? style.fair : style.good
}

/** For a terminal: what changed, subject by subject, and what that owes. */
export const renderRubricDiffText = (diff: RubricDiff, { style, width }: TextOptions): string => {
  const change = ({ owes, what, why }: RubricChange): ReadonlyArray<string> => {
    const [first = "", ...rest] = block(plainText(what, LONGEST), width - 8, "")
    return [`  ${colourOf(style, owes)(owes.padEnd(5))}  ${first}`, ...rest.map((line) => `         ${line}`), ...block(why, width, "         ").map(style.dim)]
  }
  const sections = subjects(diff).flatMap((subject) => [
    "",
    style.bold(subject ?? "The rubric"),
    ...diff.changes.filter((each) => each.subject === subject).flatMap(change)
  ])
  return [style.bold(heading(diff)), ...verdict(diff).flatMap((line) => block(line, width, "")), ...sections].join("\n")
}

/** For a pull request. */
export const renderRubricDiffMarkdown = (diff: RubricDiff): string => {
  const rows = diff.changes.map(({ owes, subject, what, why }) => [subject ?? "", markdownOf(what), `**${owes}**`, escapeMarkdown(why)])
  return [
    `### Rubric ${escapeMarkdown(heading(diff))}`, "",
    ...verdict(diff).flatMap((line) => [diff.faults.map(sentence).includes(line) ? `❌ ${markdownOf(line)}` : markdownOf(line), ""]),
    ...(rows.length === 0 ? [] : markdownTable(["Id", "What changed", "Owes", "Why"], rows))
  ].join("\n").trimEnd()
}

/** Text with quoted parts: those stay as they are, all else is escaped. */
const markdownOf = (text: string): string =>
  plainText(text, LONGEST).split("`").map((part, index) => (index % 2 === 1 ? `\`${part.replaceAll("|", "\\|")}\`` : escapeMarkdown(part))).join("")
