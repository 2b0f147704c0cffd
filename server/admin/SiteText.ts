import * as Effect from "effect/Effect"
import { siteFormOf } from "../http/Targets.ts"
import { Malformed } from "./api/AdminErrors.ts"

/** The host form of a site that an operator names: by its address, or by its host form. */
export const siteOfText = (text: string): Effect.Effect<string, Malformed> => {
  const url = URL.parse(/^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  return url === null || !/^[^.]+(?:\.[^.]+)+$/.test(url.hostname) || url.search !== "" || url.hash !== "" || url.username !== ""
    ? Effect.fail(new Malformed({ error: "site: give an address such as https://docs.example.com/v2, or a host form such as docs.example.com/v2" }))
    : Effect.succeed(siteFormOf(url.href))
}
