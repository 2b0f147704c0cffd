/**
 * One request and what came of it. Exchanges are plain data: a plugin reads them, the archive keeps them, the report
 * cites them. What differs from one run to the next for the same answer (timing, connected address) is in the journal
 * (`JournalEntry`), where no plugin can see it.
 */
export type Exchange = Answer | Fault

/** Which of our two `User-Agent`s a request carries: our own, or the one for comparing with what browsers get. */
export type Agent = "docgauge" | "browser"

/** An agent of somebody else's that a request is sent as, for the owner of the site (`--as-agents`). */
export interface AskedAs {
  /** Our name of it, such as `claude-code`. */
  readonly id: string
  readonly userAgent: string
}

/** What was asked for: everything that tells one request from another. */
export interface Asked {
  readonly method: "GET" | "POST"
  /** Absolute, normalised (`normalise` in `Address.ts`), without a fragment. */
  readonly url: string
  readonly accept: string
  readonly agent: Agent
  /** Its `User-Agent` is sent instead of that of `agent`; missing in every request of an audit itself. */
  readonly sentAs?: AskedAs
  /** Sent as `application/json`; only with `POST`. */
  readonly body?: string
}

/** A redirect that was followed on the way to an answer. */
export interface Redirect {
  readonly url: string
  readonly status: number
  /** The absolute URL it led to. */
  readonly location: string
}

/** An HTTP answer, after redirects, its body decompressed. */
export interface Answer {
  readonly _tag: "Answer"
  readonly asked: Asked
  /** The URL that answered, after redirects. */
  readonly url: string
  readonly status: number
  /** As received, names in lower case, repeated names kept apart, in order. */
  readonly headers: Headers
  readonly body: Uint8Array
  /** True where the body was longer than the limit and `body` holds only its beginning. */
  readonly cut: boolean
  /** Bytes of the body as sent, before decompression. */
  readonly wireBytes: number
  readonly redirects: ReadonlyArray<Redirect>
}

/** Why there may be no answer. A plain list, not a schema: the parsing threads read this file, and a schema costs each of them 30 MB. */
export const FAULT_KINDS = [
  /** The URL is not on the audited site; it was not contacted. */
  "off_site",
  /** Not http(s), user info in it, a forbidden port: not contacted. */
  "bad_address",
  /** The name or the peer is not a public address: not contacted. */
  "not_public",
  /** An operator of the service has blocked the site: not contacted. */
  "blocked",
  /** robots.txt of its host forbids docgauge, by name, to fetch it: not contacted. */
  "shut_out",
  "dns",
  "refused",
  "tls",
  "connect_timeout",
  "first_byte_timeout",
  "stalled",
  "exchange_timeout",
  /** The connection ended before the answer did. */
  "reset",
  /** The answer is not HTTP, its content encoding does not decode, or far more was sent than its body. */
  "malformed",
  "too_many_redirects",
  "redirect_loop",
  /** The caller's reservation of requests or bytes is used up. */
  "budget",
  /** The audit received all bytes that it may. */
  "too_many_bytes",
  /** The audit sent all requests that it may. */
  "too_many_requests",
  /** Gathering time is over. */
  "deadline",
  /** The host let too many requests run out of time: it is asked no more. */
  "unresponsive",
  /** The host limits the rate for longer than gathering lasts: it is asked no more. */
  "rate_limited",
  /** Replaying: the archive does not have it. */
  "not_recorded",
  /** Replaying: the archive holds only the beginning of the body, to keep to its size limit. */
  "archive_cut",
  /** Auditing a folder: it is outside it. */
  "not_in_folder",
  /** Auditing a folder: only a server would show it. */
  "needs_server"
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** A request that got no answer. */
export interface Fault {
  readonly _tag: "Fault"
  readonly asked: Asked
  /** The URL that failed: the last hop's, where redirects came before. */
  readonly url: string
  readonly kind: FaultKind
  /** One plain clause for people, without the URL, such as "no answer within 15 s". */
  readonly message: string
  readonly redirects: ReadonlyArray<Redirect>
}

export const isAnswer = (exchange: Exchange): exchange is Answer => exchange._tag === "Answer"

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A 2xx answer. */
export const isOk = (exchange: Exchange): exchange is Answer => isAnswer(exchange) && isSuccess(exchange.status)

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Redirects that keep the method and the body: a POST follows only these. */
const KEEPING = new Set([307, 308])

/** The `Location` of a redirect that is followed (RFC 9110 §15.4); `null` for any other answer. */
export const redirectLocation = (
  method: Asked["method"],
  { headers, status }: Pick<Answer, "headers" | "status">
): string | null => ((method === "POST" ? KEEPING : REDIRECTS).has(status) ? firstHeaderIn(headers, "location") : null)

/** Statuses that pass: the same request may get another answer later. */
const PASSING = new Set([408, 425, 429])

/** The site refuses to answer us; it may answer others. */
export const REFUSING = new Set([401, 402, 403, 407, 451])

/** Faults that are the site's answer, as far as there is one. */
const OF_THE_SITE: ReadonlySet<FaultKind> = new Set<FaultKind>(["off_site", "bad_address"])

/** The site refused, or leads nowhere, whenever it is asked. */
const LASTING: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "not_public",
  "shut_out",
  "redirect_loop",
  "too_many_redirects",
  "not_in_folder"
])

/**
 * The response is missing: 429, 5xx, a bot challenge, a timeout, a failed connection, or a request that a budget did not
 * reach. It says nothing about the site, and another audit may get it.
 */
export const isMissing = (exchange: Exchange): boolean =>
  isAnswer(exchange)
    ? PASSING.has(exchange.status) || exchange.status >= 500 || isChallenge(exchange)
    : !OF_THE_SITE.has(exchange.kind) && !LASTING.has(exchange.kind)

/** Limits of our own: of requests, bytes or time, of an archive, or of what an older audit asked for. */
const OUR_LIMITS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "budget",
  "too_many_bytes",
  "too_many_requests",
  "deadline",
  "archive_cut",
  "not_recorded"
])

/** The response, or the rest of it, is missing because of a limit of ours: no owner of a site can change that. */
export const isOurLimit = (exchange: Exchange): boolean =>
  isAnswer(exchange) ? exchange.cut && !isMissing(exchange) : OUR_LIMITS.has(exchange.kind)

/** The response is missing because a folder was audited, not because something went wrong on the way. */
export const isForServer = (exchange: Exchange): boolean => !isAnswer(exchange) && exchange.kind === "needs_server"

/**
 * The evidence could not be fetched: the response is missing, or the site refused it. The site's own 404 and 410 are
 * evidence, and so is a URL on another site.
 */
export const isUnobtainable = (exchange: Exchange): boolean =>
  isMissing(exchange) || isRefusal(exchange) || (!isAnswer(exchange) && LASTING.has(exchange.kind))

/** The site refuses what was asked for. */
export const isRefusal = (exchange: Exchange): exchange is Answer =>
  isAnswer(exchange) && REFUSING.has(exchange.status) && !isMissing(exchange)

/** The site says that there is nothing at the URL. */
export const isGone = (exchange: Exchange): exchange is Answer =>
  isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410)

/** A 403 of the site itself, and not of a bot filter before it. */
export const isForbidden = (exchange: Exchange): exchange is Answer =>
  isAnswer(exchange) && exchange.status === 403 && !isChallengeError(exchange)

/** An answer whose text was read in part, as what makes facts uncertain. */
export const cutShort = (answer: Answer): Answer => ({ ...answer, cut: true })

/** The value of a header, repeated ones joined by `, `; `null` where it is missing. */
export const header = (answer: Pick<Answer, "headers">, name: string): string | null => headerIn(answer.headers, name)

/** The media type in lower case without parameters; empty where there is none. */
export const mediaType = (answer: Pick<Answer, "headers">): string =>
  (header(answer, "content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

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

/** Headers as received: names in lower case, repeated names kept apart, in order. */
export type Headers = ReadonlyArray<readonly [name: string, value: string]>

/** The values of a header, joined by `, ` as RFC 9110 (§5.3) has it; `null` where it is missing. */
export const headerIn = (headers: Headers, name: string): string | null => {
  const values = headers.flatMap(([key, value]) => (key === name ? [value] : []))
  return values.length === 0 ? null : values.join(", ")
}

/** The first value of a header that has one value only, such as `Location`; `null` where it is missing. */
export const firstHeaderIn = (headers: Headers, name: string): string | null =>
  headers.find(([key]) => key === name)?.[1] ?? null
