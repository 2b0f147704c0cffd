import { describedBy, inEachText, inSource, inTexts, withTexts } from "./Break.ts"
import type { Source } from "../excellent/Source.ts"
import type { Mutation } from "./Mutation.ts"

const PYTHON = /^```python\n[\s\S]*?^```\n/gm

/** One change after the other. */
const through =
  <A>(...changes: ReadonlyArray<(value: A) => A>) =>
  (value: A): A =>
    changes.reduce((changed, change) => change(changed), value)

const replaced =
  (pattern: RegExp, by: string) =>
  (text: string): string =>
    text.replaceAll(pattern, by)

/** The page under another address and title; links follow it. */
const renamed =
  (path: string, to: string, title: string) =>
  (source: Source): Source => {
    const pages = source.pages.map((page) => (page.path === path ? { ...page, path: to, title } : page))
    return inEachText((text) => text.replaceAll(`/v2/${path}`, `/v2/${to}`))({ ...source, pages })
  }

export const contentMutations: ReadonlyArray<Mutation> = [
  {
    name: "examples have no full address",
    breaks: inTexts(replaced(/https:\/\/(?:api|sandbox)\.moorling-api\.com\/v2/g, "")),
    costs: "D1"
  },
  { name: "examples come in curl only", breaks: inTexts(replaced(PYTHON, "")), costs: "D2" },
  {
    name: "errors are said to exist",
    breaks: inSource(
      withTexts({
        errors:
          "# Errors\n\nAn error has a code. Write to support when you see one, with the time of the call and the address that was called.\n"
      })
    ),
    costs: "D3"
  },
  {
    name: "error codes are listed without a meaning",
    breaks: inSource(
      withTexts({
        errors:
          "# Errors\n\nThese are the codes of errors that the service answers with.\n\n- `invalid_request`\n- `key_missing`\n- `key_revoked`\n- `not_found`\n- `rate_limited`\n"
      })
    ),
    costs: "D3"
  },
  {
    name: "no page says where keys come from",
    breaks: inSource(
      through(
        withTexts({
          authentication:
            "# Authentication\n\nEvery call carries a key.\n\n```http\nGET /v2/harbours HTTP/1.1\nHost: api.moorling-api.com\nAuthorization: Bearer mrl_live_9sVx27\n```\n",
          quickstart:
            '# Quickstart\n\nThis page takes you to a first harbour of the sandbox. No boat moves.\n\n```shell\ncurl "https://sandbox.moorling-api.com/v2/harbours"\n```\n',
          errors:
            "# Errors\n\n| Code | Meaning | What to do |\n|---|---|---|\n| `invalid_request` | A parameter is malformed | Mend it |\n| `not_found` | There is no such object | Check the id |\n| `quote_expired` | The quote is too old | Ask for another |\n| `berth_taken` | Another boat was faster | Choose another berth |\n| `rate_limited` | Too many calls in the window | Wait as long as `Retry-After` says |\n| `harbour_unreachable` | The harbour does not answer | Retry with the same idempotency key |\n",
          sandbox:
            "# Sandbox\n\nThe sandbox takes the same calls as production. Its harbours are invented and nobody is charged; it is safe to test there.\n"
        }),
        describedBy(replaced(/An API key, created in the console under Keys\./g, "An API key.")),
        // A flow has the URL that tokens come from.
        describedBy(replaced(/"type":"oauth2"(.*?),"flows":\{.*?\}\}\}/g, '"type":"http","scheme":"bearer"$1'))
      )
    ),
    costs: "D4"
  },
  {
    name: "limits are mentioned without a number",
    breaks: inSource(
      withTexts({
        "rate-limits":
          "# Rate limits\n\nCalls are limited. Whoever makes too many is answered with `429`, and `Retry-After` says how long to wait.\n"
      })
    ),
    costs: "D5"
  },
  {
    name: "paging and the sandbox are documented nowhere",
    breaks: inSource(
      through(
        withTexts({
          pagination:
            "# Long lists\n\nSome lists are long. Take your time to read them, and do not ask for the same list again and again.\n",
          sandbox:
            "# Before you begin\n\nTalk to us before you begin, so that we know what you are up to and can help where that is needed.\n"
        }),
        renamed("pagination", "long-lists", "Long lists"),
        renamed("sandbox", "before-you-begin", "Before you begin"),
        inEachText(replaced(/\| `limit`, `cursor` .*\n/g, "")),
        inEachText(replaced(/\| Production \| Sandbox \|/g, "| Here | There |")),
        describedBy(replaced(/(?:,\{"\$ref":"#\/components\/parameters\/(?:limit|cursor)"\})+/g, "")),
        describedBy(
          replaced(
            /\{"\$ref":"#\/components\/parameters\/limit"\},\{"\$ref":"#\/components\/parameters\/cursor"\}/g,
            ""
          )
        ),
        describedBy(replaced(/,\{"url":"https:\/\/sandbox[^}]*\}/g, ""))
      )
    ),
    costs: "D6",
    alsoMayCost: { D1: "calls have parameters that the description no longer has" }
  },
  {
    name: "the changelog ends two years ago",
    breaks: inSource((source) =>
      withTexts({
        changelog: (source.pages.find(({ path }) => path === "changelog")?.text ?? "")
          .replaceAll("2026-", "2024-")
          .replaceAll("2027", "2025")
      })(source)
    ),
    costs: "D7"
  },
  {
    name: "the changelog has no dates",
    breaks: inSource(
      withTexts({
        changelog:
          "# Changelog\n\n## Fuel\n\nHarbours have the field `fuel`.\n\n## Berths closed\n\nNew event `berth.closed`.\n"
      })
    ),
    costs: "D7"
  }
]
