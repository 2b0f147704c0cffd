import type { UnreadableRun } from "../../engine/audit/StoredRun.ts"
import type { TriedCriterion, TriedRun } from "../../engine/audit/compare/TryRubric.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { TextOptions } from "./TextReport.ts"
import { block } from "./Wrap.ts"

const INDENT = "    "

/** Tables of what criteria come to on recorded sites, one for each criterion, then what could not be read. */
export const renderTried = (runs: ReadonlyArray<TriedRun | UnreadableRun>, options: TextOptions): string => {
  const tried = runs.flatMap((run) => ("unreadable" in run ? [] : [run]))
  const unreadable = runs.flatMap((run) => ("unreadable" in run ? [run] : []))
  const rows = tried.flatMap((run) => run.criteria.map((criterion) => ({ run, criterion })))
  const tables = [...Map.groupBy(rows, ({ criterion }) => criterion.id).values()].map((group) => table(group, options))
  const { style } = options
  const left = unreadable.map(({ name, unreadable: reason }) => style.fair(`${plainText(name)}: ${plainText(reason)}`))
  return [...tables, ...(left.length === 0 ? [] : [left])].map((lines) => lines.join("\n")).join("\n\n")
}

interface Row {
  readonly run: TriedRun
  readonly criterion: TriedCriterion
}

const table = (rows: ReadonlyArray<Row>, { style, width }: TextOptions): ReadonlyArray<string> => {
  const [first] = rows
  if (first === undefined) return []
  const { id, title } = first.criterion
  const widest = Math.max(...rows.map(({ run }) => run.site.length))
  const colour = { present: style.good, partial: style.fair, absent: style.poor, inconclusive: style.dim }
  return [
    style.bold(`${id} ${plainText(title)}`),
    ...rows.flatMap(({ criterion, run }) => [
      `  ${criterion.applicable ? colour[criterion.status](criterion.status.padEnd(12)) : style.dim(NOT_APPLICABLE)} ${(criterion.applicable ? `${criterion.earned}/${criterion.points}` : "–").padStart(5)}  ${plainText(run.site).padEnd(Math.min(widest, 60))}  ${style.dim(factsShown(criterion))}`,
      ...block(plainText(criterion.finding), width, INDENT),
      ...(criterion.notRecorded === 0
        ? []
        : block(
            `The archive lacks ${counted(criterion.notRecorded, "URL")} that it asks for. Record the site again with this rubric: docgauge URL --rubric FILE --record ARCHIVE`,
            width,
            INDENT
          ).map(style.fair))
    ]),
    `  ${counted(rows.length, "site")}: ${tallied(rows)}`
  ]
}

/** `pages=12 matching=0.75 (0.7 to 1)`. */
const factsShown = ({ facts, uncertain = {} }: TriedCriterion): string =>
  facts === null
    ? "no facts"
    : Object.entries(facts)
        .map(([name, value]) => `${name}=${String(value)}${rangeShown(uncertain[name])}`)
        .join(" ")

const rangeShown = (range: NonNullable<TriedCriterion["uncertain"]>[string] | undefined): string => {
  if (range === undefined) return ""
  return "one_of" in range
    ? ` (${range.one_of.join(" or ")})`
    : ` (${range.at_least} ${range.at_most === null ? "or more" : `to ${range.at_most}`})`
}

/** As wide as a status. */
const NOT_APPLICABLE = "not for it".padEnd(12)

const tallied = (rows: ReadonlyArray<Row>): string => {
  const judged = rows.filter(({ criterion }) => criterion.applicable)
  const statuses = (["present", "partial", "absent", "inconclusive"] as const).map(
    (status) => `${judged.filter(({ criterion }) => criterion.status === status).length} ${status}`
  )
  const others = rows.length - judged.length
  return [...statuses, ...(others === 0 ? [] : [`${others} to which it does not apply`])].join(", ")
}
