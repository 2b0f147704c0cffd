import { firstHeaderIn, type Headers, headerIn } from "./Headers.ts"

/** Headers by which a bot filter says that it answered in the site's place. */
export const CHALLENGE_HEADERS: ReadonlyArray<readonly [name: string, value: RegExp, vendor: string]> = [
  ["cf-mitigated", /challenge/i, "cloudflare"],
  ["x-amzn-waf-action", /challenge|captcha/i, "aws"],
  ["x-vercel-mitigated", /challenge|deny/i, "vercel"],
  ["x-sucuri-block", /./, "sucuri"]
]

/** Titles that no page of documentation has, whatever is on it. */
const CHALLENGE_TITLE =
  /<title[^>]{0,200}>\s{0,100}(?:just a moment\.\.\.|attention required! \| cloudflare|checking your browser|vercel security checkpoint|making sure you.{1,8}re not a bot|ddos-guard)/i

/** How far into a body its title is looked for, in bytes. */
const HEAD_BYTES = 4_096

/** Challenges are no longer than this, in bytes. */
const MOST_BYTES = 100_000

/** A bot filter answered in the site's place: by its headers, or by the title of the page that it sent. */
export const isChallenge = ({ body, headers }: { readonly headers: Headers; readonly body: Uint8Array }): boolean =>
  CHALLENGE_HEADERS.some(([name, value]) => value.test(firstHeaderIn(headers, name) ?? "")) || isChallengePage(body)

const isChallengePage = (body: Uint8Array): boolean => {
  if (body.byteLength > MOST_BYTES) return false
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, HEAD_BYTES)).toString("latin1")
  return CHALLENGE_TITLE.test(head)
}

/** Statuses of challenges, which bot filters also send with headers that ordinary responses have. */
const CHALLENGE_STATUSES = new Set([403, 429, 503])

/** The same for an error, where DataDome's header is enough. No wait ends a challenge, whatever its `Retry-After` says. */
export const isChallengeError = (answer: {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}): boolean =>
  CHALLENGE_STATUSES.has(answer.status) && (isChallenge(answer) || headerIn(answer.headers, "x-datadome") !== null)
