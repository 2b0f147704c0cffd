import type { PathRewrite } from "../site/MarkdownForms.ts"
import { cloudflare, netlify, vercel } from "./EdgeFunction.ts"
import {
  type HostFormat,
  type HostName,
  type HostRules,
  isSafeLink,
  RULES_BEGIN,
  RULES_END,
  statements
} from "./HostRules.ts"

const NAME = ".htaccess"

const block = ({ match, to }: PathRewrite): string => {
  const file = to.replace("$1", "%1")
  return `RewriteCond %{HTTP_ACCEPT} text/markdown [NC]
RewriteCond %{REQUEST_URI} ![.]md$
RewriteCond %{REQUEST_URI} ${match}
RewriteCond %{DOCUMENT_ROOT}${file} -f
RewriteRule ^ ${file} [L]
`
}

const PATTERN = /^RewriteCond %\{REQUEST_URI\} (\^\S+)$/
const RULE = /^RewriteRule \^ %1([\w./]*) \[L\]$/
const LINK = /^Header add Link "((?:[^"\\%]|\\"|%%)+)"$/

/** In a header's value, `%` begins a format specifier of mod_headers: one that it does not know stops the whole site with status 500. */
const escaped = (link: string): string => link.replaceAll("%", "%%").replaceAll('"', '\\"')
const unescaped = (value: string): string => value.replaceAll('\\"', '"').replaceAll("%%", "%")

/** Lines for `.htaccess` or a virtual host of Apache; needs mod_headers and mod_rewrite. https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html */
const apache: HostFormat = {
  use: "Put the lines into the .htaccess of the document root, or into the virtual host; mod_headers and mod_rewrite must be on.",
  write: ({ link, rewrites }) => [
    {
      name: NAME,
      text: `${RULES_BEGIN}
AddType text/markdown .md
AddCharset utf-8 .md
${link === null ? "" : `Header add Link "${escaped(link)}"\n`}${
        rewrites.length === 0
          ? ""
          : `Header merge Vary Accept
RewriteEngine On
${rewrites.map(block).join("")}`
      }${RULES_END}
`
    }
  ],
  read: ([file]) => {
    const lines = statements(file?.text ?? "")
    const links = lines.flatMap((line) => LINK.exec(line)?.[1] ?? []).map(unescaped)
    const rewrites = lines.flatMap((line, index): ReadonlyArray<PathRewrite> => {
      const suffix = RULE.exec(line)?.[1]
      const match = PATTERN.exec(lines[index - 2] ?? "")?.[1]
      return suffix === undefined ||
        match === undefined ||
        lines[index - 1] !== `RewriteCond %{DOCUMENT_ROOT}%1${suffix} -f`
        ? []
        : [{ match, to: `$1${suffix}` }]
    })
    const negotiates = lines.includes("RewriteEngine On") && lines.includes("Header merge Vary Accept")
    return links.every(isSafeLink) && links.length <= 1
      ? { link: links[0] ?? null, rewrites: negotiates ? rewrites : [] }
      : null
  }
}

const HTTP = "docgauge-http.conf"
const SERVER = "docgauge-server.conf"

const MARK = "markdown:"

const mapLine = ({ match, to }: PathRewrite): string => `    "~^${MARK}${match.slice(1)}" "${to}";\n`

const httpText = (
  rewrites: ReadonlyArray<PathRewrite>
): string => `# Written by docgauge fix. In the http block: include ${HTTP};
map $http_accept $docgauge_accept {
    default "";
    "~*text/markdown" "${MARK}";
}
map "$docgauge_accept$uri" $docgauge_markdown {
    default "";
    "~[.]md$" "";
${rewrites.map(mapLine).join("")}}
`

const serverText = ({
  link,
  rewrites
}: HostRules): string => `# Written by docgauge fix. In the server block: include ${SERVER};
# A location with add_header lines of its own does not inherit these: include them there, too.
${link === null ? "" : `add_header Link '${link}';\n`}${
  rewrites.length === 0
    ? ""
    : `add_header Vary Accept;
if (-f $document_root$docgauge_markdown) {
    rewrite ^ $docgauge_markdown last;
}
`
}location ~ [.]md$ {
    types { }
    default_type "text/markdown; charset=utf-8";
}
`

const MAP_LINE = /^"~\^markdown:(.+)" "(\$1[\w./]*)";$/
const LINK_LINE = /^add_header Link '([^']+)';$/

/** Two files of nginx: one for its http block, one for the server block. https://nginx.org/en/docs/http/ngx_http_map_module.html */
const nginx: HostFormat = {
  use: `Copy what was written beside nginx.conf, include ${SERVER} in the server block and, if it is there, ${HTTP} in the http block, and reload nginx.`,
  write: (rules) => [
    ...(rules.rewrites.length === 0 ? [] : [{ name: HTTP, text: httpText(rules.rewrites) }]),
    { name: SERVER, text: serverText(rules) }
  ],
  read: (files) => {
    const http = statements(files.find(({ name }) => name === HTTP)?.text ?? "")
    const server = statements(files.find(({ name }) => name === SERVER)?.text ?? "")
    const rewrites = http.flatMap((line): ReadonlyArray<PathRewrite> => {
      const [, match, to] = MAP_LINE.exec(line) ?? []
      return match === undefined || to === undefined ? [] : [{ match: `^${match}`, to }]
    })
    const links = server.flatMap((line) => LINK_LINE.exec(line)?.[1] ?? [])
    const negotiates =
      server.includes("add_header Vary Accept;") &&
      server.includes("if (-f $document_root$docgauge_markdown) {") &&
      http.includes(`"~*text/markdown" "${MARK}";`)
    return links.every(isSafeLink) && links.length <= 1
      ? { link: links[0] ?? null, rewrites: negotiates ? rewrites : [] }
      : null
  }
}

const SNIPPET = "docgauge.caddy"

/** What Caddy's placeholders can say: a suffix of the path, or of a file's name without its ending. */
const CADDY_FILES: ReadonlyArray<readonly [file: string, rewrite: PathRewrite]> = [
  ["{path}index.md", { match: "^(.*/)$", to: "$1index.md" }],
  ["{path}index.html.md", { match: "^(.*/)$", to: "$1index.html.md" }],
  ["{path}.md", { match: "^(.*[.]html?)$", to: "$1.md" }],
  ["{http.request.uri.path.dir}{http.request.uri.path.file.base}.md", { match: "^(.*)[.]html?$", to: "$1.md" }],
  ["{path}.md", { match: "^(.*[^/])$", to: "$1.md" }],
  ["{path}.html.md", { match: "^(.*[^/])$", to: "$1.html.md" }],
  ["{path}/index.md", { match: "^(.*[^/])$", to: "$1/index.md" }]
]

const CADDY_LINK = /^header \+Link `([^`]+)`$/

/** A snippet for a Caddyfile. https://caddyserver.com/docs/caddyfile/matchers */
const caddy: HostFormat = {
  use: `Copy ${SNIPPET} beside the Caddyfile, write \`import ${SNIPPET}\` in the site's block after \`root\`, and reload Caddy.`,
  write: ({ link, rewrites }) => {
    const files = rewrites.flatMap(
      (rewrite) => CADDY_FILES.find(([, one]) => one.match === rewrite.match && one.to === rewrite.to)?.[0] ?? []
    )
    return [
      {
        name: SNIPPET,
        text: `# Written by docgauge fix.
${link === null ? "" : `header +Link \`${link}\`\n`}@docgauge_markdown_file path *.md
header @docgauge_markdown_file Content-Type "text/markdown; charset=utf-8"
${
  files.length === 0
    ? ""
    : `header +Vary Accept
@docgauge_markdown {
	header Accept *text/markdown*
	not path *.md
	file {
		try_files ${[...new Set(files)].join(" ")}
	}
}
rewrite @docgauge_markdown {http.matchers.file.relative}
header @docgauge_markdown Content-Type "text/markdown; charset=utf-8"
`
}`
      }
    ]
  },
  read: ([file]) => {
    const lines = statements(file?.text ?? "")
    const links = lines.flatMap((line) => CADDY_LINK.exec(line)?.[1] ?? [])
    const tried =
      lines
        .find((line) => line.startsWith("try_files "))
        ?.split(" ")
        .slice(1) ?? []
    const negotiates =
      lines.includes("rewrite @docgauge_markdown {http.matchers.file.relative}") &&
      lines.includes("header +Vary Accept")
    const rewrites = CADDY_FILES.filter(([one]) => tried.includes(one)).map(([, rewrite]) => rewrite)
    return links.every(isSafeLink) && links.length <= 1
      ? { link: links[0] ?? null, rewrites: negotiates ? rewrites : [] }
      : null
  }
}

/** How each host is told its rules; `null`: it sends files, and nothing can be told it. */
export const FORMATS: Readonly<Record<HostName, HostFormat | null>> = {
  netlify,
  vercel,
  cloudflare,
  nginx,
  caddy,
  apache,
  "github-pages": null,
  s3: null
}

export const HOST_TITLES: Readonly<Record<HostName, string>> = {
  netlify: "Netlify",
  vercel: "Vercel",
  cloudflare: "Cloudflare Pages",
  nginx: "nginx",
  caddy: "Caddy",
  apache: "Apache",
  "github-pages": "GitHub Pages",
  s3: "Amazon S3"
}
