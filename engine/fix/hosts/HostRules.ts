import type { Headers } from "../../evidence/Exchange.ts"
import type { PathRewrite } from "../site/MarkdownForms.ts"

/** Hosts that rules can be written for, and two that take none. */
export const HOSTS = ["netlify", "vercel", "cloudflare", "nginx", "caddy", "apache", "github-pages", "s3"] as const
export type HostName = (typeof HOSTS)[number]

/** What a host is to do beside sending files. */
export interface HostRules {
  /** Value of the `Link` header of every response; `null`: none. */
  readonly link: string | null
  /** For requests that accept Markdown: the first that matches a path names the file to send in its place, if there is one. Empty: none. */
  readonly rewrites: ReadonlyArray<PathRewrite>
}

/** A configuration file: its name below the folder of the host's files, and its text. */
export interface ConfigurationFile {
  readonly name: string
  readonly text: string
}

/** The first line of rules that are written into a file of the owner's, and the last: between them an update replaces everything. */
export const RULES_BEGIN = "# Written by docgauge fix."
export const RULES_END = "# End of what docgauge fix wrote."

/** How a host is told its rules. `read` reads what `write` wrote; rules that it does not understand do not count: `null`. */
export interface HostFormat {
  readonly write: (rules: HostRules) => ReadonlyArray<ConfigurationFile>
  readonly read: (files: ReadonlyArray<ConfigurationFile>) => HostRules | null
  /** What to do with the files, in one sentence. */
  readonly use: string
}

/** What may be in a `Link` header that is written into a configuration: no character that any of their syntaxes gives a meaning. */
const SAFE_LINK = /^<[A-Za-z0-9\-._~/%:]+>; rel="[a-z-]+"(?:, <[A-Za-z0-9\-._~/%:]+>; rel="[a-z-]+")*$/

/** Links as the value of a `Link` header; those whose URLs have unusual characters are left out. `null`: none is left. */
export const linkHeader = (links: ReadonlyArray<{ readonly url: string; readonly rel: string }>): string | null => {
  const parts = links.map(({ rel, url }) => `<${url}>; rel="${rel}"`).filter((part) => SAFE_LINK.test(part))
  return parts.length === 0 ? null : parts.join(", ")
}

export const isSafeLink = (value: string): boolean => SAFE_LINK.test(value)

export const ACCEPTS_MARKDOWN = /text\/markdown/i

/** The file that rules send in place of a page; `null`: the page itself. `path`: decoded, as hosts match it. */
export const rewritten = ({ rewrites }: HostRules, path: string): string | null => {
  if (path.endsWith(".md")) return null
  const rule = rewrites.find(({ match }) => new RegExp(match).test(path))
  return rule === undefined ? null : path.replace(new RegExp(rule.match), rule.to)
}

export const addedHeaders = ({ link, rewrites }: HostRules): Headers => [
  ...(link === null ? [] : [["link", link] as const]),
  ...(rewrites.length === 0 ? [] : [["vary", "Accept"] as const])
]

/** The lines of a text that are neither blank nor comments, trimmed. */
export const statements = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("//"))
