import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { existsSync } from "node:fs"
import { relative, sep } from "node:path"
import { counted, grouped } from "../../engine/plugin/Wording.ts"
import { type DriftFinding, DriftReport } from "../../engine/drift/Drift.ts"
import type { NotComparedReason } from "../../engine/drift/match/MatchCall.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/Files.ts"
import { block } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** What `docgauge drift` found, for every format. */
export interface DriftOutcome {
  /** The audited URL. */
  readonly url: string
  /** The day of the run, `YYYY-MM-DD`. */
  readonly date: string
  /** Counts and all findings. */
  readonly drift: DriftReport
  /** How many false examples of the description are counted and not among the findings. */
  readonly unlisted: number
  /** The findings that the baseline does not have; all without one. */
  readonly fresh: ReadonlySet<DriftFinding>
  /** The file of `--baseline`; `null` without it. */
  readonly baseline: string | null
  /** The API description that was compared with; `null`: none was found. */
  readonly description: ComparedDescription | null
  /** The URL of what may be a description, or a better one, and could not be fetched; `null`: there is none. */
  readonly unread: string | null
  /** How many calls were not compared, for each reason. */
  readonly because: ReadonlyMap<NotComparedReason, number>
  /** By the URL of a page. */
  readonly sources: ReadonlyMap<string, PageSource>
}

interface ComparedDescription {
  /** Its URL, or the file of `--spec` as it was given. */
  readonly place: string
  /** Whether it has HTTP operations that calls can be compared with. */
  readonly hasOperations: boolean
}

/** Where the text of a page was written. */
export interface PageSource {
  /** Its file in the repository, by its "edit this page" link; missing where none names it. */
  readonly file?: string
  /** Whether the answer is the text as it was written, so that its lines are those of the file. */
  readonly isAsWritten: boolean
  /** Of the file, where it is in the working directory and the answer was built from it. */
  readonly lines?: ReadonlyArray<string>
}

/** The findings of the baseline among all, in their order. */
export const knownFindings = ({ drift, fresh }: Pick<DriftOutcome, "drift" | "fresh">): ReadonlyArray<DriftFinding> =>
  drift.findings.filter((finding) => !fresh.has(finding))

/** `openapi.json#/paths/~1orders/get`: a place in a description. */
export const descriptionPlace = ({ pointer, url }: NonNullable<DriftFinding["description"]>): string =>
  pointer === "" ? url : `${url}#${pointer}`

/** Larger files are no pages that somebody writes. */
const FILE_BYTES = 2_000_000

/** Lines of a call, from its address on. */
const CALL_LINES = 20

/**
 * The line of a page's source file that a finding is about, from 1: the one with the path of the call, and soon after it what is false;
 * `null` where no line has the path.
 */
export const sourceLine = (lines: ReadonlyArray<string>, { call = "", found }: DriftFinding): number | null => {
  const path = call.slice(call.indexOf(" ") + 1)
  const at = lines.flatMap((line, index) => (path.length > 1 && line.includes(path) ? [index] : []))
  const exact = at.find((from) =>
    lines.slice(from, from + CALL_LINES).some((line) => found !== "" && line.includes(found))
  )
  const line = exact ?? at[0]
  return line === undefined ? null : line + 1
}

/** The same pages with the texts of their source files, where those are in the working directory: a build runs in its repository. */
export const withSourceTexts = Effect.fnUntraced(function* (sources: ReadonlyMap<string, PageSource>) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* Effect.orDie(files.realPath("."))
  const textOf = Effect.fnUntraced(function* (file: string) {
    const path = yield* files.realPath(file)
    const { size, type } = yield* files.stat(path)
    const isWithin = relative(folder, path).split(sep)[0] !== ".."
    return isWithin && type === "File" && size <= FILE_BYTES ? yield* files.readFileString(path) : null
  })
  const entries = yield* Effect.forEach(sources, ([url, source]) =>
    source.file === undefined || source.isAsWritten
      ? Effect.succeed([url, source] as const)
      : Effect.map(
          Effect.orElseSucceed(textOf(source.file), () => null),
          (text) => [url, text === null ? source : { ...source, lines: text.split("\n") }] as const
        )
  )
  return new Map<string, PageSource>(entries)
})

export const readKnownDrift = (
  path: string
): Effect.Effect<ReadonlyArray<DriftFinding>, CliFailure, FileSystem.FileSystem> =>
  existsSync(path)
    ? Effect.map(
        readJsonFile(path, DriftReport, "what docgauge drift writes with --format json"),
        ({ findings }) => findings
      )
    : Effect.fail(
        wrongUsage(
          `there is no baseline at ${plainText(path, 200)} yet. Write it once, and keep it: docgauge drift … --format json --output ${plainText(path, 200)}`
        )
      )

/** The findings that are not known; what is known once is new where it is found a second time. */
export const freshFindings = (
  findings: ReadonlyArray<DriftFinding>,
  known: ReadonlyArray<DriftFinding>
): ReadonlySet<DriftFinding> => {
  const left = new Map<string, number>()
  for (const finding of known) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1)
  return new Set(
    findings.filter((finding) => {
      const count = left.get(keyOf(finding)) ?? 0
      left.set(keyOf(finding), count - 1)
      return count <= 0
    })
  )
}

/** Text above a finding moves its line, a preview has another host, and a description may be a file: none makes it another finding. */
export const keyOf = ({ description, expected, found, kind, other, page, reason }: DriftFinding): string =>
  JSON.stringify([
    kind,
    reason,
    pathOf(page?.url),
    pathOf(other?.url),
    description?.pointer ?? "",
    found === "" ? expected : found
  ])

const pathOf = (url = ""): string => {
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.pathname + parsed.search
}

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
