import * as Effect from "effect/Effect"
import { fixList, gainText, isApplicable } from "../../../engine/audit/FixFirst.ts"
import { scoreInFull } from "../../../engine/report/ReportView.ts"
import { houseTrials } from "./HouseTrials.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type CliFailure, isGateFailure } from "../../io/CliFailure.ts"
import { writeOut } from "../../io/Stdout.ts"
import { changeNote, type GateResult, waiversNote } from "../../gate/Gates.ts"

/** GitHub shows at most ten errors and ten warnings of a step. */
export const SHOWN_ANNOTATIONS = 10

/** How many annotations of each kind a report may have. */
export type AnnotationRoom = Readonly<Record<"errors" | "warnings" | "trials", number>>

const ALONE: AnnotationRoom = { errors: SHOWN_ANNOTATIONS, warnings: SHOWN_ANNOTATIONS, trials: SHOWN_ANNOTATIONS }

interface Judged {
  readonly report: AuditReport
  readonly gate: GateResult
}

/** The room of each of several reports that one step prints: GitHub shows ten of a kind of all of them together. */
export const annotationRooms = (judged: ReadonlyArray<Judged>): ReadonlyArray<AnnotationRoom> => {
  const errors = inTurns(judged.map(({ gate }) => failedGoals(gate).length))
  const warnings = inTurns(judged.map(({ report }) => fixList(report).fixes.length))
  // Each report has a notice with its score, too.
  const trials = inTurns(
    judged.map(({ report }) => missedTrials(report).length),
    SHOWN_ANNOTATIONS - judged.length
  )
  return judged.map((_, index) => ({
    errors: errors[index] ?? 0,
    warnings: warnings[index] ?? 0,
    trials: trials[index] ?? 0
  }))
}

/** How many of `room` places each gets, given how many it could fill: one place each in turn, as long as there are any. */
const inTurns = (wanted: ReadonlyArray<number>, room = SHOWN_ANNOTATIONS): ReadonlyArray<number> => {
  const given = wanted.map(() => 0)
  for (let left = room; left > 0;) {
    const before = left
    for (const [index, want] of wanted.entries())
      if (left > 0 && (given[index] ?? 0) < want) {
        given[index] = (given[index] ?? 0) + 1
        left -= 1
      }
    if (left === before) break
  }
  return given
}

const failedGoals = ({ checks, unreliable }: GateResult): ReadonlyArray<readonly [title: string, message: string]> => [
  ...(unreliable === null ? [] : [["docgauge: goals not judged", unreliable] as const]),
  ...checks.flatMap(({ message, outcome }) =>
    message === null || outcome === "skipped"
      ? []
      : [[outcome === "missed" ? "docgauge: goal missed" : "docgauge: goal not judged", message] as const]
  )
]

const missedTrials = (report: AuditReport): ReadonlyArray<CriterionResult> =>
  houseTrials(report).filter(
    (trial) => isApplicable(trial) && trial.status !== "present" && trial.status !== "inconclusive"
  )

/**
 * Workflow commands of GitHub Actions, a line each: an error for each goal that is not met, a warning for what to fix first, a notice with
 * the score, and one for each house rule on trial that is not met.
 */
export const renderGithub = (
  report: AuditReport,
  { gate, room }: { readonly gate: GateResult; readonly room?: AnnotationRoom }
): string => {
  const { base_url: url } = report
  const { errors, trials, warnings } = room ?? ALONE
  const told = (message: string): string => (room === undefined ? capitalised(message) : `${url}: ${message}`)
  const change = changeNote(gate)
  const waivers = waiversNote(gate, report)
  return `${[
    command("notice", "docgauge", `${scoreInFull(report)}: ${url}`),
    ...failedGoals(gate)
      .slice(0, errors)
      .map(([title, message]) => command("error", title, told(message))),
    ...(change === null ? [] : [command("notice", "docgauge: since the baseline", told(change))]),
    ...(waivers === null ? [] : [command("notice", "docgauge: waivers", told(waivers))]),
    ...fixList(report)
      .fixes.slice(0, warnings)
      .map((fix) =>
        command(
          "warning",
          `${fix.criterion.id} ${fix.criterion.title} (${gainText(fix)})`,
          told(advice(fix.criterion.summary, fix.criterion.remedy?.steps[0]))
        )
      ),
    ...missedTrials(report)
      .slice(0, trials)
      .map(({ id, remedy, summary, title }) =>
        command("notice", `${id} ${title} (on trial)`, told(advice(summary, remedy?.steps[0])))
      )
  ].join("\n")}\n`
}

/** Why the command failed: a site could not be audited, or a file could not be written. */
export const failure = (message: string): string => `${command("error", "docgauge: failed", message)}\n`

/** The page of a workflow's run shows what went wrong; goals that are missed or could not be judged have annotations already. */
export const annotateFailure = (failed: CliFailure): Effect.Effect<void> =>
  isGateFailure(failed)
    ? Effect.void
    : writeOut(failure((failed.annotation ?? failed.message).replaceAll("\ndocgauge: ", "\n")), "github")

/** A line of its own, besides those of the report. */
export const notice = (message: string): string => `${command("notice", "docgauge", capitalised(message))}\n`

const advice = (summary: string, step: string | undefined): string =>
  step === undefined ? summary : `${summary}\n${step}`

/** A URL stays as it is. */
const capitalised = (text: string): string =>
  text.startsWith("http") ? text : text.slice(0, 1).toUpperCase() + text.slice(1)

/** `::warning title=…::…`; a site has a say in the text, so that it must not begin a command of its own. */
export const command = (kind: "error" | "warning" | "notice", title: string, message: string): string =>
  `::${kind} title=${escaped(plainText(title, 200)).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${message
    .split("\n")
    .map((line) => escaped(plainText(line, 1_000)))
    .join("%0A")}`

const escaped = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
