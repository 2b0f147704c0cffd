import { map } from "effect/Record"
import * as Schema from "effect/Schema"

/**
 * The kinds of fact that a plugin can measure. Facts are flat: a name, a kind, a meaning with its unit. The rubric's
 * conditions see them as `facts.<name>` with the CEL type beside each kind.
 */
export type Fact =
  /** A whole number ≥ 0 (CEL `int`). */
  | { readonly kind: "count"; readonly meaning: string }
  /** A share between 0 and 1, rounded to four places by `ratio` (CEL `double`). */
  | { readonly kind: "share"; readonly meaning: string }
  /** Yes or no (CEL `bool`). */
  | { readonly kind: "flag"; readonly meaning: string }
  /** One of a few words (CEL `string`). */
  | { readonly kind: "word"; readonly meaning: string; readonly words: ReadonlyArray<string> }

export type FactFields = Readonly<Record<string, Fact>>

type FactValue<F extends Fact> = F extends { readonly kind: "count" | "share" }
  ? number
  : F extends { readonly kind: "flag" }
    ? boolean
    : F extends { readonly words: ReadonlyArray<infer W> }
      ? W
      : never

export type FactValues<Fields extends FactFields> = { readonly [K in keyof Fields]: FactValue<Fields[K]> }

export const count = (meaning: string) => ({ kind: "count", meaning }) as const
export const share = (meaning: string) => ({ kind: "share", meaning }) as const
export const flag = (meaning: string) => ({ kind: "flag", meaning }) as const
export const word = <const W extends ReadonlyArray<string>>(words: W, meaning: string) =>
  ({ kind: "word", meaning, words }) as const

/** `part` of `whole` as a share, rounded once, here; an empty whole is 0. */
export const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000

/** Facts whose plugin is not known to the types: by name. */
export type FactRecord = Readonly<Record<string, number | boolean | string>>

/** The values that a number may have: `at_most` is `null` where nothing bounds it. */
const Range = Schema.Struct({ at_least: Schema.Finite, at_most: Schema.NullOr(Schema.Finite) })

/** The values that a flag or a word may have. */
const Choice = Schema.Struct({ one_of: Schema.Array(Schema.Union([Schema.Boolean, Schema.String])) })

/** What a fact may be while some responses are missing. */
export const Uncertain = Schema.Union([Range, Choice])
export type Uncertain = typeof Uncertain.Type

type UncertainOf<Value> = Value extends number ? typeof Range.Type : typeof Choice.Type

/** Facts that missing responses could change, by name; a fact that is left out, or `undefined`, is certain. */
export type UncertainFacts<Facts> = { readonly [Name in keyof Facts]?: UncertainOf<Facts[Name]> | undefined }

/** Uncertain facts of a plugin that is not known to the types. */
export type UncertainRecord = Readonly<Record<string, Uncertain>>

/** A flag that could be either. */
export const EITHER: typeof Choice.Type = { one_of: [false, true] }

/** A flag that is true as soon as one response shows it: certain once it is true, or if no response is missing. */
export const eitherUnless = (known: boolean): typeof Choice.Type | undefined => (known ? undefined : EITHER)

/** A number of at least `least`, and of at most `most`; `null`: of any size. */
export const between = (least: number, most: number | null): typeof Range.Type => ({ at_least: least, at_most: most })

/** The share of `part` in `whole`, if each of `missing` more may belong to the part, to the rest, or to neither. */
export const shareBetween = (part: number, whole: number, missing: number): typeof Range.Type =>
  between(ratio(part, whole + missing), ratio(part + missing, whole + missing))

/** The share of each of `counts` in `whole` as a fact, and what it may be while `missing` more may belong to any of them. */
export const shares = <Name extends string>(
  counts: Readonly<Record<Name, number>>,
  whole: number,
  missing: number
) => ({
  facts: map(counts, (part) => ratio(part, whole)),
  uncertain: map(counts, (part) => shareBetween(part, whole, missing))
})

/** Whether a fact that may be so has one value only. */
const isCertain = (uncertain: Uncertain): boolean =>
  "one_of" in uncertain ? uncertain.one_of.length < 2 : uncertain.at_least === uncertain.at_most

/** The facts that are uncertain indeed. */
export const uncertainRecord = (facts: UncertainFacts<Readonly<Record<string, unknown>>>): UncertainRecord =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, uncertain]) =>
      uncertain === undefined || isCertain(uncertain) ? [] : [[name, uncertain]]
    )
  )
