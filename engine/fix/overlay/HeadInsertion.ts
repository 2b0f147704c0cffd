/** Elements whose text is no markup. */
const RAW = /^<(script|style|title|noscript|template|textarea)[\s>/]/i

/** Names longer than these are no elements that end or begin the parts of a page. */
const TAG_CHARACTERS = 16

/** Where the head of an HTML page ends: before `</head>` or, where that is left out, before the body; -1 if neither is written. */
export const headEnd = (html: string): number => {
  const lower = html.toLowerCase()
  for (let at = lower.indexOf("<"); at !== -1; at = lower.indexOf("<", at)) {
    const tag = lower.slice(at, at + TAG_CHARACTERS)
    if (/^<\/head[\s>]/.test(tag) || /^<body[\s>]/.test(tag)) return at
    const raw = RAW.exec(tag)?.[1]
    const end = tag.startsWith("<!--") ? lower.indexOf("-->", at + 4) : raw === undefined ? at + 1 : lower.indexOf(`</${raw}`, at + 1)
    if (end === -1) return -1
    at = end + (raw === undefined ? 0 : 1)
  }
  return -1
}

/** A snippet without characters beyond ASCII, which means the same in every charset that a page may have. */
const inAscii = (snippet: string): string =>
  snippet.split("\n").map((line) => line.startsWith("<script") ? line.replaceAll(/[^\0-\x7f]/g, escapeUnit) : line.replaceAll(/[^\0-\x7f]/gu, characterReference)).join("\n")

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

const characterReference = (character: string): string => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`

/** The page with a snippet at the end of its head; `null` if it has no head that can be found, or a charset that is not made of ASCII. */
export const withHead = (body: Uint8Array, snippet: string): Uint8Array | null => {
  // Latin 1 has a character for each byte, so offsets are those of the bytes.
  const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  if (html.startsWith("\xff\xfe") || html.startsWith("\xfe\xff")) return null
  const at = headEnd(html)
  return at === -1 ? null : Buffer.concat([body.subarray(0, at), Buffer.from(inAscii(snippet), "ascii"), body.subarray(at)])
}
