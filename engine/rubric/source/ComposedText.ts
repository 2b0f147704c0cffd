import { spanWithin } from "./ScalarOffsets.ts"
import type { Span } from "./SourceText.ts"

/** A part of a text that was composed of several scalars of the file, and where it is from. */
export interface Piece {
  readonly text: string
  /** The scalar that it is from, and its place in the file. */
  readonly value: string
  readonly span: Span
  /** The part of the scalar that it stands for, as offsets into its value. */
  readonly at: Span
}

/** A text of the file, or one that was composed of texts of the file. */
export interface PlacedText {
  readonly value: string
  readonly span: Span
  readonly pieces?: ReadonlyArray<Piece>
}

export const composed = (pieces: ReadonlyArray<Piece>): string => pieces.map(({ text }) => text).join("")

/** The position in the file of a part of a text: of a composed text, within the scalar that the part is from. */
export const placeWithin = (source: string, { pieces, span, value }: PlacedText, part: Span): Span => {
  let from = 0
  for (const piece of pieces ?? []) {
    const end = from + piece.text.length
    if (part.start < end) return spanWithin(source, piece.span, piece.value, partOf(piece, part, from))
    from = end
  }
  return spanWithin(source, span, value, part)
}

/** What part of its scalar a part of a composed text stands for: all of it where the text was changed. */
const partOf = ({ at, text, value }: Piece, part: Span, from: number): Span =>
  value.slice(at.start, at.end) === text
    ? { start: at.start + part.start - from, end: Math.min(at.end, at.start + part.end - from) }
    : at
