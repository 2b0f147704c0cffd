import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import {
  CriterionId,
  HttpsUrl,
  readCheckedFile,
  repeatedIds,
  textBetween,
  textLike,
  unknownCriteria
} from "../../engine/rubric/CheckedFile.ts"
import type { RubricInvalid } from "../../engine/rubric/source/Problem.ts"
import { itemsUnder } from "../../engine/rubric/source/YamlSource.ts"

const Day = textLike(/^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/, "must be a day, such as 2026-08-10")
const Moment = textLike(
  /^\d{4}-(?:0\d|1[0-2])(?:-(?:[0-2]\d|3[01]))?$/,
  "must be a month or a day, such as 2022-09 or 2026-08-10"
)
const Source = textLike(
  /^(?:https:\/\/[^\s/.]+(?:\.[^\s/.]+)+(?:\/\S*)?|npm:[@\w./-]{1,100})$/u,
  "must be an https URL or a package, such as npm:commonmark-spec"
)

const Version = textBetween(1, 40)

/** What there is of a norm: a version, its date, or both. */
interface NormVersion {
  readonly version?: string
  readonly date?: string
}

/** A norm that criteria hold sites to. */
export const Norm = Schema.Struct({
  id: textLike(/^[a-z][a-z0-9.-]{1,40}$/, "must be lower case, such as rfc9309"),
  title: textBetween(2, 100),
  /** The version that our criteria judge by, as the norm itself writes it; none where it has no versions. */
  version: Schema.optionalKey(Version),
  /** When that was published. Of a text without versions: the day of its last change that we have read. */
  date: Schema.optionalKey(Moment),
  /** The version that is newer and that our criteria do not follow yet. */
  due: Schema.optionalKey(Schema.Struct({ version: Version, date: Schema.optionalKey(Moment) })),
  /** Its text. References of a rubric cite a norm by this URL, or by one below it. */
  url: HttpsUrl,
  /** Where its official schema is. */
  schema: Schema.optionalKey(Source),
  /** Where its official test suite is. */
  suite: Schema.optionalKey(Source),
  /**
   * Where a machine can see its newest version: the tags of a repository (`github:OAI/OpenAPI-Specification`), the last change of a
   * file in one (`github:AnswerDotAI/llms-txt:nbs/index.qmd`), a package (`npm:…`), an RFC (`rfc:9309`) or an Internet-Draft
   * (`draft:draft-ietf-…`).
   */
  releases: Schema.optionalKey(
    textLike(
      /^(?:github:[\w.-]{1,100}\/[\w.-]{1,100}(?::[\w./-]{1,200})?|npm:[@\w./-]{1,100}|rfc:\d{1,5}|draft:draft-[a-z0-9-]{1,200})$/,
      "must say where releases are, such as github:OAI/OpenAPI-Specification, npm:commonmark-spec, rfc:9309 or draft:draft-ietf-…"
    )
  ),
  /** Of an RFC: those that update it and that we have read. */
  updates: Schema.optionalKey(Schema.Array(textLike(/^\d{1,5}$/, "must be the number of an RFC"))),
  /** When somebody last looked whether there is a newer version. */
  checked: Day,
  /** Ids of the criteria that hold sites to it; empty where it is only a signal. */
  criteria: Schema.Array(CriterionId)
}).annotate({ identifier: "Norm" })
export type Norm = typeof Norm.Type

export const NormBook = Schema.Struct({
  format: Schema.Literal(1),
  norms: Schema.Array(Norm).check(Schema.isMinLength(1)),
  /** What a rubric cites besides: manuals and guides, which nothing can be held to. */
  guides: Schema.Array(HttpsUrl)
}).annotate({ identifier: "NormBook" })
export type NormBook = typeof NormBook.Type

/** The norms that a criterion holds sites to, in the book's order. */
export const normsFor = (book: NormBook, criterion: string): ReadonlyArray<Norm> =>
  book.norms.filter(({ criteria }) => criteria.includes(criterion))

/** The norm that a URL cites; `null`: none of the book. */
export const normCited = (book: NormBook, url: string): Norm | null =>
  book.norms.find((norm) => isAtOrBelow(url, norm.url)) ?? null

const isAtOrBelow = (url: string, place: string): boolean =>
  url.startsWith(place) && (place.endsWith("/") || /^(?:$|[/?#])/.test(url.slice(place.length)))

/** A version with its date, such as `v2 of 2026-08-10`; empty where the norm has neither. */
export const versionText = ({ date, version }: NormVersion): string =>
  version === undefined || date === undefined || version === date ? (version ?? date ?? "") : `${version} of ${date}`

/** An item of a Markdown list: `- [Title](URL): v1 of 2024-09-03 (v2 of 2026-08-10 is due), checked 2026-11-28`. */
export const normLine = ({ checked, due, title, url, ...held }: Norm): string => {
  const version = `${versionText(held)}${due === undefined ? "" : ` (${versionText(due)} is due)`}`.trim()
  return `- [${title}](${url}): ${version === "" ? "" : `${version}, `}checked ${checked}`
}

const decode = SchemaParser.decodeUnknownResult(NormBook, { errors: "all", onExcessProperty: "error" })

/**
 * Reads `norms.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place.
 *
 * @param criteria the ids that there are; a norm of any other is a problem.
 */
export const loadNorms = (
  bytes: Uint8Array,
  file: string,
  criteria: ReadonlyArray<string>
): Effect.Effect<NormBook, RubricInvalid> =>
  readCheckedFile(bytes, file, {
    decode,
    whole: "a file of norms",
    problems: (root) => {
      const norms = itemsUnder(root, "norms")
      return [...repeatedIds(norms, "norm"), ...norms.flatMap((norm) => unknownCriteria(norm, criteria))]
    }
  })
