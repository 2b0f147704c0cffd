import { MARKDOWN_ENDING } from "../../text/UrlPath.ts"

/** What a path is asked for as. */
export const PATH_FORMS = ["html", "markdown", "llms_txt", "description", "site_file", "asset", "other"] as const
export type PathForm = (typeof PATH_FORMS)[number]

const RULES: ReadonlyArray<readonly [RegExp, PathForm]> = [
  [/\/llms[\w-]*\.txt$/i, "llms_txt"],
  [/^\/(?:robots|ai|humans|security)\.txt$|\/sitemap[\w-]*\.(?:xml|txt)(?:\.gz)?$|\/\.well-known\//i, "site_file"],
  [MARKDOWN_ENDING, "markdown"],
  [
    /\/(?:openapi|swagger|asyncapi|openrpc|postman|api-docs|schema|spec|api)[\w.-]*\.(?:json|ya?ml|graphql)$|\.graphqls?$|\/(?:v\d\/)?api-docs$|\/(?:openapi|swagger)$/i,
    "description"
  ],
  [/\.(?:atom|csv|json|rss|txt|webmanifest|xml|ya?ml)$/i, "other"]
]

/** What pages load, and no model reads. */
const ASSETS: ReadonlySet<string> = new Set(
  "avif bmp css eot gif gz ico jpeg jpg js map mjs mp4 otf pdf png svg tgz ttf wasm webm webp woff woff2 zip".split(" ")
)

export const isAsset = (path: string): boolean => {
  const dot = path.lastIndexOf(".")
  return dot !== -1 && path.length - dot <= 6 && ASSETS.has(path.slice(dot + 1).toLowerCase())
}

export const pathFormOf = (path: string): PathForm =>
  isAsset(path) ? "asset" : (RULES.find(([rule]) => rule.test(path))?.[1] ?? "html")

/** Paths that only scans for leaks and for other software ask for. */
const SCANNED =
  /\.(?:aspx?|bak|cgi|env|jsp|old|php\d?|sql|swp)(?:[/.]|$)|\/(?:\.git|\.env|\.aws|\.ssh|\.vscode|wp-|wordpress|cgi-bin|phpmyadmin|actuator|_ignition|boaform|hnap1)/i

export const isScanned = (path: string): boolean => SCANNED.test(path)
