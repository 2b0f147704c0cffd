import { counted, grouped } from "../../engine/criterion/Wording.ts"
import type { DriftFinding } from "../../engine/drift/Drift.ts"
import type { NotComparedReason } from "../../engine/drift/match/MatchCall.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { TextOptions } from "../render/TextReport.ts"
import { block } from "../render/Wrap.ts"
import { descriptionPlace, type DriftOutcome, knownFindings } from "./DriftOutcome.ts"

/** Longer lines are hard to read. */
const MOST_COLUMNS = 110

const LONGEST_URL = 300

/** For a terminal: counts, what was compared with what, and the new findings by page. */
export const driftText = (outcome: DriftOutcome, { style, width }: Pick<TextOptions, "style" | "width">): string => {
  const line = (text: string, indent = ""): ReadonlyArray<string> =>
    block(plainText(text, 1_000), Math.min(width, MOST_COLUMNS), indent)
  const pages = Map.groupBy(outcome.fresh, ({ description, page }) => page?.url ?? description?.url ?? "")
  return `${[
    style.bold(countsText(outcome)),
    ...remarks(outcome).flatMap((text) => line(text)),
    ...[...pages].flatMap(([place, findings]) => [
      "",
      style.bold(plainText(place, LONGEST_URL)),
      ...findings.flatMap((finding) => [
        ...line(finding.message, "  "),
        ...placesOf(finding).map((text) => style.dim(`    ${plainText(text, 2 * LONGEST_URL)}`)),
        ...line(likelyText(finding), "    ")
      ])
    ])
  ].join("\n")}\n`
}

/** `312 compared: 309 agree, 3 are false (1 known). 41 not compared.` */
export const countsText = (outcome: DriftOutcome): string => {
  const { agreeing, compared, false: wrong, not_compared: left } = outcome.drift
  const known = knownFindings(outcome).length
  const counts = `${grouped(compared)} compared: ${grouped(agreeing)} ${agreeing === 1 ? "agrees" : "agree"}, ${grouped(wrong)} ${wrong === 1 ? "is" : "are"} false.`
  return [
    compared === 0 ? "Nothing could be compared." : counts,
    ...(left === 0 ? [] : [`${grouped(left)} not compared.`]),
    ...(known === 0 ? [] : [`${counted(known, "finding")} known.`])
  ].join(" ")
}

/** What was compared with what, and why the rest was not. */
export const remarks = ({
  because,
  description,
  unlisted,
  unread
}: Pick<DriftOutcome, "because" | "description" | "unlisted" | "unread">): ReadonlyArray<string> => {
  const reasons = [...because].toSorted(([, one], [, other]) => other - one)
  return [
    comparedWith(description),
    ...(unread === null
      ? []
      : [
          `${plainText(unread, LONGEST_URL)} may be ${description === null ? "one" : "a better one"}, and could not be read.`
        ]),
    ...(reasons.length === 0
      ? []
      : [
          `Calls not compared: ${reasons.map(([reason, count]) => `${grouped(count)} ${BECAUSE[reason]}`).join(", ")}.`
        ]),
    ...(unlisted === 0
      ? []
      : [`${counted(unlisted, "more false example")} of the description ${unlisted === 1 ? "is" : "are"} not listed.`])
  ]
}

const comparedWith = (description: DriftOutcome["description"]): string => {
  if (description === null)
    return "No API description was found, so examples, calls and tables were not compared. If it is not published, name its file: --spec openapi.yaml"
  const place = plainText(description.place, LONGEST_URL)
  return description.hasOperations
    ? `Compared with ${place}.`
    : `Compared with ${place}, which has no HTTP operations, so calls and tables were not compared.`
}

/** Follows a number of calls. */
const BECAUSE: Readonly<Record<NotComparedReason, string>> = {
  no_contract: "for want of HTTP operations in the description",
  other_host: "to another host",
  identity_provider: "to an authorization server",
  other_api: "that may be of another API",
  ambiguous: "that may mean several operations",
  said_not_to_work: "that the page calls old, of another version or failing",
  other_version: "of another version",
  incomplete: "of which the description does not say enough"
}

/** Both places, the page's with its line. */
const placesOf = ({ description, other, page }: DriftFinding): ReadonlyArray<string> => [
  ...[page, other ?? null].flatMap((place) =>
    place === null ? [] : [place.line === null ? place.url : `${place.url} (line ${place.line})`]
  ),
  ...(description === null ? [] : [descriptionPlace(description)])
]

/** The operation that a call most likely means; empty where its sentence names that. */
export const likelyText = ({ likely, message }: DriftFinding): string =>
  likely === undefined || message.includes(likely) ? "" : `Does it mean ${likely}?`
