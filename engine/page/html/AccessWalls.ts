import type { Cheerio } from "cheerio/slim"
import { CHALLENGE_HEADERS } from "../../evidence/Challenge.ts"
import { type Answer, header } from "../../evidence/Exchange.ts"
import { attribute, type Element } from "../dom/HtmlTree.ts"
import { $ } from "../dom/Selection.ts"
import type { DomWalk } from "../dom/DomWalk.ts"

/** What a site serves instead of a page's content: a bot challenge, or a login form. */

/** A page with more content than this is no wall, whatever it looks like. */
const WALL_CHARACTERS = 1_200

const CHALLENGE_TITLES: ReadonlyArray<readonly [title: RegExp, vendor: string]> = [
  [
    /^just a moment\b|^attention required! \| cloudflare|^checking your browser\b|^please wait\.\.\. \| cloudflare/i,
    "cloudflare"
  ],
  [/^vercel security checkpoint/i, "vercel"],
  [/^making sure you(?:'|’)re not a bot/i, "anubis"],
  [/^ddos-guard\b/i, "ddos-guard"],
  [
    /^(?:human verification|are you (?:a )?(?:human|robot)|verify(?:ing)? (?:that )?you are human|security check(?:point)?|bot verification|robot check)\b/i,
    "unknown"
  ],
  [/^access (?:to this page has been )?denied\b|^pardon our interruption/i, "unknown"]
]

const CHALLENGE_SOURCES: ReadonlyArray<readonly [source: string, vendor: string]> = [
  ["/cdn-cgi/challenge-platform/h/", "cloudflare"],
  ["challenges.cloudflare.com/turnstile", "cloudflare"],
  ["_Incapsula_Resource", "imperva"],
  ["captcha-delivery.com", "datadome"],
  ["px-captcha", "perimeterx"],
  ["awswaf.com", "aws"],
  ["/.within.website/x/", "anubis"]
]

/** The vendor of the bot challenge that is served instead of the content; `null` for none. */
export const readChallenge = (answer: Answer, title: string, walk: DomWalk, mainCharacters: number): string | null => {
  for (const [name, value, vendor] of CHALLENGE_HEADERS) if (value.test(header(answer, name) ?? "")) return vendor
  if (mainCharacters > WALL_CHARACTERS) return null
  const titled = CHALLENGE_TITLES.find(([pattern]) => pattern.test(title))
  if (titled !== undefined) return titled[1]
  // Its script also runs unseen on pages that are served as usual: only a page without content is a challenge.
  if (mainCharacters > 120) return null
  const sources = ["script", "iframe"]
    .flatMap((name) => walk.byName.get(name) ?? [])
    .map((element) => attribute(element, "src") ?? "")
  return CHALLENGE_SOURCES.find(([part]) => sources.some((source) => source.includes(part)))?.[1] ?? null
}

const LOGIN_TITLE =
  /^(?:please )?(?:sign|log)[ -]?(?:in|on)\b(?! (?:with|methods?|flow|api|endpoint|callback))|^(?:login|authentication|authorization) required\b|^password (?:required|protected)\b|^protected (?:page|site)\b/i

const LOGIN_ADDRESS =
  /\/(?:login|log-in|signin|sign-in|sso|oauth2?\/authorize|account\/login|users\/sign_in|u\/login)(?:\/|\.\w+)?$/i

/** The page asks for a password or to sign in, in place of content. */
export const isLoginWall = (
  answer: Answer,
  names: ReadonlyArray<string>,
  walk: DomWalk,
  mainCharacters: number
): boolean => {
  if (mainCharacters > WALL_CHARACTERS) return false
  const inputs = $([...(walk.byName.get("input") ?? [])])
  const password = inputs.is("[type=password]")
  const entitled = names.some((name) => LOGIN_TITLE.test(name))
  const sentTo = answer.redirects.length > 0 && LOGIN_ADDRESS.test(new URL(answer.url).pathname)
  return password ? entitled || sentTo || mainCharacters < 400 : (entitled || sentTo) && asksForIdentity(inputs)
}

const asksForIdentity = (inputs: Cheerio<Element>): boolean =>
  inputs.is("[type=email]") ||
  inputs
    .filter("[type=text], :not([type])")
    .toArray()
    .some((input) => /user|email|login|account/i.test(attribute(input, "name") ?? attribute(input, "id") ?? ""))
