/** The Markdown of a page, or why it has none. */
export type Conversion =
  | { readonly _tag: "Converted"; readonly text: string }
  | { readonly _tag: "NotConverted"; readonly reason: NotConverted }

/**
 * `format`: it is no HTML. `error_page`: an error text, a login or a bot challenge in place of content. `no_text`: nothing to read without
 * JavaScript; `thin`: too little. `too_large`: it, or its Markdown, is longer or deeper than what is read of one. `text_lost`: the Markdown
 * would lack what the page says; `code_lost`, `headings_lost`, `links_lost`: lines of its code, headings, or URLs that it links to. `timed_out`: it takes too long; `crashed`: it takes too much memory, or brings the converter down.
 */
export type NotConverted =
  | "format"
  | "error_page"
  | "no_text"
  | "thin"
  | "too_large"
  | "text_lost"
  | "code_lost"
  | "headings_lost"
  | "links_lost"
  | "timed_out"
  | "crashed"

export const notConverted = (reason: NotConverted): Conversion => ({ _tag: "NotConverted", reason })
