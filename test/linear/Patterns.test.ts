import { join } from "node:path"
import { analyse } from "scslre"
import { describe, expect, it } from "vitest"
import { builtPatterns, filesThatBuild, type Pattern, ROOT, writtenPatterns } from "./Patterns.ts"

/** Patterns that may take the square of their input's length, and why that does no harm: what they meet is short or our own. */
const ALLOWED: Readonly<Record<string, string>> = {
  "/\\B(?=(?:\\d{3})+$)/g": "the digits of a number",
  "/\\S*$/": "30 characters of a line of a changelog",
  "/^[^/\\n]*routerMode\\s*:\\s*[\"']history[\"']/m": "20,000 characters of a script, once for each line",
  "/::|[A-Za-z]\\w*\\.[A-Z]\\w+|^(?:class|module|interface|enum|package|trait|struct|namespace)\\b/i":
    "the title of a page, 1,000 characters",
  "/[\\s¶#\\u200B-\\u200D\\uFEFF:?!|–—-]+$/u": "161 characters of a heading",
  "/\\s*\\n\\s*/g": "our own API description",
  "/\\b(?:ba|z)?sh\\s+(?:-c\\s+)?[\"'<(]{1,3}\\s*\\$?\\(?\\s*(?:curl|wget)\\b/": "5,000 characters of a code block",
  "/^[\\s•*-]*[`\"'*]*((?:(?:HTTP(?:\\/\\d(?:\\.\\d)?)?|Status|Error|Code)(?:: ?| )){0,3}[45]\\d\\d|[A-Za-z_][\\w.:]{0,80})[`\"'*]*(?:\\s?[:–—-]{1,3}\\s+|\\s+\\(|\\s+)(\\S.*)$/i":
    "400 characters of a line"
}

/** Files that put patterns together which need not be looked at, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  "engine/apispec/examples/PatternMatch.ts": "one character or class of a foreign pattern, for one character",
  "engine/fix/hosts/EdgeFunction.ts": "it writes a function that does so",
  "engine/fix/hosts/HostRules.ts": "the patterns of the owner's own rules, for a path of the owner's own site"
}

const nameOf = ({ flags, source }: Pattern): string => `/${source}/${flags}`

/** What eslint-plugin-regexp's rules on super-linear backtracking and on super-linear moves ask, too. */
const isSuperLinear = ({ flags, source }: Pattern): boolean =>
  analyse({ source, flags }, { reportTypes: { Self: true, Trade: true, Move: true }, assumeRejectingSuffix: false })
    .reports.length > 0

const faultsIn = (patterns: ReadonlyArray<Pattern>): ReadonlyArray<string> =>
  patterns.flatMap((pattern) =>
    !Object.hasOwn(ALLOWED, nameOf(pattern)) && isSuperLinear(pattern) ? [`${pattern.at} ${nameOf(pattern)}`] : []
  )

describe("a regular expression of ours", () => {
  const written = writtenPatterns()

  it("is found by what looks for them", () => expect(written.length).toBeGreaterThan(400))

  it("takes no more than linear time where it is written out", () => expect(faultsIn(written)).toEqual([]))

  it("takes no more than linear time where it is put together", async () => {
    const files = filesThatBuild().filter((file) => !Object.hasOwn(EXEMPT, file))
    const built = await builtPatterns(async () => {
      await import("../../plugins/index.ts")
      await Promise.all(files.map((file) => import(/* @vite-ignore */ join(ROOT, file))))
      const [{ meanings }, { readerIn }, { LANGUAGES }, { renamed }] = await Promise.all([
        import("../../engine/text/languages/Vocabulary.ts"),
        import("../../engine/text/languages/Vocabulary.ts"),
        import("../../engine/text/languages/Language.ts"),
        import("../../engine/evidence/Collector.ts")
      ])
      // These are put together when they are first used.
      for (const reader of [readerIn(...LANGUAGES), ...LANGUAGES.map((language) => readerIn(language))])
        for (const meaning of meanings()) reader.says(meaning, "")
      renamed(Buffer.from("https://docs.example.com"), "https://docs.example.com", "https://preview.example.com")
    })
    expect(files.filter((file) => !built.some(({ at }) => at === file))).toEqual([])
    expect(faultsIn(built)).toEqual([])
  })

  it("that trims by a repetition at the end is refused", () => {
    expect(
      ["\\/+$", "[ \\t]+$", "\\s*[\\\\`^]\\n\\s*", "(?:a+)+b"].filter(
        (source) => !isSuperLinear({ at: "", source, flags: "" })
      )
    ).toEqual([])
  })

  it("that is allowed all the same is one that there is", () => {
    const names = new Set(written.map(nameOf))
    expect(Object.keys(ALLOWED).filter((name) => !names.has(name))).toEqual([])
  })
})
