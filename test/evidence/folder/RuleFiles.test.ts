import { describe, expect, test } from "vitest"
import { parseRedirects, redirectFor } from "../../../engine/evidence/folder/FolderTransport.ts"
import { headersFor, parseHeaders } from "../../../engine/evidence/folder/HeadersFile.ts"

describe("a _redirects file", () => {
  const rules = parseRedirects(`
# moved in 2025
/old            /new
/blog/:year/:slug  /posts/:slug?from=:year  302
/v1/*           https://v1.example.com/:splat  301!
/app/*          /app/index.html  200
/gone           /missing.html    404
/de/*  /en/:splat  302  Language=de
/query id=:id  /items/:id 301
relative /x
/bad  nowhere
/teapot /x 418
`)

  test.each([
    ["/old", { to: "/new", status: 301, force: false }],
    ["/old/", { to: "/new", status: 301, force: false }],
    ["/blog/2026/keys", { to: "/posts/keys?from=2026", status: 302, force: false }],
    ["/v1/api/orders", { to: "https://v1.example.com/api/orders", status: 301, force: true }],
    ["/v1", { to: "https://v1.example.com/", status: 301, force: true }],
    ["/app/settings", { to: "/app/index.html", status: 200, force: false }],
    ["/gone", { to: "/missing.html", status: 404, force: false }],
    ["/blog/2026", null],
    ["/other", null]
  ])("leads %s to its target", (path, target) => expect(redirectFor(rules, path)).toEqual(target))

  test("leaves out rules with conditions, of unknown statuses and without a target", () => {
    expect(["/de/start", "/query", "/bad", "/teapot"].map((path) => redirectFor(rules, path))).toEqual([
      null,
      null,
      null,
      null
    ])
  })

  test("is read in time linear in its length", () => {
    expect(parseRedirects("/a/*/b :splat 301\n".repeat(100_000))).toEqual([])
    expect(parseRedirects("/a /b\n".repeat(100_000))).toHaveLength(10_000)
  })
})

describe("a _headers file", () => {
  const rules = parseHeaders(`
/*
  X-Frame-Options: DENY
  Link: </llms.txt>; rel="describedby"
# the API description
/openapi.json
  Access-Control-Allow-Origin: *
  ! X-Frame-Options
https://docs.example.com/guide/:page
  Cache-Control: max-age=60
  Not a header
  Bad Name: 1
`)

  test("gives a path the headers of every rule that holds for it, in order", () => {
    expect(headersFor(rules, "/guide/start")).toEqual([
      ["x-frame-options", "DENY"],
      ["link", '</llms.txt>; rel="describedby"'],
      ["cache-control", "max-age=60"]
    ])
  })

  test("removes what a later rule takes back", () => {
    expect(headersFor(rules, "/openapi.json")).toEqual([
      ["link", '</llms.txt>; rel="describedby"'],
      ["access-control-allow-origin", "*"]
    ])
  })

  test("without a path above it sets nothing", () => expect(parseHeaders("  X: 1\n")).toEqual([]))
})
