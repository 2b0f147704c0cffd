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

export type FactValue<F extends Fact> = F extends { readonly kind: "count" | "share" }
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
