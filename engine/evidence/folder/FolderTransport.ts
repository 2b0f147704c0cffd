import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { contentTypeOf } from "../../text/HttpValues.ts"
import { folderOf, percentDecoded } from "../../text/UrlPath.ts"
import { originOf } from "../Address.ts"
import { charsetInHtml } from "../BodyText.ts"
import type { Headers } from "../Exchange.ts"
import { type Hop, hopFault, type HopRequest, NOTHING_SENT, Transport } from "../Transport.ts"
import { filled, type HeaderRule, headersFor, parseHeaders, type PathPattern, pathPattern } from "./HeadersFile.ts"
import type { SiteFolder } from "./SiteFolder.ts"

/** A folder as a static host serves it. */
interface Served {
  readonly folder: SiteFolder
  readonly origin: string
  /** The path of the URL below which the folder is published, without a trailing slash; empty for the root. */
  readonly base: string
  readonly redirects: ReadonlyArray<RedirectRule>
  readonly headers: ReadonlyArray<HeaderRule>
}

/** Longest rule file that is read; hosts take 100 KB. */
const RULES_BYTES = 1_000_000

/**
 * Answers from a static build as its host would: index files, URLs without `.html`, `404.html`, and the rules of `_redirects` and `_headers` (Netlify,
 * Cloudflare Pages). Requests for what is outside the folder, and for what only a server shows, fail: neither counts as absent.
 */
export const folderTransport = (folder: SiteFolder, url: string): Layer.Layer<Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const [redirects, headers] = yield* Effect.all([rulesIn(folder, "_redirects"), rulesIn(folder, "_headers")])
      const served: Served = {
        folder,
        origin: originOf(url),
        base: folderOf(new URL(url).pathname).slice(0, -1),
        redirects: parseRedirects(redirects),
        headers: parseHeaders(headers)
      }
      return { send: (request) => answer(served, request) }
    })
  )

const rulesIn = (folder: SiteFolder, name: string): Effect.Effect<string> =>
  folder.has(name)
    ? Effect.map(folder.read(name, RULES_BYTES), (read) => (read === null ? "" : new TextDecoder().decode(read.body)))
    : Effect.succeed("")

const answer = (served: Served, request: HopRequest): Effect.Effect<Hop> => {
  const { agent, method, sentAs, url } = request.asked
  const { origin, pathname } = new URL(url)
  if (origin !== served.origin || !isWithin(served.base, pathname)) return Effect.succeed(NOT_IN_FOLDER)
  if (method !== "GET" || agent !== "docgauge" || sentAs !== undefined) return Effect.succeed(NO_SERVER)
  const path = percentDecoded(pathname.slice(served.base.length))
  return path === null ? respond(served, request, "", { status: 400, file: null }) : route(served, request, path)
}

const isWithin = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`)

/** Rules that are forced come first, then files, then the other rules, as on Netlify. */
const route = (served: Served, request: HopRequest, path: string): Effect.Effect<Hop> => {
  const rule = redirectFor(served.redirects, path)
  const found = fileAt(served.folder, path)
  if (rule !== null && (rule.force || found === null)) {
    if (rule.status !== 200 && rule.status !== 404)
      return respond(served, request, path, { status: rule.status, file: null, location: locationOf(served, rule.to) })
    const file = fileAt(served.folder, rule.to)
    if (file !== null && file !== "folder") return respond(served, request, path, { status: rule.status, file })
  }
  if (found === "folder")
    return respond(served, request, path, {
      status: 301,
      file: null,
      location: `${new URL(request.asked.url).pathname}/`
    })
  if (found !== null) return respond(served, request, path, { status: 200, file: found })
  return respond(served, request, path, { status: 404, file: served.folder.has("404.html") ? "404.html" : null })
}

/** Targets of rules are paths of the published site. */
const locationOf = ({ base }: Served, to: string): string =>
  to.startsWith("/") && !isWithin(base, to) ? `${base}${to}` : to

/** The file of a path; `folder`: one with an index file, whose URL ends with a slash; `null`: none. */
const fileAt = ({ has }: SiteFolder, path: string): string | null => {
  if (path === "") return has("index.html") ? "folder" : null
  const name = path.replace(/^\//, "")
  if (name === "" || name.endsWith("/")) return has(`${name}index.html`) ? `${name}index.html` : null
  return [name, `${name}.html`].find(has) ?? (has(`${name}/index.html`) ? "folder" : null)
}

interface Response {
  readonly status: number
  readonly file: string | null
  readonly location?: string
}

const respond = (
  { folder, headers }: Served,
  { limitBytes }: HopRequest,
  path: string,
  { file, location, status }: Response
): Effect.Effect<Hop> =>
  Effect.map(file === null ? Effect.succeed(EMPTY) : folder.read(file, limitBytes), (read): Hop => {
    if (read === null) return UNREADABLE
    const { body, bytes } = read
    const type = file === null ? null : typeOf(file, body)
    const own: Headers = [
      ...(type === null ? [] : [["content-type", type] as const]),
      ...(location === undefined ? [] : [["location", location] as const])
    ]
    const given = status === 200 ? headersFor(headers, path) : []
    const names = new Set(given.map(([name]) => name))
    return {
      _tag: "HopAnswer",
      status,
      headers: [...own.filter(([name]) => !names.has(name)), ...given],
      body,
      cut: bytes > limitBytes,
      wireBytes: bytes,
      meta: NOTHING_SENT
    }
  })

/** As static hosts send it, but without a charset for a page that declares another than UTF-8: its owner has a host that does so. */
const typeOf = (file: string, body: Uint8Array): string | null =>
  /\.html?$/i.test(file) && (charsetInHtml(body) ?? "utf-8") !== "utf-8" ? "text/html" : contentTypeOf(file)

const EMPTY = { body: new Uint8Array(), bytes: 0 }

const NOT_IN_FOLDER = hopFault("not_in_folder", "it is outside the folder")
const UNREADABLE = hopFault("needs_server", "the file cannot be read")
const NO_SERVER = hopFault("needs_server", "a folder does not show how a server answers")

/** A rule of `_redirects`. */
interface RedirectRule {
  readonly pattern: PathPattern
  /** Path or absolute URL, with `:name` and `:splat` where the path has them. */
  readonly to: string
  /** 301, 302, 303, 307 and 308 redirect; 200 answers with the target's file; 404 answers with it as an error page. */
  readonly status: number
  /** Whether it holds where there is a file, too (`301!`). */
  readonly force: boolean
}

/** What a redirect comes to for one path. */
interface RedirectTarget {
  readonly to: string
  readonly status: number
  readonly force: boolean
}

const STATUSES: ReadonlySet<number> = new Set([200, 301, 302, 303, 307, 308, 404])

/** Netlify takes 10,000 rules and Cloudflare 2,100. */
const MOST_RULES = 10_000

/**
 * Reads a `_redirects` file of Netlify or Cloudflare Pages: `from to [status[!]]`, one rule a line, `#` for comments. Rules with conditions
 * (`Country=`, query parameters) depend on who asks, and are left out.
 *
 * https://docs.netlify.com/routing/redirects/ · https://developers.cloudflare.com/pages/configuration/redirects/
 */
export const parseRedirects = (text: string): ReadonlyArray<RedirectRule> =>
  text
    .split(/\r?\n/, 2 * MOST_RULES)
    .flatMap((line) => ruleOf(line.trim()) ?? [])
    .slice(0, MOST_RULES)

const ruleOf = (line: string): RedirectRule | null => {
  const [from = "", ...words] = line
    .replace(/(?:^|\s)#.*$/, "")
    .trim()
    .split(/\s+/)
  if (!from.startsWith("/")) return null
  const [to = "", status = "301", ...conditions] = words
  const [, code = "", force = ""] = /^(\d{3})(!?)$/.exec(status) ?? []
  if (!/^(?:\/|https?:\/\/)/.test(to) || !STATUSES.has(Number(code)) || conditions.length > 0) return null
  return { pattern: pathPattern(from), to, status: Number(code), force: force === "!" }
}

/** The first rule that holds for a path. */
export const redirectFor = (rules: ReadonlyArray<RedirectRule>, path: string): RedirectTarget | null => {
  for (const { force, pattern, status, to } of rules) {
    const match = pattern(path)
    if (match !== null) return { to: filled(to, match), status, force }
  }
  return null
}
