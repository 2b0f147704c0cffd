import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** Whether a client would rather have a page than JSON. */
export const prefersHtml = ({ headers }: HttpServerRequest): boolean => {
  const accept = headers["accept"] ?? ""
  const [html, json] = [accept.indexOf("text/html"), accept.indexOf("application/json")]
  return html >= 0 && (json < 0 || html < json)
}
