import type { PathRewrite } from "../site/MarkdownForms.ts"
import { type HostFormat, type HostRules, isSafeLink, statements } from "./HostRules.ts"

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
export const nginx: HostFormat = {
  use: `Copy both files beside nginx.conf, include ${HTTP} in the http block and ${SERVER} in the server block, and reload nginx.`,
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
