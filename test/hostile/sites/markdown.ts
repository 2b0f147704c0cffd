import { type HostileSites, LINKS, markdownSite, pages, pathOf, send, withFile } from "../HostileSite.ts"

const site = (body: string) => markdownSite((path) => `# ${path}\n\n${body}\n\n## More\n\n- [Next](/d/p1.md)\n`)

/** Markdown on which parsers are known to take more than linear time. */
export const markdownSites: HostileSites = {
  "markdown-images": {
    attacks: "Markdown is 250,000 beginnings of an image, which markdown-it reads for 12 s a file.",
    listener: site("![".repeat(250_000))
  },
  "markdown-links": {
    attacks: "Markdown is beginnings of links inside each other.",
    listener: site("[a](".repeat(120_000))
  },
  "markdown-brackets": {
    attacks: "Markdown is a quarter of a million brackets, opened and closed in turn.",
    listener: site("[".repeat(120_000) + "]".repeat(120_000))
  },
  "markdown-emphasis": {
    attacks: "Markdown is delimiter runs that never match.",
    listener: site("a**b_c ".repeat(70_000))
  },
  "markdown-stars": {
    attacks: "Markdown is one delimiter run of 500,000 stars and underscores in turn.",
    listener: site("*_".repeat(250_000))
  },
  "markdown-backticks": {
    attacks: "Markdown is code spans of ever other lengths, none of which closes.",
    listener: site(Array.from({ length: 900 }, (_, index) => `${"`".repeat(index + 1)} `).join(""))
  },
  "markdown-quotes": {
    attacks: "Markdown nests block quotes and lists 5,000 deep.",
    listener: site(`${"> ".repeat(5_000)}a\n\n${"- ".repeat(5_000)}b`)
  },
  "markdown-tables": {
    attacks: "A Markdown table has 20,000 columns.",
    listener: site(`${"|a".repeat(20_000)}|\n${"|-".repeat(20_000)}|\n${`${"|b".repeat(100)}|\n`.repeat(500)}`)
  },
  "markdown-references": {
    attacks: "Markdown defines 50,000 references and uses each with almost its name.",
    listener: site(
      Array.from({ length: 30_000 }, (_, index) => `[r${index}]: /d/p${index}\n`).join("") + "[r1".repeat(30_000)
    )
  },
  "markdown-html": {
    attacks: "Markdown holds beginnings of HTML tags, comments and declarations.",
    listener: site("<a <!-- <? <!A <![CDATA[ ".repeat(20_000))
  },
  "markdown-entities": {
    attacks: "Markdown is character references and backslashes.",
    listener: site("&amp&#x0;\\".repeat(60_000))
  },
  "markdown-angles": { attacks: "Markdown is beginnings of autolinks.", listener: site("<https://a".repeat(50_000)) },
  "markdown-fences": {
    attacks: "Markdown opens 100,000 fences with an information string each.",
    listener: site('```js title="x"\n'.repeat(40_000))
  },
  "markdown-blank": {
    attacks: "Markdown is half a megabyte of blank and nearly blank lines.",
    listener: site("\t \n".repeat(160_000))
  },
  "markdown-huge": {
    attacks: "Every Markdown file has five megabytes, ten times what is read.",
    listener: site("Words with [a link](/d/p1.md) and `code`.\n\n".repeat(120_000))
  },
  "llms-txt-huge": {
    attacks: "llms.txt has twelve megabytes, most of them links.",
    listener: withFile(
      "/llms.txt",
      "text/plain",
      () => `# Docs\n\n## Pages\n\n${"- [Page](/guide/p1): words\n".repeat(450_000)}`
    )
  },
  "llms-txt-images": {
    attacks: "llms.txt is beginnings of images and links.",
    listener: withFile(
      "/llms.txt",
      "text/plain",
      () => `# Docs\n\n> ${"![".repeat(250_000)}\n\n## Pages\n\n- [a](/guide/p1)\n`
    )
  },
  "llms-txt-lines": {
    attacks: "llms.txt is a million empty list items and headings.",
    listener: withFile("/llms.txt", "text/plain", () => `# Docs\n${"- [](\n## \n".repeat(300_000)}`)
  },
  "markdown-versions": {
    attacks: "Each page has a Markdown version beside it that is a bomb, so that comparing the two meets it.",
    listener: (request, response) =>
      pathOf(request).endsWith(".md")
        ? send(response, `# Page\n\n${"![".repeat(200_000)}`, "text/markdown")
        : pages(() => "", LINKS, '<link rel="alternate" type="text/markdown" href="index.md">')(request, response)
  },
  "negotiated-markdown": {
    attacks: "A page asked for as Markdown is a bomb, asked for as HTML it is harmless.",
    listener: (request, response) =>
      (request.headers.accept ?? "").startsWith("text/markdown")
        ? send(response, `# Page\n\n${"[a](".repeat(100_000)}`, "text/markdown")
        : pages()(request, response)
  }
}
