import * as Effect from "effect/Effect"
import { fixList, gainText, isApplicable } from "../../../engine/audit/FixFirst.ts"
import { scoreInFull } from "../../../engine/report/ReportView.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { houseTrials } from "./HouseTrials.ts"
import { type CliFailure, isGateFailure } from "../../io/CliFailure.ts"
import { writeOut } from "../../io/Stdout.ts"
import { changeNote, type GateResult, waiversNote } from "../../gate/Gates.ts"

/** GitHub shows at most ten errors and ten warnings of a step. */
export const SHOWN_ANNOTATIONS = 10

/**
 * Workflow commands of GitHub Actions, a line each: an error for each goal that is not met, a warning for what to fix first, a notice with
 * the score, and one for each house rule on trial that is not met.
 */
export const renderGithub = (
  report: AuditReport,
  { amongOthers = false, gate }: { readonly gate: GateResult; readonly amongOthers?: boolean }
): string => {
  const { base_url: url } = report
  const told = (message: string): string => (amongOthers ? `${url}: ${message}` : capitalised(message))
  const errors = [
    ...(gate.unreliable === null ? [] : [command("error", "docgauge: goals not judged", told(gate.unreliable))]),
    ...gate.checks.flatMap(({ message, outcome }) =>
      message === null || outcome === "skipped"
        ? []
        : [
            command(
              "error",
              outcome === "missed" ? "docgauge: goal missed" : "docgauge: goal not judged",
              told(message)
            )
          ]
    )
  ]
  const change = changeNote(gate)
  const waivers = waiversNote(gate, report)
  const { fixes } = fixList(report)
  const head = `${scoreInFull(report)}: ${url}`
  return `${[
    command("notice", "docgauge", head),
    ...errors.slice(0, SHOWN_ANNOTATIONS),
    ...(change === null ? [] : [command("notice", "docgauge: since the baseline", told(change))]),
    ...(waivers === null ? [] : [command("notice", "docgauge: waivers", told(waivers))]),
    ...fixes
      .slice(0, SHOWN_ANNOTATIONS)
      .map((fix) =>
        command(
          "warning",
          `${fix.criterion.id} ${fix.criterion.title} (${gainText(fix)})`,
          told(advice(fix.criterion.summary, fix.criterion.remedy?.steps[0]))
        )
      ),
    ...houseTrials(report)
      .filter((trial) => isApplicable(trial) && trial.status !== "present" && trial.status !== "inconclusive")
      .slice(0, SHOWN_ANNOTATIONS)
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
