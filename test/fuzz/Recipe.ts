import * as fc from "fast-check"
import type { SeedKind } from "./Target.ts"
import { TOKENS } from "./Tokens.ts"

/** One change to bytes. Positions are shares of the length, so that a change means something at any length. */
export type Mutation =
  | { readonly change: "flip"; readonly at: number; readonly bit: number }
  | { readonly change: "cut"; readonly at: number; readonly size: number }
  | { readonly change: "end"; readonly at: number }
  | { readonly change: "repeat"; readonly at: number; readonly size: number; readonly times: number }
  | { readonly change: "move"; readonly at: number; readonly size: number; readonly to: number }
  | { readonly change: "insert"; readonly at: number; readonly text: string; readonly times: number }
  /** A piece of another file. */
  | {
      readonly change: "splice"
      readonly at: number
      readonly other: number
      readonly from: number
      readonly size: number
    }

/** How an input is made; small, whatever the input's size. */
export interface Recipe {
  readonly base: { readonly seed: number } | { readonly pieces: ReadonlyArray<readonly [text: string, times: number]> }
  readonly mutations: ReadonlyArray<Mutation>
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const size = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.integer({ min: 1, max: 4_000 }))
/** Mostly a few; now and then as many as show what is not linear. */
const times = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 50 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 100_000 }) }
)

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.constantFrom("\0", "\uFEFF", "\u2028", "\u00A0", "\uD800", "a", "0", "-", "_", ".", "/")
)

const pieceOf = (kind: SeedKind): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...TOKENS[kind]) }, { weight: 1, arbitrary: anything })

const mutationOf = (kind: SeedKind): fc.Arbitrary<Mutation> =>
  fc.oneof(
    fc.record({ change: fc.constant("flip" as const), at: share, bit: fc.integer({ min: 0, max: 7 }) }),
    fc.record({ change: fc.constant("cut" as const), at: share, size }),
    fc.record({ change: fc.constant("end" as const), at: share }),
    fc.record({ change: fc.constant("repeat" as const), at: share, size, times }),
    fc.record({ change: fc.constant("move" as const), at: share, size, to: share }),
    fc.record({ change: fc.constant("insert" as const), at: share, text: pieceOf(kind), times }),
    fc.record({ change: fc.constant("splice" as const), at: share, other: fc.nat(), from: share, size })
  )

/** Inputs of a kind: half are files with changes, half are made of tokens. */
export const recipeOf = (kind: SeedKind): fc.Arbitrary<Recipe> =>
  fc.record({
    base: fc.oneof(
      fc.record({ seed: fc.nat() }),
      fc.record({ pieces: fc.array(fc.tuple(pieceOf(kind), times), { minLength: 1, maxLength: 60 }) })
    ),
    mutations: fc.array(mutationOf(kind), { maxLength: 8 })
  })

/** No input is longer, in bytes: what takes more than linear time shows at this length. */
const MOST_BYTES = 256 * 1024

/** Makes the input. `seeds` are the files of its kind, at least one. */
export const bytesOf = ({ base, mutations }: Recipe, seeds: ReadonlyArray<() => Uint8Array>): Uint8Array => {
  const seedAt = (index: number): Uint8Array => seeds[index % seeds.length]?.() ?? new Uint8Array()
  let bytes: Uint8Array =
    "seed" in base
      ? seedAt(base.seed)
      : Buffer.from(
          base.pieces
            .map(([text, times]) => repeated(text, times))
            .join("")
            .slice(0, MOST_BYTES)
        )
  for (const mutation of mutations) bytes = mutated(bytes, mutation, seedAt).subarray(0, MOST_BYTES)
  return bytes
}

const repeated = (text: string, times: number): string =>
  text.repeat(Math.min(times, Math.ceil(MOST_BYTES / Math.max(1, text.length))))

const mutated = (bytes: Uint8Array, mutation: Mutation, seedAt: (index: number) => Uint8Array): Uint8Array => {
  const at = Math.floor(mutation.at * bytes.length)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (mutation.change) {
    case "flip": {
      const flipped = Uint8Array.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << mutation.bit)
      return flipped
    }
    case "cut":
      return Buffer.concat([before, after.subarray(mutation.size)])
    case "end":
      return before
    case "repeat": {
      const piece = after.subarray(0, mutation.size)
      const most = Math.ceil(MOST_BYTES / Math.max(1, piece.length))
      return Buffer.concat([before, ...Array.from({ length: Math.min(mutation.times, most) }, () => piece), after])
    }
    case "move": {
      const rest = Buffer.concat([before, after.subarray(mutation.size)])
      const to = Math.floor(mutation.to * rest.length)
      return Buffer.concat([rest.subarray(0, to), after.subarray(0, mutation.size), rest.subarray(to)])
    }
    case "insert":
      return Buffer.concat([before, Buffer.from(repeated(mutation.text, mutation.times)), after])
    case "splice": {
      const other = seedAt(mutation.other)
      const from = Math.floor(mutation.from * other.length)
      return Buffer.concat([before, other.subarray(from, from + mutation.size), after])
    }
  }
}
