/** Elements whose text is no markup. */
const RAW = new Set(["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"])

const TAG_NAME = /<\/?([a-z][^\t\n\f\r />]*)/y

/** Elements that a head may hold; any other, and any text, begins the body. */
const IN_HEAD = new Set([
  "base",
  "basefont",
  "bgsound",
  "head",
  "html",
  "link",
  "meta",
  "noframes",
  "noscript",
  "script",
  "style",
  "template",
  "title"
])

/** Start tags that tell a page from a piece of HTML. */
const PAGE_SIGNS = new Set(["head", "html", "meta", "title"])

/** End tags that begin the body where they are found in a head. */
const BODY_ENDS = new Set(["body", "br", "html"])

const UTF8_MARK = "\xef\xbb\xbf"

/**
 * Where the head of an HTML page ends: before `</head>` or, where that is left out, before what can only be in the body (HTML, section
 * 13.2.6.4.4). `html`: one character for each byte. -1: it has no head, or does not say that it is a page.
 */
export const headEnd = (html: string): number => {
  const lower = html.toLowerCase()
  // What a template has is no part of the page.
  let templates = 0
  let isPage = false
  let at = past(lower, SPACE, lower.startsWith(UTF8_MARK) ? UTF8_MARK.length : 0)
  while (at !== -1 && at < lower.length) {
    const name = nameAt(lower, at)
    const isEnd = lower[at + 1] === "/"
    const isText = name === null && !OTHER.test(lower.slice(at, at + 2))
    if (templates === 0 && isEnd && name === "head") return at
    if (templates === 0 && (isText || beginsBody(name, isEnd))) return isPage || name === "body" ? at : -1
    isPage ||= name === null ? lower.startsWith("<!doctype", at) : !isEnd && PAGE_SIGNS.has(name)
    const end = name === null ? afterOther(lower, at) : afterTag(lower, at + name.length + (isEnd ? 2 : 1))
    if (end === -1) return -1
    if (name === "template") templates = Math.max(0, templates + (isEnd ? -1 : 1))
    const next = name !== null && !isEnd && RAW.has(name) ? endTag(lower, name, end) : end
    if (next === -1) return -1
    at = templates > 0 ? lower.indexOf("<", next) : past(lower, SPACE, next)
  }
  return -1
}

/** Whether a tag begins the body: other end tags than these are ignored. `null`: a comment or a declaration. */
const beginsBody = (name: string | null, isEnd: boolean): boolean =>
  name !== null && (isEnd ? BODY_ENDS.has(name) : !IN_HEAD.has(name))

/** What begins with these is a comment or a declaration. */
const OTHER = /^<[!?/]/

/** The name of the tag that begins at an offset; `null`: none begins there. */
const nameAt = (html: string, at: number): string | null => {
  TAG_NAME.lastIndex = at
  return TAG_NAME.exec(html)?.[1] ?? null
}

/** Past a comment, a declaration, or a `<` that is text; -1: it does not end. */
const afterOther = (html: string, at: number): number => {
  if (html.startsWith("<!--", at)) return after(html, /--!?>/g, at + 2)
  return OTHER.test(html.slice(at, at + 2)) ? after(html, />/g, at) : at + 1
}

const after = (html: string, end: RegExp, from: number): number => {
  end.lastIndex = from
  return end.test(html) ? end.lastIndex : -1
}

/** Past the `>` of a tag, as a tokenizer finds it (HTML, section 13.2.5): not one in the quotes of a value; -1: it does not end. `from`: past its name. */
const afterTag = (html: string, from: number): number => {
  let at = past(html, BETWEEN, from)
  while (at < html.length && html[at] !== ">") {
    at = past(html, SPACE, past(html, ATTRIBUTE_NAME, at))
    if (html[at] === "=") {
      at = past(html, SPACE, at + 1)
      const quote = html[at]
      if (quote === '"' || quote === "'") at = html.indexOf(quote, at + 1) + 1
      else at = past(html, BARE_VALUE, at)
      if (at === 0) return -1
    }
    at = past(html, BETWEEN, at)
  }
  return at < html.length ? at + 1 : -1
}

const SPACE = /[\t\n\f\r ]*/y
const BETWEEN = /[\t\n\f\r /]*/y
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y
const BARE_VALUE = /[^\t\n\f\r >]*/y

/** The end of what a pattern matches at an offset. */
const past = (html: string, pattern: RegExp, at: number): number => {
  pattern.lastIndex = at
  pattern.test(html)
  return pattern.lastIndex
}

/** Where the end tag of an element without markup begins. */
const endTag = (html: string, name: string, from: number): number => {
  for (let at = html.indexOf(`</${name}`, from); at !== -1; at = html.indexOf(`</${name}`, at + 1)) {
    if (/^[\t\n\f\r />]$/.test(html[at + name.length + 2] ?? "")) return at
  }
  return -1
}

/** A snippet without characters beyond ASCII, which means the same in every charset that a page may have. */
const inAscii = (snippet: string): string =>
  snippet
    .split("\n")
    .map((line) =>
      line.startsWith("<script")
        ? line.replaceAll(/[^\0-\x7f]/g, escapeUnit)
        : line.replaceAll(/[^\0-\x7f]/gu, characterReference)
    )
    .join("\n")

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

const characterReference = (character: string): string => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`

/** Whether the bytes of ASCII mean ASCII in a charset: ISO-2022-JP switches to two bytes a character, and what looks like a tag there may be text. */
export const isAsciiBased = (charset: string): boolean => !/^(?:utf-16|iso-2022)/i.test(charset)

/** The page with a snippet at the end of its head; `null` if it has no head that can be found, or a charset that is not made of ASCII. */
export const withHead = (body: Uint8Array, snippet: string, charset: string): Uint8Array | null => {
  // Latin 1 has a character for each byte, so offsets are those of the bytes.
  const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  const at = isAsciiBased(charset) ? headEnd(html) : -1
  return at === -1
    ? null
    : Buffer.concat([body.subarray(0, at), Buffer.from(inAscii(snippet), "ascii"), body.subarray(at)])
}
