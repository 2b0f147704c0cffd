import * as Context from "effect/Context"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import type { OwnerProof } from "../../api/Errors.ts"

type HeaderRecord = Readonly<Record<string, string>>

/** The audit form after a refusal. */
export interface RefusedForm {
  /** Why the audit was refused. */
  readonly text: string
  /** What the user typed. */
  readonly typed: string
  /** The path of a report of the same site, where there is one. */
  readonly report?: string
  /** Whole seconds until the next audit is possible. */
  readonly retryAfter?: number
  /** How the site's owner can have it audited more often. */
  readonly verification?: OwnerVerification
  /** How the site's owner proves to be the one who asks. */
  readonly ownership?: OwnerProof
}

/** Renders the pages that HTTP errors are shown on. The pages provide it, so that HTTP does not depend on them. */
export class PageRenderer extends Context.Service<
  PageRenderer,
  {
    readonly notice: (
      status: number,
      notice: { readonly title: string; readonly text: string },
      headers: HeaderRecord
    ) => HttpServerResponse
    readonly refusedForm: (status: number, refusal: RefusedForm, headers: HeaderRecord) => HttpServerResponse
  }
>()("docgauge/server/http/PageRenderer") {}
