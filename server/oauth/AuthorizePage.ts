import { createHash } from "node:crypto"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const STYLE = "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1a1a1a;background:#fff}strong{overflow-wrap:anywhere}a{color:#0b57d0}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}}"

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
} as const

/** Long enough to read where one is led to. */
const SECONDS = 3

/**
 * The page between this service and a client on another host. It names the host, and goes on by itself after a moment:
 * whoever registers chooses where browsers are sent, so nobody is sent there unseen.
 */
export const leadingPage = (location: string, clientName: string | null): HttpServerResponse.HttpServerResponse => {
  const url = new URL(location)
  const place = url.protocol === "https:" ? url.host : `the app behind ${url.protocol}`
  const who = clientName === null ? "A program that gives no name" : `A program that calls itself “${clientName}”`
  return page(
    200,
    `Going on to ${place}`,
    `<p>${escape(who)} asks to use docgauge. No account is needed, and nothing about you is passed on.</p>
<p>You are being led to <strong>${escape(place)}</strong> in ${SECONDS} seconds. <a href="${escape(location)}" rel="noreferrer">Go on now</a>, or close this page if you did not ask for this.</p>`,
    `<meta http-equiv="refresh" content="${SECONDS};url=${escape(location)}">`
  )
}

/** The page for a request that is answered to nobody else. */
export const refusalPage = (message: string): HttpServerResponse.HttpServerResponse =>
  page(400, "This request cannot be answered", `<p>The program that sent you here asked in a wrong way: ${escape(message)}.</p>\n<p>Nothing was granted. You can close this page.</p>`, "")

const page = (status: number, title: string, body: string, head: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
${head}
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: HEADERS }
  )

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
