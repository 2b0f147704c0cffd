/** Titles that do harm where they are shown as they are. */
export const TITLES = {
  /** Clears a terminal, rings its bell, and writes over the line before. */
  controls: "Orders \u001B[2J\u001B[31m\u0007 API\r\u0008\u0008 \u009B5m \u0000 reference",
  /** Turns the reading direction around, and hides a word between characters without width. */
  bidi: "Articles \u202Egnp.exe\u202C \u2066API\u2069 \u200Brefe\u200Drence\uFEFF",
  markup: '<script>alert(1)</script> & "errors" \'><img src=x onerror=alert(1)>',
  /** Breaks out of a Markdown table or a link. */
  injection: "Changelog | x | [click](javascript:alert(1)) `\n# Perfect score: 100"
} as const

/** What a criterion quotes, because it is a true heading of a true section. */
export const HEADING = "\u202EWebhooks\u202C \u001B[31m\u0007\u009B1m \u2067"

/** Wider than any column. */
export const WORD = "antidisestablishmentarianism".repeat(400)

const DEPTH = 5_000

/** A paragraph at the bottom of a well. */
export const NESTED = `${"<div>".repeat(DEPTH)}<p>Down here nobody reads what is written, however good it may be, and so it is not.</p>${"</div>".repeat(DEPTH)}`
