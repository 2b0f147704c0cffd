import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { commitBranch, openCheckout, whyNotAdded } from "../../../../cli/fix/pull/Checkout.ts"
import { pullTarget } from "../../../../cli/fix/pull/PullRequest.ts"
import { staticFolders } from "../../../../cli/fix/pull/StaticFolder.ts"
import type { GeneratedFile } from "../../../../engine/fix/site/GeneratedFile.ts"
import { runCli } from "../../RunCli.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-pull-"))
afterAll(() => rmSync(root, { recursive: true }))

const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" })

let count = 0

/** A repository with these files in its only commit. */
const repository = (files: Readonly<Record<string, string>>): string => {
  const folder = join(root, `repository-${count++}`)
  mkdirSync(folder)
  git(folder, "init", "--quiet", "--initial-branch=main")
  git(folder, "config", "user.name", "Writer")
  git(folder, "config", "user.email", "writer@example.com")
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git(folder, "add", ".")
  git(folder, "commit", "--quiet", "-m", "Begin")
  return folder
}

const run = <A>(effect: Effect.Effect<A, { readonly message: string }>): Promise<A | string> =>
  Effect.runPromise(Effect.match(effect, { onFailure: ({ message }) => message, onSuccess: (value) => value }))

const checkoutOf = (folder: string) => Effect.runPromise(openCheckout(folder))

describe("the branch of a pull request", () => {
  test("leaves working tree, index and branch as they are, runs no hook, and has the files on top of the commit", async () => {
    const folder = repository({ "docs/guide.md": "# Guide\n" })
    writeFileSync(join(folder, ".git/hooks/pre-commit"), "#!/bin/sh\ntouch hooked\n", { mode: 0o755 })
    writeFileSync(join(folder, "docs/guide.md"), "# Guide, changed\n")
    writeFileSync(join(folder, "new.md"), "# New\n")
    git(folder, "add", "new.md")
    const before = [
      git(folder, "status", "--porcelain"),
      git(folder, "rev-parse", "HEAD"),
      git(folder, "branch", "--show-current")
    ]
    const branch = await Effect.runPromise(
      commitBranch(await checkoutOf(join(folder, "docs")), "Add files\n\nBecause.\n", [
        { path: "static/llms.txt", text: "# Quill\n" },
        { path: "static/a folder/ünï.md", text: "# With \u201cquotes\u201d\n" }
      ])
    )
    expect(branch).toBe("docgauge-files")
    expect([
      git(folder, "status", "--porcelain"),
      git(folder, "rev-parse", "HEAD"),
      git(folder, "branch", "--show-current")
    ]).toEqual(before)
    expect(git(folder, "show", `${branch}:static/llms.txt`)).toBe("# Quill\n")
    expect(git(folder, "show", `${branch}:static/a folder/ünï.md`)).toBe("# With \u201cquotes\u201d\n")
    expect(git(folder, "show", `${branch}:docs/guide.md`)).toBe("# Guide\n")
    expect(git(folder, "rev-parse", `${branch}^`).trim()).toBe(before[1]?.trim())
    expect(git(folder, "log", "-1", "--format=%an %s", branch).trim()).toBe("Writer Add files")
    expect(existsSync(join(folder, "hooked"))).toBe(false)
    expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1)
  })

  test("has a name of its own where an earlier one is there", async () => {
    const folder = repository({ "a.md": "# A\n" })
    git(folder, "branch", "docgauge-files")
    expect(await Effect.runPromise(commitBranch(await checkoutOf(folder), "Add\n", [{ path: "b", text: "b\n" }]))).toBe(
      "docgauge-files-2"
    )
  })

  test("takes no file over one that is there, nor through a link", async () => {
    const folder = repository({ "static/robots.txt": "User-agent: *\n", "other/x": "x\n" })
    symlinkSync("../other", join(folder, "static/linked"))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Link")
    const checkout = await checkoutOf(folder)
    expect(whyNotAdded(checkout, "static/robots.txt")).toBe("is in the repository already")
    expect(whyNotAdded(checkout, "static/linked/llms.txt")).toBe(
      "is below static/linked, which is a file, a link or a submodule"
    )
    expect(whyNotAdded(checkout, "static")).toBe("is a folder in the repository")
    expect(whyNotAdded(checkout, "static/llms.txt")).toBeNull()
  })

  test("needs a checkout with a commit", async () => {
    const bare = join(root, "no-repository")
    mkdirSync(bare)
    expect(await run(openCheckout(bare))).toContain("this folder is in none. Run it in the repository")
    git(bare, "init", "--quiet")
    expect(await run(openCheckout(bare))).toContain("has no commit yet")
  })
})

describe("the folder of static files", () => {
  test.each<readonly [string, string, string, string, boolean, string | null]>([
    [
      "Docusaurus",
      "website/docusaurus.config.ts",
      "export default { baseUrl: '/quill/' }",
      "website/static",
      true,
      "/quill/"
    ],
    ["VitePress", "docs/.vitepress/config.mts", "export default { base: '/q/' }", "docs/public", true, "/q/"],
    ["Astro", "astro.config.mjs", "export default {}", "public", true, null],
    ["Hugo", "hugo.toml", 'baseURL = "https://quill.example/docs/"', "static", true, "/docs/"],
    ["MkDocs", "mkdocs.yml", "site_url: https://quill.example/docs\ndocs_dir: pages", "pages", false, "/docs/"],
    [
      "mdBook",
      "book/book.toml",
      '[book]\nsrc = "text"\n[output.html]\nsite-url = "/quill/latest/"',
      "book/text",
      false,
      "/quill/latest/"
    ],
    ["Sphinx", "docs/conf.py", 'html_extra_path = ["extra"]', "docs/extra", true, null],
    ["Jekyll", "_config.yml", "title: Quill", "", false, null]
  ])("of %s is known by its configuration", async (generator, config, text, path, takesMarkdown, base) => {
    const { folders } = await Effect.runPromise(
      staticFolders(await checkoutOf(repository({ [config]: text, "examples/x/docusaurus.config.js": "" })))
    )
    expect(folders).toMatchObject([{ generator, path, takesMarkdown, base }])
  })

  test("is asked for where there is none, or several", async () => {
    const none = repository({ "docs/conf.py": "project = 'Quill'\n" })
    const target = (folder: string, given: string | null) =>
      run(Effect.map(pullTarget(folder, "https://quill.example/", given, null), (one) => one.folder.path))
    expect(await target(none, null)).toContain(
      "Sphinx (docs/conf.py) names none (for Sphinx, set html_extra_path). Name it with --static"
    )
    expect(await target(none, "docs/extra/")).toBe("docs/extra")
    expect(await target(none, "../elsewhere")).toContain("--static takes a folder of this repository")
    const two = repository({ "mkdocs.yml": "", "website/docusaurus.config.js": "" })
    expect(await target(two, null)).toContain("docs (MkDocs), website/static (Docusaurus). Name the one")
  })

  test("takes a file that completes the owner's only where the repository has it as it is published", async () => {
    const folder = repository({
      "docusaurus.config.js": "",
      "static/robots.txt": "User-agent: *\r\nAllow: /\r\n",
      "static/llms.txt": "# Other\n"
    })
    const { whyNot } = await Effect.runPromise(pullTarget(folder, "https://quill.example/", null, null))
    const file = (path: string, completes: string | null): GeneratedFile => ({
      path,
      url: `https://quill.example/${path}`,
      plugins: ["a3-robots-policy"],
      text: "more\n",
      completes
    })
    const why = (path: string, completes: string | null) => Effect.runPromise(whyNot(file(path, completes)))
    expect(await why("robots.txt", "User-agent: *\nAllow: /\n")).toBeNull()
    expect(await why("llms.txt", "# Quill\n")).toContain("is not in the repository as it is published")
    expect(await why("sitemap.xml", "<urlset/>")).toContain("is made by the build")
    expect(await why("robots.txt", null)).toBe("is in the repository already")
  })

  test("is published where the documentation of a project is", async () => {
    const target = (files: Readonly<Record<string, string>>, url: string) =>
      Effect.runPromise(pullTarget(repository(files), url, null, null))
    const book = await target({ "book.toml": "" }, "https://quill.github.io/quill/latest/")
    expect(book.pathOf("quill/latest/llms.txt")).toBe("src/llms.txt")
    expect(book.pathOf("robots.txt")).toBeNull()
    const hugo = await target({ "hugo.toml": "" }, "https://quill.example/docs/")
    expect(hugo.pathOf("docs/llms.txt")).toBe("static/docs/llms.txt")
    const pages = await target({ "docusaurus.config.js": "" }, "https://quill.github.io/quill/docs/")
    expect(pages.pathOf("quill/docs/llms.txt")).toBe("static/docs/llms.txt")
  })
})

describe("docgauge fix --pull-request", () => {
  test("commits what the generator publishes as it is, links only to what is in the branch, and tells the gain of that alone", async () => {
    const folder = repository({ "mkdocs.yml": "site_name: Quill\n", "docs/index.md": "# Quill\n" })
    const build = join(root, "build")
    mkdirSync(build)
    for (const name of ["index", "guide", "errors", "keys"])
      writeFileSync(
        join(build, `${name}.html`),
        `<!doctype html><html lang="en"><head><title>${name} | Quill</title></head><body><main><h1>${name}</h1><p>What ${name} means for an order, and what comes back when the order ${name} is accepted by the service.</p><a href="guide.html">Guide</a> <a href="errors.html">Errors</a> <a href="keys.html">Keys</a></main></body></html>`
      )
    const { code, stdout } = await runCli(
      ["fix", build, "--as", "https://docs.quill.example", "--pull-request", "--ai", "allow", "--format", "json"],
      { cwd: folder }
    )
    expect(code).toBe(0)
    const plan: {
      readonly score: number
      readonly score_before: number
      readonly files: ReadonlyArray<{ readonly path: string }>
    } = JSON.parse(stdout)
    const files = git(folder, "diff", "--name-only", "main", "docgauge-files").trim().split("\n")
    expect(files).toEqual(["docs/llms-full.txt", "docs/llms.txt", "docs/robots.txt", "docs/sitemap.xml"])
    expect(git(folder, "show", "docgauge-files:docs/llms.txt")).not.toContain(".md")
    const text = readFileSync(join(folder, "docgauge-fix/PULL_REQUEST.md"), "utf8")
    expect(text).toContain(`the score of the documentation goes ${plan.score_before} → ${plan.score} of 100`)
    expect(text).toContain("MkDocs would build Markdown in this folder as pages")
    expect(plan.files.map(({ path }) => path).sort()).toEqual(
      files.map((path) => path.replace("docs/", "site/")).sort()
    )
  })

  test("refuses what would write elsewhere", async () => {
    const folder = repository({ "mkdocs.yml": "" })
    const { code, stderr } = await runCli(["fix", "https://docs.quill.example", "--pull-request", "--plan"], {
      cwd: folder
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining("so --plan cannot be used with it")])
  })
})
