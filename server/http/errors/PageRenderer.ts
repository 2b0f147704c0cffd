import * as Context from "effect/Context"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

type HeaderRecord = Readonly<Record<string, string>>

/** The audit form after a refusal. */
export interface RefusedForm {
  /** Why the audit was refused. */
  readonly text: string
  /** What the user typed. */
  readonly typed: string
  /** The path of a report of the same site, where there is one. */
  readonly report?: string
}

/** Renders the pages that HTTP errors are shown on. The pages provide it, so that HTTP does not depend on them. */
export class PageRenderer extends Context.Service<PageRenderer, {
  readonly notice: (status: number, notice: { readonly title: string; readonly text: string }, headers: HeaderRecord) => HttpServerResponse
  readonly refusedForm: (status: number, refusal: RefusedForm, headers: HeaderRecord) => HttpServerResponse
}>()("docgauge/server/http/PageRenderer") {}
