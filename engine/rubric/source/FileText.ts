import type { Diagnostic, Span } from "./SourceText.ts"

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
