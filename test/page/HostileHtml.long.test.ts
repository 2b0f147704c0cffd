import { describe, expect, it } from "vitest"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../site/FakeContext.ts"
import { cpuMs } from "../harness/CpuTime.ts"

const START = "<!doctype html><body><main><h1>Title</h1><p>What a reader wants to know is here.</p>"

/** A quarter of the longest body that is kept; the time allowed is far from quadratic behaviour and generous to slow machines. */
const CHARACTERS = 1_250_000
const MILLISECONDS = 5_000

const repeated = (unit: string): string => START + unit.repeat(Math.floor(CHARACTERS / unit.length))

describe("a hostile page", () => {
  it.each([
    ["200 000 nested elements", START + "<div>".repeat(200_000)],
    ["nested formatting", START + "<b>".repeat(200_000)],
    ["formatting that is never closed", repeated("<p><b a=1></p><p><i b=2></p>")],
    ["elements fostered out of a table", repeated("<table><br>x")],
    ["elements fostered out of one table", `${START}<table>${"<br>x".repeat(250_000)}`],
    ["links in tables in links", repeated("<a><table>")],
    [
      "an element with 300 000 attributes",
      `${START}<a ${Array.from({ length: 300_000 }, (_, n) => `a${n}`).join(" ")}>x</a>`
    ],
    ["300 000 classes", `${START}<div class="${"x ".repeat(300_000)}">x</div>`],
    ["headings beside each other", repeated("<h2>x</h2>")],
    ["code blocks beside each other", repeated("<pre>x</pre>")],
    ["nested tables", repeated("<table><tr><td>")],
    ["nested containers", repeated("<article>x")],
    ["sidebars in sidebars", repeated("<div class=sidebar>x")],
    ["methods without paths", repeated("GET ")],
    ["brackets that never close", `${START}<script>Redoc.init({${"[".repeat(CHARACTERS)}</script>`],
    ["deep JSON-LD", `${START}<script type=application/ld+json>${"[".repeat(500_000)}${"]".repeat(500_000)}</script>`],
    ["shadow roots beside each other", repeated("<p><template shadowrootmode=open><slot></slot></template>x</p>")],
    ["shadow roots in shadow roots", repeated("<q-a><template shadowrootmode=open><i><slot></slot></i></template>")],
    [
      "shadow roots in the slots of shadow roots",
      repeated("<q-a><template shadowrootmode=open><slot></slot></template>")
    ],
    ["many slots", `${START}<q-a><template shadowrootmode=open>${"<slot>x</slot>".repeat(50_000)}</template></q-a>`],
    ["elements for readers without scripts", repeated("<noscript><p>x</p></noscript>")],
    ["one element for readers without scripts", `${START}<noscript>${"<div>".repeat(200_000)}`],
    ["frames", repeated("<iframe src=a></iframe>")],
    ["NULs", repeated("\0x")],
    ["white space", repeated(" \n")],
    ["one long word", repeated("x")]
  ])("of %s is read in bounded time", (_, body) => {
    const started = cpuMs()
    const page = readPage({ answer: answerOf(`${ORIGIN}/`, body) })
    expect(cpuMs() - started).toBeLessThan(MILLISECONDS)
    expect(page.headings[0]?.text ?? page.format).toMatch(/Title|other/)
  })

  it("keeps what came before its depth went too far", () => {
    const page = readPage({ answer: answerOf(`${ORIGIN}/`, START + "<div>".repeat(10_000)) })
    expect(page).toMatchObject({
      substance: "substantive",
      main: { text: "Title\nWhat a reader wants to know is here." }
    })
  })

  it("may be bytes of any kind", () => {
    const body = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 256)
    expect(() => readPage({ answer: answerOf(`${ORIGIN}/`, { body }) })).not.toThrow()
  })
})
