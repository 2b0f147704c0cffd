import { describe, expect, test } from "vitest"
import { headEnd, withHead } from "../../../engine/fix/overlay/HeadInsertion.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

describe("the end of a head", () => {
  test.each([
    ["an attribute's value in double quotes", '<meta content="write </head> and <body class">'],
    ["an attribute's value in single quotes", "<meta content = '</head>'>"],
    ["an attribute without quotes that has one", "<meta content=a=\"b><meta content=it's>"],
    ["the tag of a script, and its text", '<script data-x="</script></head>">"</head>"</script>'],
    ["a comment, also an empty one", "<!-- </head> --><!--><!-- </head> --!>"],
    ["a title", "<title>The </head> tag</title>"],
    ["a template, also one in another", "<template><template></template><body></head></template>"],
    ["a declaration, or an end tag that ends nothing", "<!doctype html '><?php \"?></p></ b></title>"],
    ["white space after a byte order mark", "\xef\xbb\xbf \n\t"]
  ])("is not taken from %s", (_, before) => {
    expect(headEnd(`${before}</head><body>`)).toBe(before.length)
    expect(headEnd(`${before}<BODY class="a">`)).toBe(before.length)
  })

  // HTML lets both tags be left out: the first thing that no head may hold begins the body.
  test.each([
    ["an element of the body", '<div class="a"><p>Text</p></div>'],
    ["text", "Text <b>bold</b>"],
    ["a sign that begins no tag", "< 2"],
    ["the end of the document", "</html>"],
    ["a line break", "</br>"],
    ["frames", "<frameset><frame></frameset>"]
  ])("is where %s begins the body without a tag", (_, body) => {
    for (const head of [
      "<!doctype html><html lang=en><meta charset=utf-8><title>T</title>\n",
      '<html><head><script>if (1 < 2) x = "<p>"</script>',
      "\xef\xbb\xbf<!doctype html>\n<!-- <p> -->\n"
    ]) {
      expect(headEnd(`${head}${body}`)).toBe(head.length)
    }
  })

  test("is not found in a piece of HTML that does not say that it is a page", () => {
    for (const piece of ["<p>no head</p>", "Text", "<div><title>T</title></div>", "<!-- --><p>"])
      expect(headEnd(piece)).toBe(-1)
    expect(withHead(new TextEncoder().encode("<p>no head</p>"), "<meta>", "utf-8")).toBeNull()
  })

  test("is not looked for in charsets whose bytes are not those of ASCII", () => {
    expect(withHead(Buffer.from("\ufeff<!doctype html><head></head>", "utf16le"), "<meta>", "utf-16le")).toBeNull()
    expect(
      withHead(
        Buffer.from("<!doctype html><head><title>\x1b$B4A;z\x1b(B</title></head>", "latin1"),
        "<meta>",
        "iso-2022-jp"
      )
    ).toBeNull()
  })

  test("is found in a page in UTF-8 that shows the escape sequences of a terminal", () => {
    const page = "<!doctype html><head></head><body><pre>\x1b(B\x1b$B</pre></body>"
    expect(Buffer.from(withHead(Buffer.from(page), "<meta>", "utf-8") ?? "").toString()).toBe(
      page.replace("</head>", "<meta></head>")
    )
  })

  test("is not found where a tag, a comment or an element never ends", () => {
    for (const open of ['<a title="', "<!-- ", "<script>", "<title></titles>", "<template>"])
      expect(headEnd(`${open}</head><body `)).toBe(-1)
  })

  test("is found in time that grows with the page", () => {
    for (const part of [
      "<",
      "<a ",
      "<a b=",
      '<a b="',
      "<!--",
      "<script>",
      "</script",
      "<a b='c'",
      "= ",
      "<title></title"
    ]) {
      const before = cpuMs()
      headEnd(part.repeat(200_000))
      expect(cpuMs() - before).toBeLessThan(2_000)
    }
  })
})
