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

/** A path that readers ask for and that is missing, and the page that they mean. */
export interface HostRedirect {
  readonly from: string
  readonly to: string
}

/** What may be in a redirect: no character that any of the syntaxes gives a meaning, nor one that some hosts compare decoded. */
const SAFE_PATH = /^\/(?!\/)[A-Za-z0-9\-._~/]*$/

/** Hosts take some thousand rules at most. */
const MOST_REDIRECTS = 500

const lines =
  (name: string, use: string, line: (redirect: HostRedirect) => string) =>
  (redirects: ReadonlyArray<HostRedirect>): ConfigurationFile => ({
    name,
    text: `# Written by docgauge fix. ${use}\n${redirects.map((redirect) => `${line(redirect)}\n`).join("")}`
  })

const published = lines(
  "_redirects",
  "Add these lines to _redirects in the folder that is published.",
  ({ from, to }) => `${from} ${to} 301`
)

const NGINX = "docgauge-redirects.conf"
const CADDY = "docgauge-redirects.caddy"

const VERCEL = "redirects-for-vercel.json"
const APACHE = "redirects.htaccess"

/** What is done with a file of redirects, by its name; others are added to the owner's file of that name. */
const USES: Readonly<Record<string, string>> = {
  [NGINX]: `copy it beside nginx.conf and include it in the server block`,
  [CADDY]: `copy it beside the Caddyfile and import it in the site's block`,
  [VERCEL]: "add its redirects to your vercel.json",
  [APACHE]: "add its lines to the .htaccess of the document root, or to the virtual host"
}

/** How each host is told to redirect; `null`: it cannot be told by a file. */
const WRITERS: Readonly<Record<HostName, ((redirects: ReadonlyArray<HostRedirect>) => ConfigurationFile) | null>> = {
  netlify: published,
  cloudflare: published,
  // JSON has no comments: the name says where it goes.
  vercel: (redirects) => ({
    name: VERCEL,
    text: `${JSON.stringify({ redirects: redirects.map(({ from, to }) => ({ source: from, destination: to, permanent: true })) }, null, 2)}\n`
  }),
  nginx: lines(
    NGINX,
    `In the server block: include ${NGINX};`,
    ({ from, to }) => `location = ${from} { return 301 ${to}; }`
  ),
  caddy: lines(CADDY, `In the site's block: import ${CADDY}`, ({ from, to }) => `redir ${from} ${to} permanent`),
  apache: lines(
    APACHE,
    "Add these lines to the .htaccess of the document root, or to the virtual host.",
    ({ from, to }) => `RedirectMatch 301 ^${from.replaceAll(".", "[.]")}$ ${to}`
  ),
  "github-pages": null,
  s3: null
}

/** What to do with the file of redirects, which logs suggest and no audit checks. */
export const redirectsUse = ({ name }: ConfigurationFile): string =>
  `Look through ${name}, which logs suggest, then ${USES[name] ?? `add its lines to the ${name} of the folder that is published`}.`

/** Whether a host can be told redirects by a file. */
export const takesRedirects = (host: HostName): boolean => WRITERS[host] !== null

/** Those of the redirects that can be told a host as they are, as a file; none where there are none. */
export const redirectFiles = (
  host: HostName | null,
  redirects: ReadonlyArray<HostRedirect>
): ReadonlyArray<ConfigurationFile> => {
  const write = host === null ? null : WRITERS[host]
  const safe = redirects
    .filter(({ from, to }) => SAFE_PATH.test(from) && SAFE_PATH.test(to) && from !== to)
    .slice(0, MOST_REDIRECTS)
  return write === null || safe.length === 0 ? [] : [write(safe)]
}
