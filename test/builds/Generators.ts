import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { markdownPages, SITE, type Sources, textPages } from "./Sources.ts"

const run = promisify(execFile)

/** A generator that a small site is built with, plain and as its recipe says. */
export interface Generator {
  /** As in recipes.yaml. */
  readonly tool: string
  /** What it is made of: npm packages by name and version, or a program of the system. */
  readonly needs:
    | { readonly npm: ReadonlyArray<string> }
    | { readonly program: string; readonly debian: string; readonly tells?: ReadonlyArray<string> }
  readonly sources: Sources
  /** The files that differ: before and after the recipe. */
  readonly plain: Sources
  readonly recipe: Sources
  /** Builds into a folder below the site's; `with recipe` tells which of the two it is. */
  readonly build: (folder: string, output: string) => Promise<unknown>
}

const vitepressConfig = (imports: string, options: string): string =>
  `import { defineConfig } from "vitepress"\n${imports}\nexport default defineConfig({ title: "Lantern API", lang: "en", ${options} themeConfig: { sidebar: [{ text: "Guide", items: [{ text: "Keys", link: "/guide/keys" }, { text: "Lamps", link: "/guide/lamps" }] }] } })\n`

const docusaurusConfig = (sitemap: string, plugins: string): string =>
  `module.exports = { title: "Lantern API", tagline: "Documentation of the Lantern API", url: "${SITE}", baseUrl: "/", presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, sitemap: ${sitemap} }]], plugins: [${plugins}] }\n`

const HUGO_CONFIG = `baseURL = "${SITE}/"\ntitle = "Lantern API"\nlanguageCode = "en"\ndisableKinds = ["taxonomy", "term", "RSS"]\n`

/** Pages below another folder, with links from the root that end as the generator's URLs do. */
const withRootLinks = (folder: string, ending: string, pages: Sources): Sources =>
  Object.fromEntries(
    Object.entries(pages).map(([path, text]) => [
      path.replace("docs/", folder),
      text.replaceAll(/\]\(\.\/(?:guide\/)?(\w+)\.md\)/g, `](/guide/$1${ending})`)
    ])
  )

/** Hugo has no theme of its own; its pages are those of the other generators, below `content/`. */
const hugoPages = (): Sources =>
  Object.fromEntries(
    Object.entries(withRootLinks("content/", "/", markdownPages())).map(([path, text]) => [
      path.replace("content/index.md", "content/_index.md"),
      text
    ])
  )

const jekyllPages = (): Sources =>
  Object.fromEntries(
    Object.entries(withRootLinks("", ".html", markdownPages())).map(([path, text]) => [
      path,
      text.replace("---\n", "---\nlayout: default\n")
    ])
  )

const jekyllLayout = (seo: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ page.title }} | {{ site.title }}</title>${seo}</head><body><main>{{ content }}</main></body></html>\n`

const starlightConfig = (imports: string, site: string, options: string): string =>
  `import { defineConfig } from "astro/config"\nimport starlight from "@astrojs/starlight"\n${imports}\nexport default defineConfig({ ${site} integrations: [starlight({ title: "Lantern API"${options} })] })\n`

const hugoLayout = (more: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }} | {{ .Site.Title }}</title><meta name="description" content="{{ .Description }}"></head><body><main>{{ .Content }}${more}</main></body></html>\n`

export const GENERATORS: ReadonlyArray<Generator> = [
  {
    tool: "vitepress",
    needs: { npm: ["vitepress@1.6.4", "vitepress-plugin-llms@1.14.0"] },
    sources: { "package.json": '{ "type": "module" }', ...markdownPages() },
    plain: { "docs/.vitepress/config.mjs": vitepressConfig("", "") },
    recipe: {
      "docs/.vitepress/config.mjs": vitepressConfig(
        'import llmstxt from "vitepress-plugin-llms"',
        `sitemap: { hostname: "${SITE}" }, lastUpdated: true, vite: { plugins: [llmstxt({ domain: "${SITE}" })] },`
      )
    },
    build: (folder, output) =>
      run("npx", ["--no-install", "vitepress", "build", "docs", "--outDir", join(folder, output)], { cwd: folder })
  },
  {
    tool: "docusaurus",
    needs: {
      npm: [
        "@docusaurus/core@3.10.2",
        "@docusaurus/preset-classic@3.10.2",
        "docusaurus-plugin-llms@0.6.1",
        "react@19",
        "react-dom@19"
      ]
    },
    sources: { "package.json": "{}", ...markdownPages("slug: /\n") },
    plain: { "docusaurus.config.js": docusaurusConfig("false", "") },
    recipe: {
      "docusaurus.config.js": docusaurusConfig(
        "{}",
        '["docusaurus-plugin-llms", { generateMarkdownFiles: true, preserveDirectoryStructure: false }]'
      )
    },
    build: (folder, output) => run("npx", ["--no-install", "docusaurus", "build", "--out-dir", output], { cwd: folder })
  },
  {
    tool: "mkdocs",
    needs: { program: "mkdocs", debian: "mkdocs" },
    sources: markdownPages(),
    plain: { "mkdocs.yml": "site_name: Lantern API\n" },
    recipe: { "mkdocs.yml": `site_name: Lantern API\nsite_url: ${SITE}/\n` },
    build: (folder, output) => run("mkdocs", ["-q", "build", "-d", output], { cwd: folder })
  },
  {
    tool: "sphinx",
    // Debian's Python, which has Debian's extensions.
    needs: {
      program: "/usr/bin/python3",
      debian: "python3-sphinx python3-sphinx-sitemap",
      tells: ["-c", "import sphinx, sphinx_sitemap"]
    },
    sources: textPages,
    plain: { "conf.py": 'project = "Lantern API"\n' },
    recipe: {
      "conf.py": `project = "Lantern API"\nextensions = ["sphinx_sitemap"]\nhtml_baseurl = "${SITE}/"\nsitemap_url_scheme = "{link}"\n`
    },
    build: (folder, output) => run("/usr/bin/sphinx-build", ["-q", "-b", "html", ".", output], { cwd: folder })
  },
  {
    tool: "jekyll",
    needs: { program: "jekyll", debian: "jekyll ruby-jekyll-sitemap ruby-jekyll-seo-tag" },
    sources: jekyllPages(),
    plain: { "_config.yml": "title: Lantern API\n", "_layouts/default.html": jekyllLayout("") },
    recipe: {
      "_config.yml": `title: Lantern API\nurl: ${SITE}\nplugins: [jekyll-sitemap, jekyll-seo-tag]\nexclude: [plain]\n`,
      "_layouts/default.html": jekyllLayout("{% seo title=false %}")
    },
    build: (folder, output) => run("jekyll", ["build", "-q", "--disable-disk-cache", "-d", output], { cwd: folder })
  },
  {
    tool: "starlight",
    needs: { npm: ["astro@7.3.5", "@astrojs/starlight@0.42.4", "starlight-llms-txt@0.12.0"] },
    sources: {
      "package.json": '{ "type": "module" }',
      ...withRootLinks("src/content/docs/", "/", markdownPages()),
      "src/content.config.ts":
        'import { defineCollection } from "astro:content"\nimport { docsLoader } from "@astrojs/starlight/loaders"\nimport { docsSchema } from "@astrojs/starlight/schema"\nexport const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }\n'
    },
    plain: { "astro.config.mjs": starlightConfig("", "", "") },
    recipe: {
      "astro.config.mjs": starlightConfig(
        'import starlightLlmsTxt from "starlight-llms-txt"',
        `site: "${SITE}",`,
        ", plugins: [starlightLlmsTxt()]"
      )
    },
    build: (folder, output) =>
      run("npx", ["--no-install", "astro", "build", "--outDir", output], {
        cwd: folder,
        env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" }
      })
  },
  {
    tool: "hugo",
    needs: { program: "hugo", debian: "hugo", tells: ["version"] },
    sources: {
      ...hugoPages(),
      "layouts/_default/single.html": hugoLayout(""),
      "layouts/_default/list.html": hugoLayout(
        '<ul>{{ range .Site.RegularPages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>'
      )
    },
    plain: { "config.toml": HUGO_CONFIG },
    recipe: {
      "config.toml":
        `${HUGO_CONFIG}[mediaTypes."text/markdown"]\nsuffixes = ["md"]\n[outputFormats.markdown]\nmediaType = "text/markdown"\nisPlainText = true\n` +
        '[outputFormats.llms]\nmediaType = "text/plain"\nbaseName = "llms"\nisPlainText = true\n[outputs]\nhome = ["HTML", "markdown", "llms"]\nsection = ["HTML", "markdown"]\npage = ["HTML", "markdown"]\n',
      "layouts/_default/single.md": "{{ .RawContent }}\n",
      "layouts/_default/list.md": "{{ .RawContent }}\n",
      "layouts/index.llms.txt":
        "# {{ .Site.Title }}\n\n> {{ .Description }}\n\n## Pages\n\n{{ range .Site.RegularPages }}- [{{ .Title }}]({{ .Permalink }}): {{ .Description }}\n{{ end }}"
    },
    build: (folder, output) => run("hugo", ["--destination", output], { cwd: folder })
  }
]

/** Writes files below a folder. */
export const write = async (folder: string, files: Sources): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** Makes what a generator needs ready in a folder; what is missing, in words, if it cannot be installed. */
export const prepare = async ({ needs, tool }: Generator, folder: string): Promise<string | null> => {
  if ("program" in needs) {
    return run(needs.program, [...(needs.tells ?? ["--version"])]).then(
      () => null,
      () => `${tool} is missing (apt-get install ${needs.debian})`
    )
  }
  return run("npm", ["install", "--silent", "--no-fund", "--no-audit", ...needs.npm], { cwd: folder }).then(
    () => null,
    () => `npm could not install ${needs.npm.join(", ")}: is there a network?`
  )
}
