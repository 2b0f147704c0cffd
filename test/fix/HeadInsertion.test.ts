import { describe, expect, test } from "vitest"
import { headEnd, withHead } from "../../engine/fix/overlay/HeadInsertion.ts"

describe("the end of a head", () => {
  test.each([
    ["an attribute's value in double quotes", "<meta content=\"write </head> and <body class\">"],
    ["an attribute's value in single quotes", "<meta content = '</head>'>"],
    ["an attribute without quotes that has one", "<meta content=a=\"b><meta content=it's>"],
    ["the tag of a script, and its text", "<script data-x=\"</script></head>\">\"</head>\"</script>"],
    ["a comment, also an empty one", "<!-- </head> --><!--><!-- </head> --!>"],
    ["a title", "<title>The </head> tag</title>"],
    ["a template, also one in another", "<template><template></template><body></head></template>"],
    ["a declaration", "<!doctype html '><?php \"?>"],
    ["text", "1 < 2 </ b>"]
  ])("is not taken from %s", (_, before) => {
    expect(headEnd(`${before}</head><body>`)).toBe(before.length)
    expect(headEnd(`${before}<BODY class="a">`)).toBe(before.length)
  })

  test("is not found where a tag, a comment or an element never ends", () => {
    for (const open of ["<a title=\"", "<!-- ", "<script>", "<title></titles>", "<template>"]) expect(headEnd(`${open}</head><body `)).toBe(-1)
    expect(withHead(new TextEncoder().encode("<p>no head</p>"), "<meta>")).toBeNull()
  })

  test("is found in time that grows with the page", () => {
    for (const part of ["<", "<a ", "<a b=", "<a b=\"", "<!--", "<script>", "</script", "<a b='c'", "= ", "<title></title"]) {
      const before = process.cpuUsage().user
      headEnd(part.repeat(200_000))
      expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000)
    }
  })
})
