// Converts a folder of HTML files to Markdown with one library, and prints the processor time and the peak of memory.
// Run in a folder where the libraries are installed: node convertHtml.mjs LIBRARY FROM TO
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"

const [library, from, to] = process.argv.slice(2)
const installed = createRequire(join(process.cwd(), "package.json"))

// Packages without a `require` condition are found by their folder.
const load = async (name) => {
  try {
    return await import(pathToFileURL(installed.resolve(name)).href)
  } catch {
    const folder = join(process.cwd(), "node_modules", name)
    const { exports, main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const entry =
      typeof exports === "string"
        ? exports
        : (exports?.["."]?.import?.default ??
          exports?.["."]?.import ??
          exports?.["."]?.default ??
          exports?.["."] ??
          main ??
          "index.js")
    return await import(pathToFileURL(join(folder, typeof entry === "string" ? entry : (main ?? "index.js"))).href)
  }
}

const converters = {
  turndown: async () => {
    const { default: Turndown } = await load("turndown")
    const { gfm } = await load("turndown-plugin-gfm")
    const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" })
    service.use(gfm)
    return (html) => service.turndown(html)
  },
  "turndown (joplin)": async () => {
    const { default: Turndown } = await load("turndown")
    const { gfm } = await load("@joplin/turndown-plugin-gfm")
    const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" })
    service.use(gfm)
    return (html) => service.turndown(html)
  },
  mdream: async () => {
    const { htmlToMarkdown } = await load("mdream")
    return (html) => {
      const made = htmlToMarkdown(html)
      return typeof made === "string" ? made : made.markdown
    }
  },
  "rehype-remark": async () => {
    const [{ unified }, parse, remark, gfm, stringify] = await Promise.all(
      ["unified", "rehype-parse", "rehype-remark", "remark-gfm", "remark-stringify"].map(load)
    )
    const processor = unified()
      .use(parse.default, { fragment: true })
      .use(remark.default)
      .use(gfm.default)
      .use(stringify.default)
    return (html) => String(processor.processSync(html))
  },
  "node-html-markdown": async () => {
    const { NodeHtmlMarkdown } = await load("node-html-markdown")
    const converter = new NodeHtmlMarkdown()
    return (html) => converter.translate(html)
  }
}

mkdirSync(to, { recursive: true })
const convert = await converters[library]()
const files = readdirSync(from).sort()
const pages = files.map((file) => readFileSync(join(from, file), "utf8"))
for (const page of pages.slice(0, 10)) convert(page)
const start = process.cpuUsage()
const failed = []
const made = pages.map((page, index) => {
  try {
    return convert(page)
  } catch (error) {
    failed.push(`${files[index]}: ${error instanceof Error ? error.message : "it threw"}`)
    return ""
  }
})
const { system, user } = process.cpuUsage(start)
files.forEach((file, index) => writeFileSync(join(to, file.replace(/html$/, "md")), made[index] ?? ""))
process.stdout.write(
  JSON.stringify({ milliseconds: (user + system) / 1_000, kilobytes: process.resourceUsage().maxRSS, failed })
)
