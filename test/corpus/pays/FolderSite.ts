import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isAnswer } from "../../../engine/evidence/Exchange.ts"
import type { Page } from "../../../engine/page/Page.ts"
import { markdownOf } from "../../../engine/page/conversion/ConvertPage.ts"
import { contentTree } from "../../../engine/page/conversion/ContentTree.ts"
import { writeMarkdown } from "../../../engine/page/conversion/HtmlNodes.ts"
import { elementsById, readTree } from "../../../engine/page/dom/DomWalk.ts"
import { baseOf } from "../../../engine/page/html/PageLinks.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { targetForm } from "../../../engine/page/markdown/Faithfulness.ts"
import type { FakeResponse, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { answerOf } from "../../site/FakeContext.ts"

/** How a site is published. */
export type Variant =
  /** As it is. */
  | "as it is"
  /** With a Markdown file for each page: its main content, and links to the pages of its folder, above and below it, on the start page to all of its menus. */
  | "files"
  /** The same files, returned to requests for Markdown, too. */
  | "negotiated"
  /** The same, but the start page's Markdown has no link. */
  | "dead end"
  /** The same, but each file begins with all that surrounds the page. */
  | "menus"

export const HOST = "https://docs.example.com"

/** A static build, and where it is published. */
export interface Build {
  readonly folder: string
  /** The path that it is published below; empty for the root. */
  readonly mount: string
  /** The path of the page that an agent begins at. */
  readonly start: string
}

/** A static build as a site. */
export const folderSite = ({ folder, mount, start }: Build, variant: Variant): FakeSite => {
  const written = new Map<string, string>()
  const markdownFor = (path: string, file: string): string => {
    const known = written.get(path)
    if (known !== undefined) return known
    const made = markdownFile(path, file, start, variant)
    written.set(path, made)
    return made
  }
  return {
    "*": (asked) => {
      const { origin, pathname } = new URL(asked.url)
      if (origin !== HOST || !pathname.startsWith(`${mount}/`)) return NOT_FOUND
      const path = decodeURIComponent(pathname)
      const file = fileAt(folder, path.slice(mount.length))
      if (variant !== "as it is" && path.endsWith(".md") && file === null) {
        const page = path.endsWith("/index.md") ? path.slice(0, -"index.md".length) : path.slice(0, -".md".length)
        const html = fileAt(folder, page.slice(mount.length))
        // The Markdown of a folder is the index.md in it, so that each page has one.
        return html?.endsWith(".html") === true && html.endsWith("/index.html") === page.endsWith("/")
          ? markdownAnswer(markdownFor(page, html))
          : NOT_FOUND
      }
      if (file === null) return NOT_FOUND
      if (!file.endsWith(".html")) return { body: readFileSync(file) }
      const asksForMarkdown = asked.accept.includes("text/markdown")
      if (asksForMarkdown && variant !== "as it is" && variant !== "files")
        return { ...markdownAnswer(markdownFor(path, file)), headers: { vary: "Accept" } }
      return { body: readFileSync(file), type: "text/html; charset=utf-8", headers: { vary: "Accept" } }
    }
  }
}

const NOT_FOUND: FakeResponse = {
  status: 404,
  type: "text/html",
  body: "<!doctype html><title>Not found</title><h1>Not found</h1>"
}

const markdownAnswer = (body: string): FakeResponse => ({ body, type: "text/markdown; charset=utf-8" })

/** As static hosts find it: the file, the index of the folder, the file without its ending. */
const fileAt = (folder: string, path: string): string | null => {
  const at = join(folder, path)
  const candidates = path.endsWith("/") ? [join(at, "index.html")] : [at, `${at}.html`, join(at, "index.html")]
  return candidates.find((file) => existsSync(file) && statSync(file).isFile()) ?? null
}

const markdownFile = (path: string, file: string, start: string, variant: Variant): string => {
  const answer = answerOf(`${HOST}${path}`, { body: readFileSync(file), type: "text/html; charset=utf-8" })
  if (!isAnswer(answer)) throw new Error(path)
  const page = readPage({ answer })
  if (variant === "menus") return wholeOf(readFileSync(file, "utf8"), page)
  const content = markdownOf(page)?.text ?? `# ${page.title}\n`
  const isStart = path === start
  if (isStart && variant === "dead end") return `# ${page.title}\n\n${page.main.segments.slice(0, 20).join("\n\n")}\n`
  if (isStart) return `${content}\n## All pages\n\n${linksOf(page)}\n`
  const folder = folderOf(page.url)
  const isNear = (url: string): boolean => folder.startsWith(folderOf(url)) || folderOf(url).startsWith(folder)
  return `${content}\n[Start page](${HOST}${start})\n\n${linksOf(page, isNear)}\n`
}

const folderOf = (url: string): string => {
  const { pathname } = new URL(url)
  return pathname.slice(0, pathname.lastIndexOf("/") + 1)
}

/** Some of the site's pages that a page links to, each once. */
const linksOf = (page: Page, isWanted: (url: string) => boolean = () => true): string => {
  const links = page.links.filter(({ text, url }) => url.startsWith(HOST) && text !== "" && isWanted(url))
  return [
    ...new Map(links.map(({ text, url }) => [targetForm(url), `- [${text.replaceAll(/[[\]]/g, "")}](${url})`])).values()
  ].join("\n")
}

const wholeOf = (source: string, page: Page): string => {
  const { document, walk } = readTree(source)
  return writeMarkdown(
    contentTree({ content: document, base: baseOf(walk, page.url), byId: elementsById(walk), whole: true })
  )
}
