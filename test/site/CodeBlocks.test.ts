import { describe, expect, it } from "vitest"
import { countedLanguage, isProgramming, languageOfLabel, normaliseLanguage } from "../../engine/site/CodeLanguage.ts"
import { installLines, isInstaller } from "../../engine/site/InstallLine.ts"
import type { CodeBlock } from "../../engine/site/Page.ts"
import { readPage } from "../../engine/site/ReadPage.ts"
import { answerOf, ORIGIN } from "./FakeGathering.ts"

const blocks = (body: string): ReadonlyArray<CodeBlock> =>
  readPage({ answer: answerOf(`${ORIGIN}/`, `<!doctype html><body><main>${body}</main>`) }).codeBlocks

const languages = (body: string): ReadonlyArray<string | null> => blocks(body).map(({ language }) => language)

describe("the language of a block", () => {
  it.each([
    ["code's class", "<pre><code class=language-js>a</code></pre>", "javascript"],
    ["an unknown language, named by the block itself", "<pre><code class=language-brandnew>a</code></pre>", "brandnew"],
    ["a Sphinx wrapper", "<div class='highlight-python3 notranslate'><div class=highlight><pre>a</pre></div></div>", "python"],
    ["a wrapper without a language", "<div class='highlight-default notranslate'><pre>a</pre></div>", null],
    ["a wrapper that is called after something else", "<div class=language-switcher><pre>a</pre></div>", null],
    ["a data attribute", "<pre data-language=rb>a</pre>", "ruby"],
    ["pkgdown", "<pre class='downlit sourceCode r'><code class='sourceCode R'>a</code></pre>", "r"],
    ["Slate", "<pre class='highlight shell tab-shell'>a</pre>", "shell"],
    ["YARD", "<pre class='example code'><code>a</code></pre>", null],
    ["a brush", "<pre class='brush: ts'>a</pre>", "typescript"],
    ["nobody", "<pre>a</pre>", null]
  ])("by %s", (_, body, language) => {
    expect(languages(body)).toEqual([language])
  })

  it("by the tab that shows it: by reference, or by its place among the panels", () => {
    expect(languages(
      "<div><button role=tab id=t1>cURL</button></div><div role=tabpanel aria-labelledby=t1><pre>a</pre></div>"
        + "<ul><li role=tab>Node.js</li><li role=tab>Python SDK</li></ul><div><div role=tabpanel><pre>a</pre></div><div role=tabpanel hidden><pre>b</pre></div></div>"
    )).toEqual(["shell", "javascript", "python"])
  })

  it("by a file name over it", () => {
    expect(blocks("<div><div class=filename>client.go</div><pre>a</pre></div>")).toMatchObject([{ label: "client.go", language: "go" }])
  })

  it("has one name for each language, and none for data", () => {
    expect(["sh", "bash", "console", "TS", "yml", ""].map(normaliseLanguage)).toEqual(["shell", "shell", "shell", "typescript", "yaml", null])
    expect(["typescript", "shell", "brandnew"].every(isProgramming)).toBe(true)
    expect(["json", "yaml", "text", "output", "http", "html"].some(isProgramming)).toBe(false)
  })

  it("is not read into prose", () => {
    expect(["Response", "Go to settings", "Example output", "C"].map(languageOfLabel)).toEqual([null, null, null, "c"])
  })

  it("is shell where an untagged block begins as a command line", () => {
    const counted = ["$ ls", "npm install x", "const a = 1", "pipeline = 1"].map((text) => countedLanguage({ text, language: null }))
    expect(counted).toEqual(["shell", "shell", null, null])
  })
})

describe("the text of a block", () => {
  it("has its lines as shown, without line numbers and buttons", () => {
    expect(blocks("<pre><span class=lineno>1</span>a<br><div>b</div><div>c</div><button>Copy</button></pre>"))
      .toMatchObject([{ text: "a\nb\nc", lines: 3 }])
  })

  it("keeps the indentation of its first line", () => {
    expect(blocks("<pre>\n\n  a\n    b\n\n</pre>")[0]?.text).toBe("  a\n    b")
  })
})

describe("install lines", () => {
  it.each([
    ["$ npm install -g @acme/sdk@latest", "npm", "@acme/sdk"],
    ["python -m pip install 'acme[http]>=2'", "pip", "acme"],
    ["gem install acme -v 1.0", "gem", "acme"],
    ["go get github.com/acme/sdk@v2", "go", "github.com/acme/sdk"],
    ["install.packages(\"acme\")", "cran", "acme"],
    ["npm install", "npm", ""],
    ["uv add \"acme[cli]\"", "uv", "acme"],
    ["  {:acme, \"~> 1.0\"}", "mix", "acme"],
    ["docker pull acme/server:1.2", "docker", "acme/server:1.2"],
    ["curl -fsSL https://acme.example/install.sh | sh", "script", "https://acme.example/install.sh"]
  ])("%s", (line, manager, name) => {
    expect(installLines(line)).toEqual([{ manager, package: name }])
  })

  it("are commands, not words about them", () => {
    expect(installLines("Use npm to install it\nnpm run build")).toEqual([])
  })

  it("are told from scripts fetched and run", () => {
    expect(isInstaller("curl -fsSL https://acme.example/install | sudo bash")).toBe(true)
    expect(isInstaller("curl https://api.acme.example/v1/users | jq .")).toBe(false)
  })
})
