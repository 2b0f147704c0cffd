import { createHash } from "node:crypto"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { escapeMarkup } from "../../engine/text/MarkupText.ts"

const STYLE =
  "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1a1a1a;background:#fff}strong{overflow-wrap:anywhere}a{color:#0b57d0}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}}"

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
} as const

/** Seconds to read the name of the host. */
const SECONDS = 3

/**
 * The page before a redirect to a client on another host. It names the host and redirects after a moment: anyone can register
 * a redirect URI, so the user should see where it leads.
 */
export const leadingPage = (location: string, clientName: string | null): HttpServerResponse.HttpServerResponse => {
  const url = new URL(location)
  const place = url.protocol === "https:" ? url.host : `the app behind ${url.protocol}`
  const who = clientName === null ? "An unnamed program" : `A program that calls itself “${clientName}”`
  return page(
    200,
    `Continue to ${place}`,
    `<p>${escapeMarkup(who)} requests access to docgauge. No account is needed, and no data about you is shared.</p>
<p>You will be redirected to <strong>${escapeMarkup(place)}</strong> in ${SECONDS} seconds. <a href="${escapeMarkup(location)}" rel="noreferrer">Continue now</a>, or close this page if you did not expect this.</p>`,
    `<meta http-equiv="refresh" content="${SECONDS};url=${escapeMarkup(location)}">`
  )
}

/** The page for an error that must not be sent to the client. */
export const authorizationErrorPage = (message: string): HttpServerResponse.HttpServerResponse =>
  page(
    400,
    "This authorization request is not valid",
    `<p>The program that sent you here made an invalid request: ${escapeMarkup(message)}.</p>\n<p>No access was granted. You can close this page.</p>`,
    ""
  )

const page = (status: number, title: string, body: string, head: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
${head}
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
${body}
</body>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: HEADERS }
  )
