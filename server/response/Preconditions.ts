import { httpDateMs } from "../../engine/text/HttpValues.ts"
import { isKnown, isMatched } from "./EntityTag.ts"

/** The validators of a representation. */
export interface Validators {
  readonly digest: string
  /** The `Last-Modified` header that is sent with it, if one is. */
  readonly lastModified: string | undefined
}

/** Evaluates the preconditions of a GET or HEAD request, in the order of RFC 9110 §13.2.2. */
export const evaluate = (
  headers: Readonly<Record<string, string | undefined>>,
  { digest, lastModified }: Validators
): "met" | "not_modified" | "failed" => {
  const modified = lastModified === undefined ? null : httpDateMs(lastModified)
  const isNewerThan = (name: string): boolean | null => {
    const since = httpDateMs(headers[name] ?? "")
    return modified === null || since === null ? null : modified > since
  }
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers
  if (ifMatch === undefined ? isNewerThan("if-unmodified-since") === true : !isMatched(ifMatch, digest)) return "failed"
  const isCurrent =
    ifNoneMatch === undefined ? isNewerThan("if-modified-since") === false : isKnown(ifNoneMatch, digest)
  return isCurrent ? "not_modified" : "met"
}
