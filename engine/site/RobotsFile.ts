/** A robots.txt as RFC 9309 reads it: at most its first 500 KiB. */
export interface RobotsFile {
  /** In the order of the file. */
  readonly groups: ReadonlyArray<RobotsGroup>
  /** `Sitemap:` values as written, in order, each once. */
  readonly sitemaps: ReadonlyArray<string>
  /** Lines that RFC 9309 or a known extension gives a meaning. */
  readonly recognised: number
  /** Lines that are neither empty, nor comments, nor `key: value`, and rules that belong to no group. */
  readonly malformed: number
  /** `key: value` lines whose key nobody knows. */
  readonly unknown: number
  /** The file was longer than 500 KiB. */
  readonly cut: boolean
}

export interface RobotsGroup {
  /** Product tokens, lower case, without versions; `*` for everyone. */
  readonly agents: ReadonlyArray<string>
  readonly rules: ReadonlyArray<RobotsRule>
  /** Values of `Content-Signal:` lines, as written. */
  readonly signals: ReadonlyArray<string>
}

export interface RobotsRule {
  readonly kind: "allow" | "disallow"
  /** As written; never empty. `*` is any run of characters, `$` at the end is the end of the address. */
  readonly path: string
}

/** RFC 9309 §2.5: at least 500 KiB must be read; nobody reads more. In characters, which ASCII makes the same. */
const LIMIT_CHARACTERS = 500 * 1024

/** Misspellings that the large crawlers forgive. */
const KEYS: Readonly<Record<string, string>> = {
  "user-agent": "user-agent", "useragent": "user-agent", "user agent": "user-agent",
  "allow": "allow",
  "disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow",
  "sitemap": "sitemap", "site-map": "sitemap",
  "content-signal": "content-signal", "content-usage": "content-signal"
}

/** Extensions with a meaning that no criterion needs. */
const EXTENSIONS = new Set(["crawl-delay", "host", "clean-param", "request-rate", "visit-time", "noindex", "nofollow", "llms-txt", "llms"])

/** Reads any text as robots.txt. Lines end in CR, LF or both; a byte order mark is skipped. */
export const parseRobots = (text: string): RobotsFile => {
  const reader = new Reader()
  for (const line of text.slice(0, LIMIT_CHARACTERS).replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) reader.read(line)
  return { ...reader.file(), cut: text.length > LIMIT_CHARACTERS }
}

interface OpenGroup {
  readonly agents: Array<string>
  readonly rules: Array<RobotsRule>
  readonly signals: Array<string>
}

/** Groups open with consecutive `User-agent` lines, close with the first of those after a rule (RFC 9309 §2.1). */
class Reader {
  readonly groups: Array<OpenGroup> = []
  readonly sitemaps = new Set<string>()
  recognised = 0
  malformed = 0
  unknown = 0
  namingAgents = false

  read(line: string): void {
    const comment = line.indexOf("#")
    const content = (comment < 0 ? line : line.slice(0, comment)).trim()
    if (content === "") return
    const colon = content.indexOf(":")
    if (colon <= 0) {
      this.malformed++
      return
    }
    const key = content.slice(0, colon).trim().toLowerCase()
    this.record(Object.hasOwn(KEYS, key) ? KEYS[key] ?? key : key, content.slice(colon + 1).trim())
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
        this.recognised++
        if (value !== "") this.sitemaps.add(value)
        return
      default:
        if (EXTENSIONS.has(key)) this.recognised++
        else this.unknown++
    }
  }

  nameAgent(value: string): void {
    this.recognised++
    if (!this.namingAgents) this.groups.push({ agents: [], rules: [], signals: [] })
    this.namingAgents = true
    this.groups.at(-1)?.agents.push(productToken(value))
  }

  addRule(kind: RobotsRule["kind"], path: string): void {
    const group = this.groups.at(-1)
    this.namingAgents = false
    if (group === undefined) {
      this.malformed++
      return
    }
    this.recognised++
    if (path !== "") group.rules.push({ kind, path })
  }

  /** A signal before any group is the whole file's: sites write it so, and it is a policy all the same. */
  addSignal(value: string): void {
    this.recognised++
    this.namingAgents = false
    if (this.groups.length === 0) this.groups.push({ agents: ["*"], rules: [], signals: [] })
    this.groups.at(-1)?.signals.push(value)
  }

  file(): Omit<RobotsFile, "cut"> {
    return {
      groups: this.groups,
      sitemaps: [...this.sitemaps],
      recognised: this.recognised,
      malformed: this.malformed,
      unknown: this.unknown
    }
  }
}

/** `GPTBot/1.2 (+https://…)` names `gptbot`. Agents are compared by it, whatever the case. */
export const productToken = (agent: string): string => {
  const trimmed = agent.trim().toLowerCase()
  return trimmed.startsWith("*") ? "*" : (/^[a-z0-9_.!-]+/.exec(trimmed)?.[0] ?? trimmed)
}

/** The rules for an agent: all groups that name it as one; where none does, those for everyone (RFC 9309 §2.2.1). */
export const rulesFor = (file: RobotsFile, agent: string): ReadonlyArray<RobotsRule> => {
  const token = productToken(agent)
  const own = file.groups.filter((group) => group.agents.includes(token))
  return (own.length > 0 ? own : file.groups.filter((group) => group.agents.includes("*"))).flatMap(({ rules }) => rules)
}

/** A group names the agent, whatever it says about it. */
export const names = (file: RobotsFile, agent: string): boolean => {
  const token = productToken(agent)
  return file.groups.some((group) => group.agents.includes(token))
}

/** The longest matching rule decides, `allow` among equals; where none matches, the address is open (§2.2.2). */
export const allows = (file: RobotsFile, agent: string, url: string): boolean => {
  const target = escaped(targetOf(url))
  if (target === "/robots.txt") return true
  let longest = -1
  let allowed = true
  for (const { kind, path } of rulesFor(file, agent)) {
    const pattern = escaped(path)
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

/** Percent-encoding made comparable: what is not ASCII is encoded, escapes are upper case (§2.2.2). */
const escaped = (path: string): string =>
  path.replace(/[^\x21-\x7e]+/gu, (run) => encodeURIComponent(run.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

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
