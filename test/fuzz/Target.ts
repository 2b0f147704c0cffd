/** What a file is, as far as fuzzing cares: which seeds and which tokens a parser is fed. */
export const SEED_KINDS = [
  "html",
  "markdown",
  "llms",
  "robots",
  "xml",
  "json",
  "yaml",
  "graphql",
  "warc",
  "http",
  "text"
] as const
export type SeedKind = (typeof SEED_KINDS)[number]

/** A parser of foreign bytes. */
export interface FuzzTarget {
  readonly name: string
  /** The kinds of input that reach beyond its first line of defence. */
  readonly kinds: readonly [SeedKind, ...ReadonlyArray<SeedKind>]
  /** Processor time beyond which an input is a finding, in milliseconds, where it reads the input many times. */
  readonly slowMs?: number
  /** Reads the bytes. Throws where the parser does what it must not: fail, break a law, give what is not plain data. */
  readonly read: (bytes: Uint8Array) => Promise<void> | void
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The first line, and what comes after it: for parsers that take two things. */
export const split = (bytes: Uint8Array): readonly [first: string, rest: string] => {
  const text = textOf(bytes)
  const end = text.indexOf("\n")
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)]
}

/** Throws where a law does not hold. */
export const holds = (law: string, is: boolean): void => {
  if (!is) throw new Error(`does not hold: ${law}`)
}
