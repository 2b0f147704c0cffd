import { describe, expect, it } from "vitest"
import { isProgramming, languageOfLabel, normaliseLanguage } from "../../../engine/page/code/CodeLanguage.ts"
import { countedLanguage } from "../../../engine/page/code/CountedLanguage.ts"
import { installLines, isInstaller } from "../../../engine/page/code/InstallLine.ts"
import type { CodeBlock } from "../../../engine/page/Page.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const blocks = (body: string): ReadonlyArray<CodeBlock> =>
  readPage({ answer: answerOf(`${ORIGIN}/`, `<!doctype html><body><main>${body}</main>`) }).codeBlocks

const languages = (body: string): ReadonlyArray<string | null> => blocks(body).map(({ language }) => language)

describe("the language of a block", () => {
  it.each([
    ["code's class", "<pre><code class=language-js>a</code></pre>", "javascript"],
    ["an unknown language, named by the block itself", "<pre><code class=language-brandnew>a</code></pre>", "brandnew"],
    [
      "a Sphinx wrapper",
      "<div class='highlight-python3 notranslate'><div class=highlight><pre>a</pre></div></div>",
      "python"
    ],
    [
      "a wrapper of a table with the numbers of lines",
      "<div class=language-python><table><tr><td><pre>1</pre></td><td><div><pre>a</pre></div></td></tr></table></div>",
      "python"
    ],
    ["a wrapper without a language", "<div class='highlight-default notranslate'><pre>a</pre></div>", null],
    ["a wrapper that is called after something else", "<div class=language-switcher><pre>a</pre></div>", null],
    ["a data attribute", "<pre data-language=rb>a</pre>", "ruby"],
    ["pkgdown", "<pre class='downlit sourceCode r'><code class='sourceCode R'>a</code></pre>", "r"],
    ["Slate", "<pre class='highlight shell tab-shell'>a</pre>", "shell"],
    ["YARD", "<pre class='example code'><code>a</code></pre>", null],
    ["a brush", "<pre class='brush: ts'>a</pre>", "typescript"],
    ["nothing", "<pre>a</pre>", null]
  ])("by %s", (_, body, language) => {
    expect(languages(body)).toEqual([language])
  })

  it("by the tab that shows it: by reference, or by its place among the panels", () => {
    expect(
      languages(
        "<div><button role=tab id=t1>cURL</button></div><div role=tabpanel aria-labelledby=t1><pre>a</pre></div>" +
          "<ul><li role=tab>Node.js</li><li role=tab>Python SDK</li></ul><div><div role=tabpanel><pre>a</pre></div><div role=tabpanel hidden><pre>b</pre></div></div>"
      )
    ).toEqual(["shell", "javascript", "python"])
  })

  it.each([
    [
      "Docusaurus",
      "<div class=tabs-container><ul role=tablist class=tabs><li role=tab tabindex=0 aria-selected=true class='tabs__item tabs__item--active'>Python</li><li role=tab class=tabs__item>Ruby</li></ul>" +
        "<div class=margin-top--md><div role=tabpanel><div class=codeBlockContainer><div class=codeBlockContent><pre tabindex=0><code>a</code></pre></div></div></div>" +
        "<div role=tabpanel hidden><div class=codeBlockContainer><div class=codeBlockContent><pre><code>b</code></pre></div></div></div></div></div>"
    ],
    [
      "Slate",
      "<pre class='highlight python tab-python'><code>a</code></pre><pre class='highlight ruby tab-ruby'><code>b</code></pre>"
    ],
    [
      "Slate, where its highlighter knows the language by another name",
      "<div class=highlight><pre class='highlight plaintext tab-python--requests'><code>a</code></pre></div><div class=highlight><pre class='highlight tab-ruby--v2'><code>b</code></pre></div>"
    ],
    [
      "MkDocs, panels below all labels",
      "<div class='tabbed-set tabbed-alternate' data-tabs='1:2'><input checked id=__tabbed_1_1 name=__tabbed_1 type=radio><input id=__tabbed_1_2 name=__tabbed_1 type=radio>" +
        "<div class=tabbed-labels><label for=__tabbed_1_1>Python</label><label for=__tabbed_1_2>Ruby</label></div>" +
        "<div class=tabbed-content><div class=tabbed-block><div class=highlight><pre><span></span><code>a</code></pre></div></div><div class=tabbed-block><div class=highlight><pre><span></span><code>b</code></pre></div></div></div></div>"
    ],
    [
      "MkDocs, each panel after its label",
      "<div class=tabbed-set data-tabs='1:2'><input checked id=__tabbed_1_1 name=__tabbed_1 type=radio><label for=__tabbed_1_1>Python</label><div class=tabbed-content><pre><code>a</code></pre></div>" +
        "<input id=__tabbed_1_2 name=__tabbed_1 type=radio><label for=__tabbed_1_2>Ruby</label><div class=tabbed-content><pre><code>b</code></pre></div></div>"
    ],
    [
      "Starlight",
      "<starlight-tabs><div class=tablist-wrapper><ul role=tablist><li role=presentation class=tab><a role=tab href='#tab-panel-0' id=tab-0 aria-selected=true>Python</a></li><li role=presentation class=tab><a role=tab href='#tab-panel-1' id=tab-1>Ruby</a></li></ul></div>" +
        "<div id=tab-panel-0 aria-labelledby=tab-0 role=tabpanel><div class=expressive-code><figure class=frame><figcaption class=header></figcaption><pre data-language=plaintext><code>a</code></pre></figure></div></div>" +
        "<div id=tab-panel-1 aria-labelledby=tab-1 role=tabpanel hidden><div class=expressive-code><figure class=frame><pre><code>b</code></pre></figure></div></div></starlight-tabs>"
    ],
    [
      "Starlight, where panels have no label of their own",
      "<starlight-tabs><div><ul role=tablist><li role=presentation><a role=tab href='#tab-panel-0'>Python</a></li><li role=presentation><a role=tab href='#tab-panel-1'>Ruby</a></li></ul></div>" +
        "<section id=tab-panel-0 role=tabpanel><pre><code>a</code></pre></section><section id=tab-panel-1 role=tabpanel hidden><pre><code>b</code></pre></section></starlight-tabs>"
    ],
    [
      "sphinx-tabs",
      "<div class='sphinx-tabs docutils container'><div aria-label='Tabbed content' class=closeable role=tablist><button aria-controls=panel-0-0-0 aria-selected=true class=sphinx-tabs-tab id=tab-0-0-0 name=0-0 role=tab>Python</button><button aria-controls=panel-0-0-1 class=sphinx-tabs-tab id=tab-0-0-1 role=tab>Ruby</button></div>" +
        "<div aria-labelledby=tab-0-0-0 class=sphinx-tabs-panel id=panel-0-0-0 role=tabpanel><div class='highlight-default notranslate'><div class=highlight><pre>a</pre></div></div></div>" +
        "<div aria-labelledby=tab-0-0-1 class=sphinx-tabs-panel hidden id=panel-0-0-1 role=tabpanel><div class='highlight-default notranslate'><div class=highlight><pre>b</pre></div></div></div></div>"
    ],
    [
      "sphinx-design",
      "<div class='sd-tab-set docutils'><input checked id=sd-tab-item-0 name=sd-tab-set-0 type=radio><label class=sd-tab-label for=sd-tab-item-0>Python</label><div class='sd-tab-content docutils'><div class='highlight-default notranslate'><div class=highlight><pre>a</pre></div></div></div>" +
        "<input id=sd-tab-item-1 name=sd-tab-set-0 type=radio><label class=sd-tab-label for=sd-tab-item-1>Ruby</label><div class='sd-tab-content docutils'><div class='highlight-default notranslate'><div class=highlight><pre>b</pre></div></div></div></div>"
    ],
    [
      "VitePress",
      "<div class=vp-code-group><div class=tabs><input type=radio name=group-a id=tab-a checked><label for=tab-a>Python</label><input type=radio name=group-a id=tab-b><label for=tab-b>Ruby</label></div>" +
        "<div class=blocks><div class='language- active'><pre><code>a</code></pre></div><div class=language-><pre><code>b</code></pre></div></div></div>"
    ],
    [
      "a script that goes by data-tab",
      "<div class=tabs><button data-tab=py>Python</button><button data-tab=rb>Ruby</button></div><p>Each needs a key.</p>" +
        "<div id=tab-py><pre><code>a</code></pre></div><div data-tab=rb><pre><code>b</code></pre></div>"
    ],
    [
      "a script that goes by aria-controls, in another order",
      "<div role=tablist><a role=tab aria-controls=q2>Ruby</a><a role=tab href=#q1>Python</a></div><div><div id=q1><pre>a</pre></div><div id=q2><pre>b</pre></div></div>"
    ],
    [
      "a highlighter with a name of its own for a language",
      "<ul><li role=tab>Python</li><li role=tab>Ruby</li></ul><div><div role=tabpanel><pre><code class=language-quillpy>a</code></pre></div><div role=tabpanel><pre><code class=language-ruby>b</code></pre></div></div>"
    ]
  ])("by the tabs of %s", (_, body) => {
    expect(languages(body)).toEqual(["python", "ruby"])
  })

  it("is not that of a button that opens something else", () => {
    expect(languages("<button data-tab=py>Python</button><div id=happy><pre>a</pre></div>")).toEqual([null])
    expect(languages("<a href=#a1>Python</a><div id=a1><pre>a</pre></div>")).toEqual([null])
  })

  it("is what a tag names before its second name", () => {
    expect(["javascript--nodejs", "shell--curl", "http--1"].map(normaliseLanguage)).toEqual([
      "javascript",
      "shell",
      "http"
    ])
  })

  it("is JSON where the block is, whatever its tag says", () => {
    const counted = [
      '{"id": 7}',
      '[\n  {"id": 7},\n  …\n]',
      '{\n  "id": 7,\n  "lines": [ ... ]\n}',
      "[1, 2, 3]",
      "{ id: 7 }",
      "[x for x in y]",
      '{"a"}',
      '["a"].map(print)'
    ].map((text) => countedLanguage({ text, language: "javascript" }))
    expect(counted).toEqual(["json", "json", "json", "json", "javascript", "javascript", "javascript", "javascript"])
  })

  it("by a file name over it", () => {
    expect(blocks("<div><div class=filename>client.go</div><pre>a</pre></div>")).toMatchObject([
      { label: "client.go", language: "go" }
    ])
  })

  it("has one name for each language, and none for data", () => {
    expect(["sh", "bash", "console", "TS", "yml", ""].map(normaliseLanguage)).toEqual([
      "shell",
      "shell",
      "shell",
      "typescript",
      "yaml",
      null
    ])
    expect(["typescript", "shell", "brandnew"].every(isProgramming)).toBe(true)
    expect(["json", "yaml", "text", "output", "http", "html"].some(isProgramming)).toBe(false)
  })

  it("is not read into prose", () => {
    expect(["Response", "Go to settings", "Example output", "C"].map(languageOfLabel)).toEqual([null, null, null, "c"])
  })

  it("is shell where an untagged block begins as a command line", () => {
    const counted = [
      "$ ls",
      "npm install x",
      "const a = 1",
      "pipeline = 1",
      "Examples:\n\nAs a call\n> curl --user me http://127.0.0.1:8232/",
      "see curl https://a.test"
    ].map((text) => countedLanguage({ text, language: null }))
    expect(counted).toEqual(["shell", "shell", null, null, "shell", null])
  })
})

describe("the text of a block", () => {
  it("has its lines as shown, without line numbers and buttons", () => {
    expect(
      blocks("<pre><span class=lineno>1</span>a<br><div>b</div><div>c</div><button>Copy</button></pre>")
    ).toMatchObject([{ text: "a\nb\nc", lines: 3 }])
  })

  it.each([
    [
      "are blocks by their style",
      "<pre><code><span style='display:block'>a <i style='display: inline-block'>b</i></span><span style='display:block'>c</span></code></pre>"
    ],
    ["are named lines side by side", "<pre><span class=token-line>a b</span><span class=token-line>c</span></pre>"],
    [
      "are named lines with a break in each",
      "<pre><span class=code-line>a b<br></span><span class=code-line>c<br></span></pre>"
    ],
    ["are named lines with breaks between them", "<pre><span class=line>a b</span>\n<span class=line>c</span></pre>"],
    ["are told by an attribute", "<pre><span data-line=1>a b</span><span data-line=2>c</span></pre>"],
    [
      "have Prism's tokens, some of which are named after a line",
      "<pre><span class=token-line><span class='token request-line'>a</span><span class='token request-line'> </span><span class='token request-line'>b</span></span><span class=token-line>c</span></pre>"
    ],
    ["are parts of lines", "<pre><span class=outline>a</span><span class=inline> b</span>\nc</pre>"],
    [
      "are in a block in a block, beside their numbers",
      "<pre><code><table class=rouge-table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2</pre></td><td class=rouge-code><pre>a b\nc</pre></td></tr></table></code></pre>"
    ],
    [
      "have their numbers in a cell of a table",
      "<table><tr><td><div><pre><span>1</span>\n<span>2</span></pre></div></td><td><div><pre><code>a b\nc</code></pre></div></td></tr></table>"
    ]
  ])("has its lines where they %s", (_, body) => {
    expect(blocks(body).map(({ text }) => text)).toEqual(["a b\nc"])
  })

  it("has numbers where they are not those of lines", () => {
    expect(blocks("<table><tr><td><pre>1\n2</pre></td><td>Two lines</td></tr></table>")).toHaveLength(1)
    const steps = "<table><tr><td><pre>1</pre><td><pre>a</pre><tr><td><pre>2</pre><td><pre>b</pre></table>"
    expect(blocks(steps)).toHaveLength(4)
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
    ['install.packages("acme")', "cran", "acme"],
    ["npm install", "npm", ""],
    ['uv add "acme[cli]"', "uv", "acme"],
    ['  {:acme, "~> 1.0"}', "mix", "acme"],
    ["docker pull acme/server:1.2", "docker", "acme/server:1.2"],
    ["curl -fsSL https://acme.example/install.sh | sh", "script", "https://acme.example/install.sh"]
  ])("%s", (line, manager, name) => {
    expect(installLines(line)).toMatchObject([{ manager, package: name }])
  })

  it("say the language of a library, and none of a program", () => {
    const languages = [
      "npm install acme",
      "npm install -g acme",
      "go get github.com/acme/sdk",
      "go install github.com/acme/cli@latest",
      "cargo add acme",
      "cargo install acme",
      "uv add acme",
      "uv tool install acme",
      "dotnet tool install acme"
    ].flatMap((line) => installLines(line).map(({ language }) => language))
    expect(languages).toEqual(["javascript", null, "go", null, "rust", null, "python", null, null])
  })

  it("are commands, not words about them", () => {
    expect(installLines("Use npm to install it\nnpm run build")).toEqual([])
  })

  it("are told from scripts fetched and run", () => {
    expect(isInstaller("curl -fsSL https://acme.example/install | sudo bash")).toBe(true)
    expect(isInstaller("curl https://api.acme.example/v1/users | jq .")).toBe(false)
  })
})
