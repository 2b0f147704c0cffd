import { filled, type PathPattern, pathPattern } from "./PathPattern.ts"

/** A rule of `_redirects`. */
export interface RedirectRule {
  readonly pattern: PathPattern
  /** Path or absolute URL, with `:name` and `:splat` where the path has them. */
  readonly to: string
  /** 301, 302, 303, 307 and 308 redirect; 200 answers with the target's file; 404 answers with it as an error page. */
  readonly status: number
  /** Whether it holds where there is a file, too (`301!`). */
  readonly force: boolean
}

/** What a redirect comes to for one path. */
export interface RedirectTarget {
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
