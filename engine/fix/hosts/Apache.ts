import type { PathRewrite } from "../site/MarkdownForms.ts"
import { type HostFormat, isSafeLink, RULES_BEGIN, RULES_END, statements } from "./HostRules.ts"

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
export const apache: HostFormat = {
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
