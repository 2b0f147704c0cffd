import { printable, type Problem, type ProblemRule } from "./Problem.ts"

/** A rubric of a hundred criteria has a tenth of this. */
const MOST_BYTES = 1_000_000

/** A file's bytes as text, or why they cannot be read: a file that is too long, or not UTF-8. */
interface FileText {
  /** Empty where the file is too long to be looked at. */
  readonly text: string
  readonly diagnostic: Diagnostic | null
}

export const fileText = (bytes: Uint8Array): FileText => {
  if (bytes.length > MOST_BYTES) {
    const message = `the file has ${bytes.length} bytes; a rubric may have ${MOST_BYTES}`
    return { text: "", diagnostic: { rule: "file", span: { start: 0, end: 0 }, message } }
  }
  const text = new TextDecoder().decode(bytes)
  const span = undecodable(text, bytes)
  if (span === null) return { text, diagnostic: null }
  return { text, diagnostic: { rule: "file", span, message: "the file is not UTF-8", hint: "save it as UTF-8" } }
}

/** The bytes EF BB BF, which the decoder leaves out. */
const BOM = 3

/** The first place where bytes were no UTF-8: a replacement character that the file does not contain. */
const undecodable = (text: string, bytes: Uint8Array): Span | null => {
  const encoder = new TextEncoder()
  let byte = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? BOM : 0
  let from = 0
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", from)) {
    byte += encoder.encode(text.slice(from, at)).length
    const meant = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd
    if (!meant) return { start: at, end: at + 1 }
    byte += 3
    from = at + 1
  }
  return null
}

/** A stretch of a text: offsets in UTF-16 code units, the end not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A problem before its place is worked out. */
export interface Diagnostic {
  readonly rule: ProblemRule
  readonly span: Span
  readonly message: string
  readonly hint?: string | null
}

/** A file's text, and where its lines begin. */
export interface SourceText {
  readonly file: string
  readonly text: string
  /** The offset of each line's first character. */
  readonly lineStarts: ReadonlyArray<number>
}

export const sourceText = (file: string, text: string): SourceText => {
  const lineStarts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1)
  return { file, text, lineStarts }
}

/** The problem at its line and column, with its code frame. */
const locate = (source: SourceText, diagnostic: Diagnostic): Problem => {
  const line = lineAt(source, diagnostic.span.start)
  const column = diagnostic.span.start - lineStart(source, line)
  return {
    rule: diagnostic.rule,
    file: source.file,
    line: line + 1,
    column: column + 1,
    message: diagnostic.message,
    hint: diagnostic.hint ?? null,
    frame: frame(source, line, column, diagnostic.span)
  }
}

/**
 * The diagnostics as problems, in file order; those at one place stay in the order in which they were found. What is said of one
 * place twice, because several conditions use one check, is said once.
 */
export const locateAll = (source: SourceText, diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Problem> => {
  const said = new Set<string>()
  return diagnostics
    .toSorted((a, b) => a.span.start - b.span.start)
    .filter(({ message, rule, span }) => {
      const key = `${span.start} ${rule} ${message}`
      return said.size < said.add(key).size
    })
    .map((diagnostic) => locate(source, diagnostic))
}

const lineStart = (source: SourceText, line: number): number => source.lineStarts[line] ?? source.text.length

/** The line, from 0, of an offset: the last one that begins at or before it, by binary search. */
export const lineAt = (source: SourceText, offset: number): number => {
  let low = 0
  let high = source.lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (lineStart(source, middle) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The offset behind a line's last character, its line break left out. */
const lineEnd = (source: SourceText, line: number): number => {
  const next = source.lineStarts[line + 1]
  if (next === undefined) return source.text.length
  return source.text[next - 2] === "\r" ? next - 2 : next - 1
}

/** Characters of a line that a frame shows. */
const SHOWN = 110

/** The line before, the line itself, and a mark under the span; of long lines the part around the place. */
const frame = (source: SourceText, line: number, column: number, span: Span): string => {
  if (source.text === "") return ""
  const from = column < SHOWN - 20 ? 0 : column - 40
  const width = String(line + 1).length
  const part = (index: number, first: number, last: number): string => {
    const start = lineStart(source, index)
    const end = lineEnd(source, index)
    return printable(source.text.slice(Math.min(start + first, end), Math.min(start + last, end)))
  }
  const row = (index: number): string =>
    `${String(index + 1).padStart(width + 2)} | ${part(index, from, from + SHOWN)}`.trimEnd()
  const length = Math.max(1, span.end - span.start)
  const before = part(line, from, column).length
  const under = part(line, column, Math.min(column + length, from + SHOWN)).length
  const mark = `${" ".repeat(width + 2)} | ${" ".repeat(before)}${"^".repeat(Math.max(1, under))}`
  return [...(line === 0 ? [] : [row(line - 1)]), row(line), mark].join("\n")
}

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

/**
 * The position in the file of a part of a text value. A value is not its source, letter by letter: quotes, escapes, folded
 * lines and indentation come between. Both are walked side by side, white space and backslashes of the source skipped.
 */
const spanWithin = (source: string, scalar: Span, value: string, part: Span): Span => {
  const start = sourceOffset(source, scalar, value, part.start)
  const last = sourceOffset(source, scalar, value, Math.max(part.start, part.end - 1))
  return { start, end: Math.max(start, last) + 1 }
}

const sourceOffset = (source: string, scalar: Span, value: string, offset: number): number => {
  let at = contentStart(source, scalar)
  let matched = at
  for (let index = 0; index <= Math.min(offset, value.length - 1); index += 1) {
    const character = value.charAt(index)
    if (isSpace(character)) continue
    const found = seek(source, at, scalar.end, character)
    if (found === -1) return matched
    matched = found
    at = found + 1
  }
  return matched
}

/** Behind an opening quote, or behind the line of a block scalar's indicator. */
const contentStart = (source: string, { start }: Span): number => {
  const first = source.charAt(start)
  if (first === '"' || first === "'") return start + 1
  if (first !== "|" && first !== ">") return start
  const lineEnd = source.indexOf("\n", start)
  return lineEnd === -1 ? start : lineEnd + 1
}

/** The next place of a character with nothing but white space, escapes and doubled quotes before it. */
const seek = (source: string, from: number, end: number, character: string): number => {
  for (let at = from; at < end; at += 1) {
    const here = source.charAt(at)
    if (here === character) return at
    if (!isSpace(here) && here !== "\\" && here !== "'") return -1
  }
  return -1
}

const isSpace = (character: string): boolean =>
  character === " " || character === "\n" || character === "\r" || character === "\t"
