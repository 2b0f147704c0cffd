import { ResultType, Sniffer } from "encoding-sniffer/sniffer"
import iconv from "iconv-lite"
import { type Answer, header, mediaType } from "./Exchange.ts"

export interface DecodedText {
  /** Without a byte order mark; bytes that the charset does not have are U+FFFD. */
  readonly text: string
  /** The charset it was read as, by its name in the Encoding Standard, in lower case, such as `euc-kr`. */
  readonly charset: string
  /**
   * Where the charset was declared; `meta` is a declaration in the document itself: `<meta charset>`, its `http-equiv`
   * form, or the XML declaration. `none`: nowhere that counts, and it was read as UTF-8.
   */
  readonly declared: "bom" | "header" | "meta" | "none"
}

const known = new WeakMap<Answer, DecodedText>()

/** What `openingOf` reads of a body. A longer one is decoded again each time but the last: an audit may hold 100 MB of them. */
export const OPENING_BYTES = 512 * 1024

let last: readonly [answer: WeakRef<Answer>, decoded: DecodedText] | null = null

/** The body of an answer as text, by byte order mark, `Content-Type`, the document's own declaration, or else UTF-8. */
export const textOf = (answer: Answer): DecodedText => {
  const before = known.get(answer) ?? (last?.[0].deref() === answer ? last[1] : undefined)
  if (before !== undefined) return before
  const decoded = decodeText(answer.body, mediaType(answer), header(answer, "content-type") ?? "")
  if (answer.body.byteLength <= OPENING_BYTES) known.set(answer, decoded)
  else last = [new WeakRef(answer), decoded]
  return decoded
}

/** The text of a long body's first 512 KB, of any other the whole: enough to see what kind of answer it is. */
export const openingOf = (answer: Answer): string =>
  answer.body.byteLength <= OPENING_BYTES
    ? textOf(answer).text
    : decodeText(answer.body.subarray(0, OPENING_BYTES), mediaType(answer), header(answer, "content-type") ?? "").text

/** The charset that an HTML document declares itself, by a byte order mark or in its head; `null`: none. */
export const charsetInHtml = (body: Uint8Array): string | null =>
  (bomOf(body) ?? ownCharset(body, "text/html"))?.charset ?? null

/** The charset that an HTML document is read as, by its bytes and its `Content-Type`. */
export const charsetOfHtml = (body: Uint8Array, contentType: string): string =>
  declarationOf(body, "text/html", contentType).charset

type Declaration = Omit<DecodedText, "text">

/** The first `bytes` bytes of the body as text, in the charset of the whole, without a last character that they cut. */
export const beginningOf = (answer: Answer, bytes: number): string => {
  const { charset } = declarationOf(answer.body, mediaType(answer), header(answer, "content-type") ?? "")
  const text = decode(answer.body.subarray(0, bytes), charset)
  return answer.body.length > bytes ? text.replace(/\ufffd$/, "") : text
}

const decodeText = (body: Uint8Array, type: string, contentType: string): DecodedText => {
  const { charset, declared } = declarationOf(body, type, contentType)
  return { text: decode(body, charset), charset, declared }
}

const declarationOf = (body: Uint8Array, type: string, contentType: string): Declaration =>
  bomOf(body) ?? headerCharset(contentType) ?? ownCharset(body, type) ?? { charset: "utf-8", declared: "none" }

const bomOf = ([first, second, third]: Uint8Array): Declaration | null => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { charset: "utf-8", declared: "bom" }
  if (first === 0xfe && second === 0xff) return { charset: "utf-16be", declared: "bom" }
  return first === 0xff && second === 0xfe ? { charset: "utf-16le", declared: "bom" } : null
}

const headerCharset = (contentType: string): Declaration | null => {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;",]+))/i.exec(contentType) ?? []
  const label = quoted ?? bare
  const charset = label === undefined ? null : canonical(label)
  return charset === null ? null : { charset, declared: "header" }
}

/** Only documents that can declare a charset are searched for one: Markdown may well have an example of it. */
const DECLARING = /^$|html|xml$/

/** The HTML standard's prescan ends here. */
const PRESCAN_BYTES = 1024

const ownCharset = (body: Uint8Array, type: string): Declaration | null => {
  if (!DECLARING.test(type)) return null
  const opening = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, OPENING_BYTES))
  return sniffed(opening, PRESCAN_BYTES) ?? (type.endsWith("xml") ? null : sniffed(opening, headLength(opening)))
}

/** Browsers read the whole head, and begin again with a charset that they find beyond the prescan. 0: where it ends is not known. */
const headLength = (opening: Buffer): number =>
  Math.max(0, opening.toString("latin1").search(/<\/head[\s>]|<body[\s>]/i))

const sniffed = (opening: Buffer, maxBytes: number): Declaration | null => {
  const sniffer = new Sniffer({ maxBytes, defaultEncoding: "utf-8" })
  try {
    sniffer.write(opening.subarray(0, maxBytes))
  } catch {
    // It makes a string of a value by a call with as many arguments, so a name of 100,000 bytes fails; no charset has one.
    return null
  }
  const charset = sniffer.resultType === ResultType.DEFAULT ? null : canonical(sniffer.encoding)
  return charset === null ? null : { charset, declared: "meta" }
}

/** The standard's name for a charset's label; `null` if it is not a known label. */
const canonical = (label: string): string | null => {
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return null
  }
}

/** Charsets that Node's decoder knows only in part: the standard's EUC-KR and Big5 are larger than its own. */
const LARGER: Readonly<Record<string, string>> = { "euc-kr": "cp949", big5: "big5-hkscs" }

const decode = (body: Uint8Array, charset: string): string => {
  const larger = LARGER[charset]
  return larger === undefined
    ? new TextDecoder(charset).decode(body)
    : iconv.decode(Buffer.from(body.buffer, body.byteOffset, body.byteLength), larger)
}
