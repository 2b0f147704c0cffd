import { FIRST_FIXES, type Fix, gainText, includesText } from "../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult, CriterionStatus } from "../../engine/audit/Report.ts"
import { rubricName } from "../../engine/audit/RubricName.ts"
import { writableIds } from "../../engine/fix/site/WritablePlugins.ts"
import { counted, enumerated, grouped } from "../../engine/plugin/Wording.ts"
import {
  coverageText,
  effortOf,
  findingsOf,
  type ReportView,
  reportView,
  scoreText,
  UNRELIABLE,
  verdictText
} from "../../engine/report/ReportView.ts"
import {
  applicableText,
  concernedUrls,
  driftBesides,
  driftSentence,
  flagTexts,
  missingOf,
  readingCostText,
  recipeTexts
} from "../../engine/report/SectionWords.ts"
import { clippedProse } from "../../engine/text/MarkdownText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { block, sectionsText, type Style } from "./Style.ts"
import { agentSection, exchangeMark, exchangeSection } from "./TextSections.ts"

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly style: Style
  /** Shows every fix with all its steps, every finding of every criterion, and the exchanges that they cite. */
  readonly verbose?: boolean
}

/** Maximum length of a printed URL, in characters: sites choose their length. */
const LONGEST_ADDRESS = 300

/** Maximum length of the name of a signal, in characters. */
const LONGEST_NAME = 80

/** Steps of a fix in the short report, and characters of its summary. */
const STEPS = 2
const SUMMARY = 130

/** Maximum length of the short report, in lines: what does not fit has one step less. */
const LINES = 60

/** URLs that -v names with a fix. */
const ADDRESSES = 3

/** What is said of criteria that are measured, without points. */
const ON_TRIAL = "On trial, earning nothing"

/** Further fixes that the short report names. */
const FURTHER = 3

const MARKS: Readonly<Record<CriterionStatus, string>> = { present: "✓", partial: "◐", absent: "✗", inconclusive: "?" }

/** A report for a terminal: score, warnings, categories, what to fix first; with `verbose`, all fixes, criteria and findings. */
export const renderText = (report: AuditReport, options: TextOptions): string => {
  const agents = agentSection(report, widthOf(options), options.style)
  return [fitted(reportView(report), options), ...(agents.length === 0 ? [] : [`${agents.join("\n")}\n`])].join("\n")
}

/** With fewer steps where the short report would be too long. */
const fitted = (view: ReportView, options: TextOptions): string => {
  for (let full = FIRST_FIXES; full > 0; full--) {
    const text = render(view, options, full)
    if (options.verbose === true || text.split("\n").length <= LINES + 1) return text
  }
  return render(view, options, 0)
}

const widthOf = ({ width }: TextOptions): number => Math.min(Math.max(width, 60), 110)

/** In the short report the first `full` fixes have `STEPS` steps, the others one less. */
const render = (view: ReportView, options: TextOptions, full: number): string => {
  const { style, verbose = false } = options
  const width = widthOf(options)
  const { fixes, report } = view
  const sections = [
    heading(report, style),
    warnings(report, width, style),
    [
      ...categories(view, width, style),
      ...[readingCostText(report), driftSentence(report)].flatMap((text) => block(text, width, "  ")).map(style.dim)
    ],
    verbose
      ? firstFixes(report, fixes, width, style, null)
      : firstFixes(report, fixes.slice(0, FIRST_FIXES), width, style, full),
    verbose ? [] : furtherFixes(fixes.slice(FIRST_FIXES), width, style),
    [
      ...view.besides.flatMap((text) => block(text, width, "  ")).map(style.dim),
      ...(verbose ? [] : trials(view, width))
    ],
    verbose ? [...criteria(report, width, style), ...drift(report, width, style), ...signals(view, width, style)] : [],
    block(
      [...(verbose ? [] : ["-v shows all steps and findings."]), ...writable(report, fixes)].join(" "),
      width,
      ""
    ).map(style.dim),
    verbose ? exchangeSection(report, width, style) : []
  ]
  return sectionsText(sections)
}

const colourOf = (style: Style, share: number): Style["good"] =>
  share >= 0.75 ? style.good : share >= 0.4 ? style.fair : style.poor

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
  return all.map(({ max, score }, index) => {
    const filled = max === 0 ? 0 : Math.round((score / max) * bar)
    const drawn = colourOf(style, score / Math.max(max, 1))("█".repeat(filled)) + style.dim("░".repeat(bar - filled))
    return `  ${(names[index] ?? "").padEnd(longest)}  ${drawn}  ${String(score).padStart(2)}/${max}`
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
  const verbose = full === null
  const recipes = recipeTexts(fixes, (url) => url)
  const lines = fixes.flatMap((fix, index) => {
    const { summary } = fix.criterion
    return [
      `  ${style.bold(titleOf(fix))}  ${style.good(gainText(fix))}  ${style.dim(effortOf(fix))}`,
      ...block(verbose ? summary : clippedProse(summary, SUMMARY), width, "     "),
      ...block(includesText(fix), width, "     "),
      ...steps(
        fix.criterion,
        recipes.get(fix.criterion.id),
        full === null ? null : index < full ? STEPS : STEPS - 1
      ).flatMap((step) => block(`→ ${step}`, width, "     ")),
      ...(verbose
        ? addresses(report, fix.criterion).map((address) => style.dim(`       ${plainText(address, LONGEST_ADDRESS)}`))
        : [])
    ]
  })
  return [style.bold("Fix first"), ...lines]
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

const criteria = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const line =
    (onTrial: boolean) =>
    (criterion: CriterionResult): ReadonlyArray<string> => {
      const colour =
        criterion.status === "inconclusive" ? style.fair : colourOf(style, criterion.score / Math.max(criterion.max, 1))
      return [
        `  ${colour(MARKS[criterion.status])} ${criterion.id} ${criterion.title}${onTrial ? "" : `  ${criterion.score}/${criterion.max}`}`,
        ...findingsOf(criterion).flatMap((finding) => [
          ...block(finding.note, width, "       ").map(style.dim),
          `       ${style.dim(plainText(finding.url, LONGEST_ADDRESS) + exchangeMark(finding))}`
        ]),
        ...((criterion.findings_left_out ?? 0) === 0
          ? []
          : [
              style.dim(
                `       and ${counted(criterion.findings_left_out ?? 0, "more finding")} that the report leaves out`
              )
            ]),
        ...(criterion.remedy?.steps_done ?? [])
          .flatMap((step) => block(`Done, or does not apply: ${step}`, width, "       "))
          .map(style.dim)
      ]
    }
  const experimental =
    report.experimental.length === 0 ? [] : [style.bold(ON_TRIAL), ...report.experimental.flatMap(line(true))]
  return [style.bold("All criteria"), ...report.criteria.flatMap(line(false)), ...experimental]
}

/** What is false besides what the criteria say, with both places. */
const drift = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const findings = driftBesides(report)
  const leftOut = report.drift?.findings_left_out ?? 0
  if (findings.length + leftOut === 0) return []
  return [
    style.bold("Where documentation and API description part, apart from the findings above"),
    ...findings.flatMap(({ description, message, page }) => [
      ...block(message, width, "  "),
      ...[
        ...(page === null ? [] : [plainText(page.url, LONGEST_ADDRESS)]),
        ...(description === null ? [] : [plainText(`${description.url}#${description.pointer}`, LONGEST_ADDRESS)])
      ].map((place) => style.dim(`       ${place}`))
    ]),
    ...(leftOut === 0 ? [] : [style.dim(`  and ${counted(leftOut, "more finding")} that the report leaves out`)])
  ]
}

const signals = ({ signals: all }: ReportView, width: number, style: Style): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        style.bold("Also looked for, earning nothing yet"),
        ...all.flatMap(({ about, name, seen, url }) => [
          ...block(
            `${seen ? "Found" : "Not found"}: ${plainText(name, LONGEST_NAME)}. ${plainText(about, LONGEST_ADDRESS)}`,
            width,
            "  "
          ),
          ...(seen ? [`       ${style.dim(plainText(url, LONGEST_ADDRESS))}`] : [])
        ])
      ]
