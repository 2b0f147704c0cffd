import { describe, expect, it } from "vitest"
import { isLoginWall, readChallenge } from "../../../engine/page/html/PageRedirects.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

const answer = answerOf(`${ORIGIN}/docs/`, "")

describe("a bot challenge", () => {
  it.each([
    ["by its title", "Just a moment...", "", 20, "cloudflare"],
    [
      "by the source of its script on a page without content",
      "",
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      0,
      "cloudflare"
    ],
    ["by that of a frame", "", '<iframe src="https://geo.captcha-delivery.com/captcha/"></iframe>', 0, "datadome"],
    [
      "not by a script beside content",
      "",
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      200,
      null
    ],
    ["not by its title on a page with content", "Just a moment...", "", 2_000, null],
    ["not on another page", "Quick start", "<script src=/app.js></script>", 0, null]
  ])("is told %s", (_, title, body, characters, vendor) => {
    expect(readChallenge(answer, title, walked(body), characters)).toBe(vendor)
  })
})

describe("a login wall", () => {
  const PASSWORD = "<form><input name=user><input type=password></form>"
  const sentTo = {
    ...answer,
    url: "https://id.example.com/login",
    redirects: [{ status: 302, url: `${ORIGIN}/docs/`, location: "https://id.example.com/login" }]
  }

  it.each([
    ["with a password on a short page", answer, "Acme", PASSWORD, 100, true],
    ["with a title and an email address", answer, "Sign in", "<input type=email>", 100, true],
    ["that the page redirected to, with a field for the account", sentTo, "Acme", "<input id=account-name>", 100, true],
    ["is not a page about signing in", answer, "Sign in with OAuth", "<input type=search>", 100, false],
    ["is not a title alone", answer, "Log in", "<p>Ask your administrator.</p>", 100, false],
    ["is not a form beside documentation", answer, "Sign in", PASSWORD, 1_500, false]
  ] as const)("%s", (_, from, title, body, characters, isWall) => {
    expect(isLoginWall(from, [title], walked(body), characters)).toBe(isWall)
  })
})
