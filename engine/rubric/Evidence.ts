import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { HttpsUrl, readCheckedFile, repeatedIds, textBetween, textLike } from "./CheckedFile.ts"
import { OWN_RUBRIC } from "./RubricFile.ts"
import type { RubricInvalid } from "./source/Problem.ts"
import type { Diagnostic } from "./source/SourceText.ts"
import { itemsUnder, type YamlNode } from "./source/YamlSource.ts"

const Moment = textLike(
  /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/,
  "must be a year, a month or a day, such as 2026-06-25"
)

/**
 * What a finding says of the criteria that name it. `success`: agents get or do more of what they came for; `cost`: they pay less for
 * it; `mixed`: plausible, or findings disagree; `none`: nothing found, or an effect that noise could have; `against`: no use, or harm.
 */
export const Grade = Schema.Literals(["success", "cost", "mixed", "none", "against"])
export type Grade = typeof Grade.Type

/** The most points that a criterion may have by its grade. */
export const MOST_POINTS: Readonly<Record<Grade, number>> = { success: 8, cost: 8, mixed: 4, none: 1, against: 1 }

/** One finding of one study. */
export const Study = Schema.Struct({
  id: textLike(/^[a-z][a-z0-9-]{1,40}$/, "must be lower case, such as a14y-markdown"),
  title: textBetween(2, 160),
  /** Where it was published; none where nothing was found. */
  url: Schema.optionalKey(HttpsUrl),
  kind: Schema.Literals(["experiment", "field data", "benchmark", "practice"]),
  /** What was measured; of `none`, where one looked. */
  measured: textBetween(10, 400),
  /** The effect with its unit, as it was published. */
  effect: textBetween(10, 300),
  /** How many runs, tasks, sites or domains. */
  n: textBetween(1, 60),
  /** Which agents or models. */
  agent: textBetween(2, 100),
  /** When it was published; of `none`, when one looked. */
  date: Moment,
  grade: Grade
}).annotate({ identifier: "Study" })
export type Study = typeof Study.Type

export const EvidenceBook = Schema.Struct({
  format: Schema.Literal(1),
  studies: Schema.Array(Study).check(Schema.isMinLength(1))
}).annotate({ identifier: "EvidenceBook" })
export type EvidenceBook = typeof EvidenceBook.Type

/** Best first. */
const ORDER: ReadonlyArray<Grade> = ["success", "cost", "mixed", "none", "against"]

/**
 * The grade of a criterion by those of its studies: the best of them; `mixed` at most where a finding speaks against it, and
 * `against` where nothing speaks for it.
 */
export const gradeOf = (grades: ReadonlyArray<Grade>): Grade => {
  const best = ORDER.find((grade) => grades.includes(grade)) ?? "none"
  if (!grades.includes("against")) return best
  return best === "success" || best === "cost" || best === "mixed" ? "mixed" : "against"
}

/** Whether agents were measured to gain by it. */
export const isPositive = (grade: Grade): boolean => grade === "success" || grade === "cost"

/** The studies of these ids, in their order; an id that the book lacks is left out. */
export const studiesOf = ({ studies }: EvidenceBook, ids: ReadonlyArray<string>): ReadonlyArray<Study> =>
  ids.flatMap((id) => studies.find((study) => study.id === id) ?? [])

/** `Title (experiment of 2026-06-25; Claude; 3 runs). What was measured: the effect. Grade: cost.` */
export const studyText = ({ agent, date, effect, grade, kind, measured, n, title }: Study): string =>
  `${title} (${kind} of ${date}; ${agent}; ${n}). ${measured}: ${effect}. Grade: ${grade}.`

/** The same as an item of a Markdown list, with its title as a link. */
export const studyLine = (study: Study): string =>
  `- ${studyText(study.url === undefined ? study : { ...study, title: `[${study.title}](${study.url})` })}`

const decode = SchemaParser.decodeUnknownResult(EvidenceBook, { errors: "all", onExcessProperty: "error" })

/** Reads `evidence.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place. */
export const loadEvidence = (bytes: Uint8Array, file: string): Effect.Effect<EvidenceBook, RubricInvalid> =>
  readCheckedFile(bytes, file, {
    decode,
    whole: "a file of evidence",
    problems: (root) => {
      const studies = itemsUnder(root, "studies")
      return [...repeatedIds(studies, "study"), ...studies.flatMap(unpublished)]
    }
  })

/** A finding without a place where it can be read, though one was found. */
const unpublished = (study: YamlNode): ReadonlyArray<Diagnostic> => {
  const grade = study.entries.get("grade")?.node
  if (study.entries.has("url") || grade === undefined || grade.plain === "none") return []
  return [{ rule: "value", span: grade.span, message: "only a finding of grade none has no url", hint: null }]
}

/** The studies that come with docgauge, beside its rubric. A file of our own that cannot be read is a defect. */
export const ownEvidence: Effect.Effect<EvidenceBook> = Effect.suspend(() => {
  const path = join(dirname(OWN_RUBRIC.file), "evidence.yaml")
  return Effect.orDie(
    Effect.flatMap(
      Effect.promise(() => readFile(path)),
      (bytes) => loadEvidence(bytes, path)
    )
  )
})
