import type { PathRewrite } from "../site/MarkdownForms.ts"
import { type HostFormat, isSafeLink, statements } from "./HostRules.ts"

const NAME = "docgauge.caddy"

/** What Caddy's placeholders can say: a suffix of the path, or of a file's name without its ending. */
const FILES: ReadonlyArray<readonly [file: string, rewrite: PathRewrite]> = [
  ["{path}index.md", { match: "^(.*/)$", to: "$1index.md" }],
  ["{path}index.html.md", { match: "^(.*/)$", to: "$1index.html.md" }],
  ["{path}.md", { match: "^(.*[.]html?)$", to: "$1.md" }],
  ["{http.request.uri.path.dir}{http.request.uri.path.file.base}.md", { match: "^(.*)[.]html?$", to: "$1.md" }],
  ["{path}.md", { match: "^(.*[^/])$", to: "$1.md" }],
  ["{path}.html.md", { match: "^(.*[^/])$", to: "$1.html.md" }],
  ["{path}/index.md", { match: "^(.*[^/])$", to: "$1/index.md" }]
]

const LINK = /^header \+Link `([^`]+)`$/

/** A snippet for a Caddyfile. https://caddyserver.com/docs/caddyfile/matchers */
export const caddy: HostFormat = {
  use: `Copy ${NAME} beside the Caddyfile, write \`import ${NAME}\` in the site's block after \`root\`, and reload Caddy.`,
  write: ({ link, rewrites }) => {
    const files = rewrites.flatMap(
      (rewrite) => FILES.find(([, one]) => one.match === rewrite.match && one.to === rewrite.to)?.[0] ?? []
    )
    return [
      {
        name: NAME,
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
    const links = lines.flatMap((line) => LINK.exec(line)?.[1] ?? [])
    const tried =
      lines
        .find((line) => line.startsWith("try_files "))
        ?.split(" ")
        .slice(1) ?? []
    const negotiates =
      lines.includes("rewrite @docgauge_markdown {http.matchers.file.relative}") &&
      lines.includes("header +Vary Accept")
    const rewrites = FILES.filter(([one]) => tried.includes(one)).map(([, rewrite]) => rewrite)
    return links.every(isSafeLink) && links.length <= 1
      ? { link: links[0] ?? null, rewrites: negotiates ? rewrites : [] }
      : null
  }
}
