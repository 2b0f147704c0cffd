/** A robots.txt as RFC 9309 reads it: at most its first 500 KiB. */
export interface RobotsFile {
  /** In the order of the file. */
  readonly groups: ReadonlyArray<RobotsGroup>
  /** `Sitemap:` values as written, in order, each once. */
  readonly sitemaps: ReadonlyArray<string>
}

interface RobotsGroup {
  /** Product tokens, lower case, without versions; `*` for everyone. */
  readonly agents: ReadonlyArray<string>
  readonly rules: ReadonlyArray<RobotsRule>
  /** Values of `Content-Signal:` lines, as written. */
  readonly signals: ReadonlyArray<string>
  /** Other lines for these agents as `key: value`, the key in lower case: `crawl-delay: 5`. */
  readonly others: ReadonlyArray<string>
}

interface RobotsRule {
  readonly kind: "allow" | "disallow"
  /** As written; never empty. `*` is any run of characters, `$` at the end is the end of the URL. */
  readonly path: string
}

/** RFC 9309 §2.5: crawlers read at least 500 KiB, and usually no more. In characters, the same in ASCII. */
const LIMIT_CHARACTERS = 500 * 1024

/** Misspellings that the large crawlers forgive. */
const KEYS: Readonly<Record<string, string>> = {
  "user-agent": "user-agent",
  useragent: "user-agent",
  "user agent": "user-agent",
  allow: "allow",
  disallow: "disallow",
  dissallow: "disallow",
  dissalow: "disallow",
  disalow: "disallow",
  diasllow: "disallow",
  disallaw: "disallow",
  sitemap: "sitemap",
  "site-map": "sitemap",
  "content-signal": "content-signal",
  "content-usage": "content-signal"
}

/** Extensions for the whole file, whatever group they are in. */
const OF_THE_FILE = new Set(["host", "clean-param", "llms-txt", "llms"])

/** Reads any text as robots.txt. Lines end in CR, LF or both; a byte order mark is skipped. */
export const parseRobots = (text: string): RobotsFile => {
  const reader = new Reader()
  for (const line of text
    .slice(0, LIMIT_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/))
    reader.read(line)
  return { groups: reader.groups, sitemaps: [...reader.sitemaps] }
}

interface OpenGroup {
  readonly agents: Array<string>
  readonly rules: Array<RobotsRule>
  readonly signals: Array<string>
  readonly others: Array<string>
}

/** White space in robots.txt is ASCII's: `String.trim` would take a stray byte order mark or a no-break space with it. */
const trimmed = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/**
 * Groups open with consecutive `User-agent` lines, close with the first of those after a rule (RFC 9309 §2.1). Lines of
 * extensions never close one (§2.2.4).
 */
class Reader {
  readonly groups: Array<OpenGroup> = []
  /** The group that rules go to; `null` before the first `User-agent` line. */
  current: OpenGroup | null = null
  readonly sitemaps = new Set<string>()
  namingAgents = false

  read(line: string): void {
    const comment = line.indexOf("#")
    const content = trimmed(comment < 0 ? line : line.slice(0, comment))
    const colon = content.indexOf(":")
    if (colon <= 0) return
    const key = trimmed(content.slice(0, colon)).toLowerCase()
    this.record(Object.hasOwn(KEYS, key) ? (KEYS[key] ?? key) : key, trimmed(content.slice(colon + 1)))
  }

  record(key: string, value: string): void {
    switch (key) {
      case "user-agent":
        return this.nameAgent(value)
      case "allow":
      case "disallow":
        return this.addRule(key, value)
      case "content-signal":
        return this.addSignal(value)
      case "sitemap":
        if (value !== "") this.sitemaps.add(value)
        return
      default:
        if (!OF_THE_FILE.has(key)) this.current?.others.push(`${key}: ${value}`)
    }
  }

  nameAgent(value: string): void {
    if (!this.namingAgents || this.current === null) this.current = this.addGroup()
    this.namingAgents = true
    this.current.agents.push(productToken(value))
  }

  addRule(kind: RobotsRule["kind"], path: string): void {
    this.namingAgents = false
    if (path !== "") this.current?.rules.push({ kind, path })
  }

  /** A signal before any group is the whole file's: sites write it so, and it is a policy all the same. */
  addSignal(value: string): void {
    const group = this.groups.at(-1) ?? this.addGroup("*")
    group.signals.push(value)
  }

  addGroup(...agents: Array<string>): OpenGroup {
    const group: OpenGroup = { agents, rules: [], signals: [], others: [] }
    this.groups.push(group)
    return group
  }
}

/**
 * `GPTBot/1.2 (+https://…)` names `gptbot`. Agents are compared by it, whatever the case. `*` is everyone, also with
 * more behind a blank; `*MJ12bot*` names no crawler.
 */
export const productToken = (agent: string): string => {
  const name = trimmed(agent).toLowerCase()
  return /^\*(?:\s|$)/.test(name) ? "*" : (/^[a-z0-9_.!-]+/.exec(name)?.[0] ?? name)
}

/** The rules for an agent: all groups that name it as one; where none does, those for everyone (RFC 9309 §2.2.1). */
const rulesFor = (file: RobotsFile, agent: string): ReadonlyArray<RobotsRule> => {
  const token = productToken(agent)
  const own = file.groups.filter((group) => group.agents.includes(token))
  return (own.length > 0 ? own : file.groups.filter((group) => group.agents.includes("*"))).flatMap(
    ({ rules }) => rules
  )
}

/** A group names the agent, whatever it says about it. */
export const names = (file: RobotsFile, agent: string): boolean => {
  const token = productToken(agent)
  return file.groups.some((group) => group.agents.includes(token))
}

/** The longest matching rule decides, `allow` among equals; where none matches, the URL is open (§2.2.2). */
export const allows = (file: RobotsFile, agent: string, url: string): boolean => {
  const target = comparable(targetOf(url).replaceAll("*", "%2A").replaceAll("$", "%24"))
  if (target === "/robots.txt") return true
  let longest = -1
  let allowed = true
  for (const { kind, path } of rulesFor(file, agent)) {
    const pattern = comparable(path.replace(/\$(?!$)/g, "%24"))
    if (pattern.length < longest || !matches(pattern, target)) continue
    allowed = kind === "allow" || (pattern.length === longest && allowed)
    longest = pattern.length
  }
  return allowed
}

const targetOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "/" : `${parsed.pathname}${parsed.search}`
}

/**
 * Percent-encoding made comparable (§2.2.2): what is not ASCII is encoded, unreserved characters are not, escapes are
 * upper case. In a query the delimiters of the parts before it may be written either way.
 */
const comparable = (path: string): string => {
  const encoded = path.replace(/[^\x21-\x7e]+/gu, (run) => encodeURIComponent(run.toWellFormed()))
  const query = encoded.indexOf("?")
  return encoded.replace(/%[0-9a-f]{2}/gi, (escape, at: number) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return UNRESERVED.test(character) || (query >= 0 && at > query && GENERAL_DELIMITER.test(character))
      ? character
      : escape.toUpperCase()
  })
}

const UNRESERVED = /[A-Za-z0-9._~-]/
const GENERAL_DELIMITER = /[:/?#[\]@]/

/**
 * Whether the pattern matches a beginning of the target. Each literal between stars takes its first place after the
 * one before it, which never misses a match: no backtracking.
 */
export const matches = (pattern: string, target: string): boolean => {
  const anchored = pattern.endsWith("$")
  const [first = "", ...rest] = (anchored ? pattern.slice(0, -1) : pattern).split("*")
  if (!target.startsWith(first)) return false
  const last = anchored ? rest.pop() : undefined
  let at = first.length
  for (const literal of rest) {
    const found = target.indexOf(literal, at)
    if (found < 0) return false
    at = found + literal.length
  }
  if (!anchored) return true
  return last === undefined ? at === target.length : target.length - last.length >= at && target.endsWith(last)
}
