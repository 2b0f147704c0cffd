import type { Page } from "../page/Page.ts"

/** Generators by their ids, and how pages name them. What is built on another one comes before it. */
const GENERATORS = [
  // The first version names no number, and has other plugins and folders.
  ["docusaurus", /^docusaurus v/i],
  ["mkdocs", /^mkdocs\b/i],
  ["sphinx", /^sphinx\b/i],
  ["starlight", /\bstarlight\b/i],
  ["vitepress", /^vitepress\b/i],
  ["antora", /^antora\b/i],
  ["asciidoctor", /^asciidoctor\b/i],
  ["astro", /^astro\b/i],
  ["docfx", /^docfx\b/i],
  ["doxygen", /^doxygen\b/i],
  ["drupal", /^drupal\b/i],
  ["exdoc", /^exdoc\b/i],
  ["gatsby", /^gatsby\b/i],
  ["gitbook", /^gitbook\b/i],
  ["hexo", /^hexo\b/i],
  ["hugo", /^hugo\b/i],
  ["javadoc", /^javadoc\b/i],
  ["jekyll", /^jekyll\b/i],
  ["mintlify", /^mintlify\b/i],
  ["nextra", /^nextra\b/i],
  ["pdoc", /^pdoc\b/i],
  ["quarto", /^quarto\b/i],
  ["readme", /^readme\b/i],
  ["redoc", /^redoc(?:ly)?\b/i],
  ["rustdoc", /^rustdoc\b/i],
  ["slate", /^slate\b/i],
  ["vuepress", /^vuepress\b/i],
  ["wordpress", /^wordpress\b/i],
  ["writerside", /^writerside\b/i],
  ["yard", /^yard\b/i]
] as const

/** The id of a documentation generator that we recognise. */
export type KnownGenerator = (typeof GENERATORS)[number][0]

/** The documentation generator that at least half of the pages were made by; `null`: none that we know. */
export const siteGenerator = (pages: ReadonlyArray<Pick<Page, "generators">>): KnownGenerator | null =>
  GENERATORS.find(([, pattern]) => {
    const made = pages.filter(({ generators }) => generators.some((name) => pattern.test(name))).length
    return made > 0 && made * 2 >= pages.length
  })?.[0] ?? null
