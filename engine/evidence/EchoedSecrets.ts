import type { Headers } from "./Headers.ts"

/** What is written in place of a secret; it may stand in a URL, a header or a page. */
const REMOVED = "REDACTED"

/** Of the beginning of a secret at the end of a body. */
const SHORTEST_BEGINNING = 4

/** Removes secrets from what a server answers. */
export interface SecretRemoval {
  readonly fromHeaders: (headers: Headers) => Headers
  /** `cut`: the body is only the beginning of what was sent, so that a secret may begin at its end. */
  readonly fromBody: (body: Uint8Array, cut: boolean) => Uint8Array
}

/**
 * Some previews echo the headers of a request. Their logins must not get into a report or an archive, in any form in which a page
 * may quote them.
 */
export const secretRemoval = (secrets: ReadonlyArray<string>): SecretRemoval => {
  const forms = [...new Set(secrets.filter(isDistinct).flatMap(formsOf))].sort((one, other) => other.length - one.length)
  // A header's bytes beyond ASCII are sent as Latin-1, and a page quotes them as UTF-8 or as they came.
  const bytes = [...new Set(forms.flatMap((form) => [Buffer.from(form, "utf8").toString("latin1"), Buffer.from(form, "latin1").toString("latin1")]))]
    .map((form) => Buffer.from(form, "latin1"))
  if (forms.length === 0) return { fromHeaders: (headers) => headers, fromBody: (body) => body }
  return {
    fromHeaders: (headers) => headers.map(([name, value]) => [name, forms.reduce((text, form) => text.replaceAll(form, REMOVED), value)] as const),
    fromBody: (body, cut) => {
      const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      const whole = bytes.reduce(withoutForm, view)
      const clean = cut ? withoutBeginning(whole, bytes) : whole
      return clean === view ? body : clean
    }
  }
}

/** Words and short values, such as a password `preview`, are found in ordinary text: removing them would change what is audited. */
const isDistinct = (secret: string): boolean => secret.length >= 16 || (secret.length >= 8 && !/^[a-z]*$/i.test(secret))

const formsOf = (secret: string): ReadonlyArray<string> => {
  const encoded = encodeURIComponent(secret)
  const base64 = Buffer.from(secret, "utf8").toString("base64")
  const quoted = JSON.stringify(secret).slice(1, -1)
  const escaped = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return [
    secret,
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replaceAll("%20", "+"),
    encodeURI(secret),
    base64,
    encodeURIComponent(base64),
    base64.replaceAll("=", ""),
    Buffer.from(secret, "utf8").toString("base64url"),
    quoted,
    quoted.replaceAll("/", "\\/"),
    escaped,
    escaped.replaceAll("\"", "&quot;").replaceAll("'", "&#39;"),
    escaped.replaceAll("\"", "&#34;").replaceAll("'", "&#x27;")
  ]
}

const withoutForm = (body: Buffer, form: Buffer): Buffer => {
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (let at = body.indexOf(form); at !== -1; at = body.indexOf(form, from)) {
    pieces.push(body.subarray(from, at), Buffer.from(REMOVED))
    from = at + form.length
  }
  return from === 0 ? body : Buffer.concat([...pieces, body.subarray(from)])
}

/** Without the beginning of a secret at the end of a body that was cut there. */
const withoutBeginning = (body: Buffer, forms: ReadonlyArray<Buffer>): Buffer => {
  const longest = Math.max(...forms.map((form) => lengthOfBeginning(body, form)))
  return longest === 0 ? body : Buffer.concat([body.subarray(0, body.length - longest), Buffer.from(REMOVED)])
}

const lengthOfBeginning = (body: Buffer, form: Buffer): number => {
  for (let length = Math.min(form.length - 1, body.length); length >= SHORTEST_BEGINNING; length--) {
    if (body.subarray(body.length - length).equals(form.subarray(0, length))) return length
  }
  return 0
}
