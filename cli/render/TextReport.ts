import { FIRST_FIXES, type Fix, gainText, includesText, isApplicable } from "../../engine/audit/FixFirst.ts"
import { type AuditReport, type CriterionResult, rubricName } from "../../engine/audit/Report.ts"
import { writableIds } from "../../engine/fix/site/WritablePlugins.ts"
import { counted, enumerated, grouped } from "../../engine/plugin/Wording.ts"
import {
  coverageText,
  DOES_NOT_APPLY,
  effortOf,
  type ReportView,
  reportView,
  scoreText,
  UNRELIABLE,
  verdictText
} from "../../engine/report/ReportView.ts"
import {
  applicableText,
  concernedUrls,
  driftSentence,
  flagTexts,
  missingOf,
  readingCostText,
  recipeTexts
} from "../../engine/report/SectionWords.ts"
import { clippedProse } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import {
  agentSection,
  colourOf,
  criteriaSection,
  driftBesidesSection,
  exchangeSection,
  groupedFindings,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  MARKS,
  ON_TRIAL,
  pointsText,
  signalsSection
} from "./TextSections.ts"
import { block, sectionsText, type Style } from "./Style.ts"

/**
 * What a report shows besides what to fix first: `findings` of each criterion, a line for all that say the same; or `all` steps, every
 * finding of every criterion, and the exchanges that they cite.
 */
type ReportDetail = "findings" | "all"

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly style: Style
  /** Nothing more unless given. */
  readonly detail?: ReportDetail
}

/** Steps of a fix in the short report, and characters of its summary. */
const STEPS = 2
const SUMMARY = 130

/** The most findings that -v names of what is false besides what the criteria say. */
const FALSEHOODS = 3

/** Characters of each thing that was found, in the longer one. */
const FOUND = 200

/** Maximum length of the short report, in lines: what does not fit has one step less. */
const LINES = 60

/** URLs that -vv names with a fix. */
const ADDRESSES = 3

/** Further fixes that the short report names. */
const FURTHER = 3

/** A report for a terminal: score, warnings, categories, what to fix first; in `detail`, all fixes, criteria and findings. */
export const renderText = (report: AuditReport, options: TextOptions): string => {
  const agents = agentSection(report, widthOf(options), options.style)
  return [fitted(reportView(report), options), ...(agents.length === 0 ? [] : [`${agents.join("\n")}\n`])].join("\n")
}

/** With fewer steps where the short report would be too long. */
const fitted = (view: ReportView, options: TextOptions): string => {
  for (let full = FIRST_FIXES; full > 0; full--) {
    const text = render(view, options, full)
    if (options.detail !== undefined || text.split("\n").length <= LINES + 1) return text
  }
  return render(view, options, 0)
}

const widthOf = ({ width }: TextOptions): number => Math.min(Math.max(width, 60), 110)

/** In the short report the first `full` fixes have `STEPS` steps, the others one less. */
const render = (view: ReportView, options: TextOptions, full: number): string => {
  const { detail, style } = options
  const isShort = detail === undefined
  const width = widthOf(options)
  const { fixes, report } = view
  const sections = [
    heading(report, style),
    warnings(report, width, style),
    [
      ...categories(view, width, style),
      ...[readingCostText(report), driftSentence(report)].flatMap((text) => block(text, width, "  ")).map(style.dim)
    ],
    ...(detail === "findings"
      ? [
          allFixes(report, fixes, width, style),
          rest(view, width, style),
          driftBesidesSection(report, width, style, FALSEHOODS)
        ]
      : [firstFixes(report, isShort ? fixes.slice(0, FIRST_FIXES) : fixes, width, style, isShort ? full : null)]),
    isShort ? furtherFixes(fixes.slice(FIRST_FIXES), width, style) : [],
    detail === "findings"
      ? []
      : [
          ...view.besides.flatMap((text) => block(text, width, "  ")).map(style.dim),
          ...(isShort ? trials(view, width) : [])
        ],
    detail === "all"
      ? [
          ...criteriaSection(report, width, style),
          ...driftBesidesSection(report, width, style),
          ...signalsSection(view, width, style)
        ]
      : [],
    block(
      [...(detail === "all" ? [] : [MORE[detail ?? "short"]]), ...writable(report, fixes)].join(" "),
      width,
      ""
    ).map(style.dim),
    detail === "all" ? exchangeSection(report, width, style) : []
  ]
  return sectionsText(sections)
}

/** How to see more. */
const MORE = {
  short: "-v shows what was found, -vv everything.",
  findings: "-vv shows all steps, every finding, and the requests and responses."
} as const

const heading = (report: AuditReport, style: Style): ReadonlyArray<string> => {
  const { reliable } = report.reliability
  const applies = applicableText(report)
  const score = `${scoreText(report)}/${report.max_score}  ${verdictText(report)}`
  return [
    `${style.bold(report.base_url)}  ${style.dim(report.audit_date)}`,
    `${style.bold((reliable ? colourOf(style, report.total_score / report.max_score) : style.fair)(score))}${applies === "" ? "" : `  ${applies}`}  ${style.dim(rubricName(report.rubric))}`
  ]
}

const warnings = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const { reliable } = report.reliability
  const verdict = reliable ? [] : block(`Not reliable: ${UNRELIABLE}`, width, "")
  return [
    ...verdict.map((line) => style.poor(style.bold(line))),
    ...flagTexts(report).flatMap((text) => block(`! ${text}`, width, "  ").map(style.fair)),
    ...block(coverageText(report), width, "  ")
  ]
}

const categories = ({ categories: all }: ReportView, width: number, style: Style): ReadonlyArray<string> => {
  const names = all.map(({ letter, title }) => `${letter} ${title}`)
  const longest = Math.max(...names.map((name) => name.length))
  const bar = Math.max(10, Math.min(40, width - longest - 14))
  return all.map(({ applies, max, score }, index) => {
    const name = `  ${(names[index] ?? "").padEnd(longest)}`
    if (!applies) return `${name}  ${style.dim(DOES_NOT_APPLY.padEnd(bar))}   –/${max}`
    const filled = max === 0 ? 0 : Math.round((score / max) * bar)
    const drawn = colourOf(style, score / Math.max(max, 1))("█".repeat(filled)) + style.dim("░".repeat(bar - filled))
    return `${name}  ${drawn}  ${String(score).padStart(2)}/${max}`
  })
}

/** `full` is how many have `STEPS` steps in the short report; `null`: all have all. */
const firstFixes = (
  report: AuditReport,
  fixes: ReadonlyArray<Fix>,
  width: number,
  style: Style,
  full: number | null
): ReadonlyArray<string> => {
  if (fixes.length === 0) return []
  const inFull = full === null
  const recipes = recipeTexts(fixes, (url) => url)
  const lines = fixes.flatMap((fix, index) => {
    const { summary } = fix.criterion
    return [
      `  ${style.bold(titleOf(fix))}  ${style.good(gainText(fix))}  ${style.dim(effortOf(fix))}`,
      ...block(inFull ? summary : clippedProse(summary, SUMMARY), width, "     "),
      ...block(includesText(fix), width, "     "),
      ...steps(
        fix.criterion,
        recipes.get(fix.criterion.id),
        full === null ? null : index < full ? STEPS : STEPS - 1
      ).flatMap((step) => block(`→ ${step}`, width, "     ")),
      ...(inFull
        ? addresses(report, fix.criterion).map((address) => style.dim(`       ${plainText(address, LONGEST_ADDRESS)}`))
        : [])
    ]
  })
  return [style.bold("Fix first"), ...lines]
}

/** Every fix with what was found; the first with a step and the recipe of the site's generator, too. */
const allFixes = (
  report: AuditReport,
  fixes: ReadonlyArray<Fix>,
  width: number,
  style: Style
): ReadonlyArray<string> => {
  if (fixes.length === 0) return []
  const recipes = recipeTexts(fixes, (url) => url)
  return [
    style.bold("Fix first"),
    ...fixes.flatMap((fix, index) => [
      `  ${style.bold(titleOf(fix))}  ${style.good(gainText(fix))}  ${style.dim(effortOf(fix))}`,
      ...foundLines(report, fix.criterion, width),
      ...(index >= FIRST_FIXES ? [] : steps(fix.criterion, recipes.get(fix.criterion.id), 1)).flatMap((step) =>
        block(`→ ${step}`, width, "     ")
      )
    ])
  ]
}

const foundLines = (report: AuditReport, criterion: CriterionResult, width: number): ReadonlyArray<string> =>
  [criterion.summary, ...groupedFindings(report, criterion)].flatMap((text) =>
    block(clippedProse(text, FOUND), width, "     ")
  )

/** What is no fix: criteria with full points, that could not be checked, or that do not apply; then what earns nothing. */
const rest = (view: ReportView, width: number, style: Style): ReadonlyArray<string> => {
  const { fixes, report, signals: all } = view
  const fixed = new Set(fixes.flatMap(({ criterion, includes }) => [criterion, ...includes]))
  const found = all.filter(({ seen }) => seen).map(({ name }) => plainText(name, LONGEST_NAME))
  return [
    style.bold("Other criteria"),
    ...report.criteria
      .filter((criterion) => !fixed.has(criterion))
      .flatMap((criterion) => brief(criterion, width, style)),
    ...trials(view, width),
    ...(found.length === 0 ? [] : block(`Also found, earning nothing yet: ${found.join(", ")}.`, width, "  "))
  ]
}

/** A criterion in a line, with the reason if it could not be checked. */
const brief = (criterion: CriterionResult, width: number, style: Style): ReadonlyArray<string> => {
  const { id, status, summary, title } = criterion
  const mark = isApplicable(criterion) ? MARKS[status] : "–"
  return [
    `  ${mark} ${id} ${title}${pointsText(criterion, false)}`,
    ...(status === "inconclusive" ? block(clippedProse(summary, FOUND), width, "     ") : [])
  ].map(style.dim)
}

const titleOf = ({ criterion: { id, title } }: Fix): string => `${id} ${title}`

/** At most `most` steps, with the recipe of the site's generator in place of the last of them, but always one step; `null`: all steps and the recipe. */
const steps = ({ remedy }: CriterionResult, recipe: string | undefined, most: number | null): ReadonlyArray<string> => {
  if (remedy === null) return []
  const left = remedy.steps
  const recipes = recipe === undefined ? [] : [recipe]
  const shown = left.slice(0, most === null ? left.length : Math.max(1, most - recipes.length))
  const more = left.length - shown.length
  return [
    ...shown.map((step, index) =>
      more > 0 && index === shown.length - 1 ? `${step} (and ${counted(more, "more step")})` : step
    ),
    ...recipes
  ]
}

/** The fixes after the first, in one paragraph. */
const furtherFixes = (fixes: ReadonlyArray<Fix>, width: number, style: Style): ReadonlyArray<string> => {
  if (fixes.length === 0) return []
  const named = fixes.slice(0, FURTHER).map((fix) => `${titleOf(fix)} (${gainText(fix)})`)
  const more = fixes.length - named.length
  return [
    style.bold("Then"),
    ...block(`${[...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")}.`, width, "  ")
  ]
}

/** What `docgauge fix` can write for the fixes of the report. */
const writable = (report: AuditReport, fixes: ReadonlyArray<Fix>): ReadonlyArray<string> => {
  const some = writableIds(
    report,
    fixes.map(({ criterion }) => criterion)
  )
  return some.length === 0 ? [] : [`docgauge fix can write files for ${enumerated(some)}.`]
}

/** What could be met better of what is on trial, each by the first thing that was found. */
const trials = ({ trials: all }: ReportView, width: number): ReadonlyArray<string> =>
  all.flatMap((trial) => {
    const bad = missingOf(trial)
    const more = bad.length > 1 ? ` (and ${grouped(bad.length - 1)} more)` : ""
    const [{ note } = { note: trial.summary }] = bad
    return block(`${ON_TRIAL}: ${trial.id} ${trial.title}. ${clippedProse(note, SUMMARY)}${more}`, width, "  ")
  })

const addresses = (report: AuditReport, criterion: CriterionResult): ReadonlyArray<string> => {
  const { more, urls } = concernedUrls(report, criterion, ADDRESSES)
  return more > 0 ? [...urls, `and ${grouped(more)} more`] : urls
}
