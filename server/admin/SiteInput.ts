import * as Effect from "effect/Effect"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { Malformed } from "./api/AdminErrors.ts"

/** The host form of a site, from its URL or its host form. */
export const siteOfText = (text: string): Effect.Effect<string, Malformed> => {
  const url = URL.parse(/^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  return url === null ||
    !/^[^.]+(?:\.[^.]+)+$/.test(url.hostname) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
    ? Effect.fail(
        new Malformed({
          error: "site: use a URL such as https://docs.example.com/v2, or a host form such as docs.example.com/v2"
        })
      )
    : Effect.succeed(siteFormOf(url.href))
}
