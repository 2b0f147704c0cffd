/*
 * A call of an HTTP API as a page shows it, whatever client it is written for. What the page leaves open (a variable, a placeholder, a
 * spread, something that was not understood) is said to be open, because nothing can be said of it.
 */

/** What a call is written for. `line`: a request line such as `POST /orders`, in code or in prose. */
export type CallClient =
  | "curl"
  | "httpie"
  | "wget"
  | "http"
  | "line"
  | "fetch"
  | "axios"
  | "requests"
  | "httpx"
  | "go"
  | "java"
  | "php"
  | "ruby"
  | "csharp"

export interface ShownCall {
  readonly client: CallClient
  /** Upper case. */
  readonly method: string
  /**
   * Address as written, without query and fragment: absolute (`https://api.acme.dev/v1/orders/{id}`) or, where no host is shown, a path.
   * Every form of placeholder is left as it is; what is built of variables has them as `{name}`.
   */
  readonly address: string
  readonly query: SentFields
  /** Names as written. */
  readonly headers: SentFields
  readonly body: SentBody
  /** Line of the block or text in which the call begins, from 0. */
  readonly line: number
}

export interface SentFields {
  readonly fields: ReadonlyArray<SentField>
  /** More may be sent than is listed. */
  readonly open: boolean
}

export interface SentField {
  readonly name: string
  readonly value: SentValue
}

/** `Open`: there is or may be a body that was not read. `Form`: fields of a form, URL-encoded or in parts. */
export type SentBody =
  | { readonly _tag: "None" }
  | { readonly _tag: "Open" }
  | { readonly _tag: "Json"; readonly value: SentValue }
  | { readonly _tag: "Form"; readonly sent: SentFields }

export type SentValue =
  /** A variable, a placeholder (`<id>`, `{id}`, `$ID`, `YOUR_KEY`, `…`), or what was not understood. */
  | { readonly _tag: "Open" }
  /** In queries, headers, forms: a text. In JSON: what it is. */
  | { readonly _tag: "Known"; readonly value: string | number | boolean | null }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<SentValue>; readonly open: boolean }
  | { readonly _tag: "Object"; readonly sent: SentFields }
