import * as Effect from "effect/Effect"
import { posix } from "node:path"
import { trimBoth } from "../../../engine/text/WhiteSpace.ts"
import type { Checkout } from "./Checkout.ts"

/** Where a generator keeps files that it publishes as they are. */
export interface StaticFolder {
  /** The generator, for readers. */
  readonly generator: string
  /** Relative to the top of the checkout; empty: the top itself. */
  readonly path: string
  /** Whether Markdown in it is published as it is, and not built as a page or left out. */
  readonly takesMarkdown: boolean
  /** The path of URLs at which the folder is published, with slashes at both ends; `null`: its configuration does not say. */
  readonly base: string | null
  /** Whether the generator makes documentation alone, and so the folder is published where that is; else at the root of the host. */
  readonly isDocumentation: boolean
}

/** A generator, by the file that configures it. */
interface Generator {
  readonly title: string
  readonly config: RegExp
  /** The folder beside the file; `text`: what the file says. `null`: it has none as it is configured. */
  readonly folder: (text: string) => string | null
  readonly takesMarkdown: boolean
  /** What in the file says where the site is published, as a path or a URL. */
  readonly base: RegExp
  /** Left out: it makes sites of any kind. */
  readonly isDocumentation?: true
}

const BASE_URL = /\bbaseUrl\s*:\s*["'`](\/[^"'`\s]{0,200})["'`]/
const BASE = /\bbase\s*:\s*["'`](\/[^"'`\s]{0,200})["'`]/
const PATH_PREFIX = /\bpathPrefix\s*:\s*["'`](\/[^"'`\s]{0,200})["'`]/
const BASE_URL_SETTING = /^[ \t]{0,20}["']?baseURL["']?[ \t]{0,20}[=:][ \t]{0,20}["']?([^"'\s#]{1,200})/im
const SITE_URL = /^site_url:\s*["']?([^"'\s#]{1,200})/m
const BOOK_URL = /^[ \t]{0,20}site-url[ \t]{0,20}=[ \t]{0,20}["']([^"'\s]{1,200})["']/m
const HTML_BASE_URL = /^html_baseurl\s*=\s*["']([^"'\s]{1,200})["']/m
const JEKYLL_BASE = /^baseurl:\s*["']?(\/[^"'\s#]{0,200})/m

const GENERATORS: ReadonlyArray<Generator> = [
  {
    title: "Docusaurus",
    config: /^docusaurus\.config\.(?:[cm]?[jt]s)$/,
    folder: () => "static",
    takesMarkdown: true,
    base: BASE_URL
  },
  {
    title: "VitePress",
    config: /^\.vitepress\/config(?:\/index)?\.(?:[cm]?[jt]s)$/,
    folder: (text) => setting(text, /\bsrcDir\s*:\s*["'`]([^"'`\s]{1,200})["'`]/, "public", (dir) => `${dir}/public`),
    takesMarkdown: true,
    base: BASE
  },
  {
    title: "VuePress",
    config: /^\.vuepress\/config\.(?:[cm]?[jt]s)$/,
    folder: () => ".vuepress/public",
    takesMarkdown: true,
    base: BASE
  },
  {
    title: "Astro",
    config: /^astro\.config\.(?:[cm]?[jt]s)$/,
    folder: (text) => setting(text, /\bpublicDir\s*:\s*["'`]\.?\/?([^"'`\s]{1,200})["'`]/, "public"),
    takesMarkdown: true,
    base: BASE
  },
  {
    title: "Next.js",
    config: /^next\.config\.(?:[cm]?[jt]s)$/,
    folder: () => "public",
    takesMarkdown: true,
    base: /\bbasePath\s*:\s*["'`](\/[^"'`\s]{0,200})["'`]/
  },
  {
    title: "Gatsby",
    config: /^gatsby-config\.(?:[cm]?[jt]s)$/,
    folder: () => "static",
    takesMarkdown: true,
    base: PATH_PREFIX
  },
  {
    title: "Hugo",
    config: /^(?:hugo\.(?:toml|ya?ml|json)|config\.toml|config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json))$/,
    folder: (text) =>
      setting(text, /^[ \t]{0,20}["']?staticDir["']?[ \t]{0,20}[=:][ \t]{0,20}["']([^"'\s]{1,200})["']/im, "static"),
    takesMarkdown: true,
    base: BASE_URL_SETTING
  },
  {
    title: "MkDocs",
    config: /^mkdocs\.ya?ml$/,
    folder: (text) => setting(text, /^docs_dir:\s*["']?([^"'\s#]{1,200})/m, "docs"),
    takesMarkdown: false,
    base: SITE_URL,
    isDocumentation: true
  },
  {
    title: "mdBook",
    config: /^book\.toml$/,
    folder: (text) => setting(text, /^[ \t]{0,20}src[ \t]{0,20}=[ \t]{0,20}["']([^"'\s]{1,200})["']/m, "src"),
    takesMarkdown: false,
    base: BOOK_URL,
    isDocumentation: true
  },
  {
    title: "Sphinx",
    config: /^conf\.py$/,
    folder: (text) => /^html_extra_path\s*=\s*[[(]\s*["']([^"']{1,200})["']/m.exec(text)?.[1] ?? null,
    takesMarkdown: true,
    base: HTML_BASE_URL,
    isDocumentation: true
  },
  { title: "Jekyll", config: /^_config\.ya?ml$/, folder: () => "", takesMarkdown: false, base: JEKYLL_BASE }
]

const setting = (text: string, pattern: RegExp, usual: string, folder = (value: string): string => value): string => {
  const value = pattern.exec(text)?.[1]
  return value === undefined ? usual : folder(value)
}

/** Folders of a repository in which its documentation may be: not that of its tests or its examples. */
const DEEPEST = 3
const ELSEWHERE = /(?:^|\/)(?:node_modules|vendor|third_party|tests?|__tests__|fixtures|examples?|demos?|templates?)\//

/** What the generators of a checkout take; several if it has several. */
export const staticFolders = Effect.fnUntraced(function* (
  checkout: Checkout
): Effect.fn.Return<{ readonly folders: ReadonlyArray<StaticFolder>; readonly without: ReadonlyArray<string> }> {
  const folders: Array<StaticFolder> = []
  const without: Array<string> = []
  for (const path of [...checkout.paths].sort()) {
    if (ELSEWHERE.test(path) || path.split("/").length > DEEPEST + 2) continue
    for (const { base, config, folder, isDocumentation = false, takesMarkdown, title } of GENERATORS) {
      const own = placeOf(path, config)
      if (own === null) continue
      const text = (yield* checkout.read(path)) ?? ""
      const inside = folder(text)
      const joined = inside === null ? null : posix.join(own, inside).replace(/^\.$/, "")
      if (joined === null || joined.startsWith("..") || joined.startsWith("/")) without.push(`${title} (${path})`)
      else
        folders.push({
          generator: title,
          path: joined.replace(/\/$/, ""),
          takesMarkdown,
          base: pathIn(base.exec(text)?.[1] ?? ""),
          isDocumentation
        })
    }
  }
  return { folders, without }
})

/** The folder that a configuration is for: that above `.vitepress/config.ts`, or the one that it is in; `null`: it is none. */
const placeOf = (path: string, config: RegExp): string | null => {
  const segments = path.split("/")
  for (let depth = 0; depth <= Math.min(DEEPEST, segments.length - 1); depth++)
    if (config.test(segments.slice(depth).join("/"))) return segments.slice(0, depth).join("/")
  return null
}

/** The path of a URL, or a path, with slashes at both ends; `null` for anything else. */
const pathIn = (value: string): string | null => {
  const path = value.startsWith("/") ? value : (URL.parse(value)?.pathname ?? null)
  return path === null ? null : `/${trimBoth(path, "/")}/`.replace("//", "/")
}
