import { flagText } from "../../engine/audit/FlagText.ts"
import { nextFixes } from "../../engine/audit/Fixes.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import type { AuditReport, CriterionResult, CriterionStatus } from "../../engine/audit/Report.ts"
import type { Style } from "./Style.ts"
import { block } from "./Wrap.ts"

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly style: Style
}

/** Characters of an address that are shown: a site may make its addresses as long as it likes. */
const LONGEST_ADDRESS = 300

/** How many fixes are told at length. */
const FIXES = 5

const MARKS: Readonly<Record<CriterionStatus, string>> = { present: "✓", partial: "◐", absent: "✗", inconclusive: "?" }

/** A report for a person at a terminal: score, warnings, categories, what costs most, then everything. */
export const renderText = (report: AuditReport, options: TextOptions): string => {
  const width = Math.min(Math.max(options.width, 60), 110)
  const sections = [
    heading(report, options.style),
    warnings(report, width, options.style),
    categories(report, width, options.style),
    fixes(report, width, options.style),
    criteria(report, width, options.style)
  ]
  return `${sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}\n`
}

const colourOf = (style: Style, share: number): Style["good"] => share >= 0.75 ? style.good : share >= 0.4 ? style.fair : style.poor

const heading = (report: AuditReport, style: Style): ReadonlyArray<string> => {
  const { id, version } = report.rubric
  const score = `${report.total_score}/${report.max_score}  ${report.verdict}`
  return [
    `${style.bold(report.base_url)}  ${style.dim(report.audit_date)}`,
    `${style.bold(colourOf(style, report.total_score / report.max_score)(score))}  ${style.dim(`${id} ${version}`)}`
  ]
}

const warnings = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const { coverage, flags, reliable } = report.reliability
  const verdict = reliable ? [] : [style.poor(style.bold("Not reliable: read this score with care."))]
  const covered = coverage < 1
    ? block(`Evidence could be had for ${Math.round(coverage * 100)} of 100 points.`, width, "  ")
    : []
  return [...verdict, ...flags.flatMap((flag) => block(`! ${flagText[flag]}`, width, "  ").map(style.fair)), ...covered]
}

const categories = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const names = Object.entries(report.categories).map(([key, { title }]) => `${key.slice(0, 1)} ${title}`)
  const longest = Math.max(...names.map((name) => name.length))
  const bar = Math.max(10, Math.min(40, width - longest - 14))
  return Object.values(report.categories).map(({ max, score }, index) => {
    const filled = max === 0 ? 0 : Math.round((score / max) * bar)
    const drawn = colourOf(style, score / Math.max(max, 1))("█".repeat(filled)) + style.dim("░".repeat(bar - filled))
    return `  ${(names[index] ?? "").padEnd(longest)}  ${drawn}  ${String(score).padStart(2)}/${max}`
  })
}

const fixes = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const told = nextFixes(report).slice(0, FIXES)
  if (told.length === 0) return []
  const lines = told.flatMap(({ criterion, lost }) => [
    `  ${style.bold(`${criterion.id} ${criterion.title}`)}  ${style.poor(`−${lost}`)}  ${style.dim(`${criterion.remedy?.effort ?? "medium"} effort`)}`,
    ...block(criterion.summary, width, "     "),
    ...(criterion.remedy?.steps ?? []).flatMap((step) => block(`→ ${step}`, width, "     ")),
    ...addresses(criterion).map((address) => style.dim(`       ${plainText(address, LONGEST_ADDRESS)}`))
  ])
  return [style.bold("What to mend next"), ...lines]
}

const addresses = (criterion: CriterionResult): ReadonlyArray<string> => {
  const all = criterion.remedy?.addresses ?? []
  const shown = all.slice(0, 3)
  return all.length > shown.length ? [...shown, `and ${all.length - shown.length} more`] : shown
}

const criteria = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const line = (criterion: CriterionResult): ReadonlyArray<string> => {
    const colour = criterion.status === "inconclusive" ? style.fair : colourOf(style, criterion.score / Math.max(criterion.max, 1))
    return [
      `  ${colour(MARKS[criterion.status])} ${criterion.id} ${criterion.title}  ${criterion.score}/${criterion.max}`,
      ...block(criterion.summary, width, "       ").map(style.dim),
      `       ${style.dim(plainText(criterion.evidence_url, LONGEST_ADDRESS))}`
    ]
  }
  const experimental = report.experimental.length === 0
    ? []
    : [style.bold("Measured, and earning nothing yet"), ...report.experimental.flatMap(line)]
  return [style.bold("All criteria"), ...report.criteria.flatMap(line), ...experimental]
}
