import type { ApiDescription } from "../../apispec/ApiSpec.ts"
import { below } from "../../evidence/Address.ts"
import { installLines } from "../../page/code/InstallLine.ts"
import type { CodeBlock } from "../../page/Page.ts"
import { filePathOf } from "../site/FilePath.ts"
import { isAsideAddress } from "../../site/address/PageUrl.ts"
import { isNamedAfter } from "../../site/topics/ProductName.ts"
import { NOTHING, notWritten, onlyFile, type Written } from "../site/GeneratedFile.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePage, SitePages } from "../site/SitePages.ts"
import { publishedSpec } from "./ApiCatalogFile.ts"
import { markdownLine, markdownLink } from "./MarkdownLink.ts"
import { schemeLine } from "./ReferenceMarkdown.ts"

/** As F3 counts. */
const LEAST_CHARACTERS = 200

const MOST_OPERATIONS = 20
const MOST_PAGES = 10

/** The longest example that is quoted, in characters. */
const LONGEST_EXAMPLE = 2_000

/**
 * Drafts AGENTS.md from what the site says: how to install or call the product, how to authenticate, and where to read on. Without an API
 * description with a server, or a command that installs the product, there is not enough to say, and nothing is written.
 */
export const agentsFile = (site: PublishedSite, pages: SitePages, llmsTxt: string | null): Written => {
  const spec = publishedSpec(site)
  const description = spec?.spec ?? null
  const server = description?.servers.find(({ usable }) => usable)?.url ?? null
  const install = installOf(pages, site.productNames)
  const isCallable =
    description !== null &&
    server !== null &&
    (description.security.schemes.length > 0 || description.security.saidToBeNone)
  if (pages.title === "" || (!isCallable && install === null)) {
    return notWritten(
      "f3-instructions",
      "We found neither an API description with a server and authentication nor a command that installs the product, so a draft of AGENTS.md would say too little. Write one.",
      [site.base.url]
    )
  }
  const summary = pages.opened.find(({ url }) => url === site.base.url)?.description ?? ""
  const parts = [
    `# ${markdownLine(pages.title, 150)}\n`,
    summary === "" ? "" : `${markdownLine(summary, 300)}\n`,
    install === null ? "" : installSection(install),
    description === null || server === null || spec === null || !isCallable
      ? ""
      : apiSection(description, server, spec.url),
    `## Documentation\n\n${llmsTxt === null ? "" : `- ${markdownLink("Page index", llmsTxt)}\n`}${guidesFirst(pages)
      .slice(0, MOST_PAGES)
      .map(({ markdown, title, url }) => `- ${markdownLink(title, markdown?.url ?? url)}\n`)
      .join("")}`
  ]
  const text = parts.filter((part) => part !== "").join("\n")
  const url = below(site.base.folder, "AGENTS.md")
  const path = filePathOf(url)
  return path === null || Array.from(text.trim()).length < LEAST_CHARACTERS
    ? NOTHING
    : onlyFile({ path, url, plugins: ["f3-instructions"], text, completes: null })
}

/** Pages with a title: those of the documentation before news and release notes. */
const guidesFirst = ({ opened }: SitePages): ReadonlyArray<SitePage> => {
  const titled = opened.filter(({ title }) => title !== "")
  return [...titled.filter(({ url }) => !isAsideAddress(url)), ...titled.filter(({ url }) => isAsideAddress(url))]
}

interface Install {
  readonly block: CodeBlock
  readonly page: SitePage
}

/** Pages that say by their URL that they begin the documentation. */
const BEGINNING = /\/(?:[\w-]*install[\w-]*|[\w-]*quick-?start[\w-]*|getting-?started|setup)(?:[/.]|$)/i

/** The first command that installs the product: on the base page, on pages for beginners, on the others. */
const installOf = ({ opened }: SitePages, names: ReadonlySet<string>): Install | null => {
  const [base, ...rest] = opened
  const first = rest.filter(({ url }) => BEGINNING.test(url))
  for (const page of [...(base === undefined ? [] : [base]), ...first, ...rest.filter((one) => !first.includes(one))]) {
    const block = page.page.codeBlocks.find((one) => installsProduct(one, names))
    if (block !== undefined) return { block, page }
  }
  return null
}

/** Whether a code block has a command that installs the product itself: tutorials install other packages, too. */
export const installsProduct = ({ text }: CodeBlock, names: ReadonlySet<string>): boolean =>
  text.length <= LONGEST_EXAMPLE && installLines(text).some((line) => isNamedAfter(names, line.package))

const installSection = ({ block, page }: Install): string =>
  `## Install\n\n${fenced(block)}\n\nFrom ${markdownLink(page.title || page.url, page.url)}.\n`

/** A fence longer than any in the text, so that none in it closes it. */
const fenced = ({ language, text }: CodeBlock): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${/^[\w+#-]+$/.test(language ?? "") ? language : ""}\n${text.replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, "").trim()}\n${fence}`
}

const apiSection = (
  { format, formatVersion, operationCount, operations, security }: ApiDescription,
  server: string,
  url: string
): string =>
  `## API\n\n- Server: ${markdownLink(server, server)}\n- API description: ${markdownLink(`${format} ${formatVersion}`.trim(), url)}, ${operationCount.toLocaleString("en")} operations\n` +
  `\n### Authentication\n\n${security.schemes.length === 0 ? "No authentication is needed.\n" : security.schemes.map((scheme) => `${schemeLine(scheme)}\n`).join("")}` +
  `\n### Operations\n\n${operations
    .slice(0, MOST_OPERATIONS)
    .map(
      ({ method, path, summary }) =>
        `- ${markdownLine(`${method} ${path}`, 200)}${summary === "" ? "" : `: ${markdownLine(summary, 160)}`}\n`
    )
    .join("")}` +
  (operationCount > MOST_OPERATIONS ? "- More: see the API description.\n" : "")
