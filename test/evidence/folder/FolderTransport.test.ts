import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { Asked } from "../../../engine/evidence/Exchange.ts"
import { folderTransport } from "../../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../../engine/evidence/folder/SiteFolder.ts"
import { type Hop, Transport } from "../../../engine/evidence/Transport.ts"

const outside = mkdtempSync(join(tmpdir(), "docgauge-folder-"))
const root = join(outside, "build")
afterAll(() => rmSync(outside, { recursive: true }))

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
write("index.html", "start")
write("guide/index.html", "guide")
write("keys.html", "keys")
write("openapi.json", "{}")
write(".well-known/api-catalog", "{}")
write("404.html", "not here")
write("café.md", "# Café")
write("_redirects", "/old /guide/ 301\n/keys /guide/ 302!\n/openapi.json /x 301\n/app/* /keys.html 200\n")
write("_headers", "/openapi.json\n  Content-Type: application/vnd.oai.openapi+json\n")
write(".git/config", "secret")
writeFileSync(join(outside, "secret.txt"), "secret")
symlinkSync(join(outside, "secret.txt"), join(root, "leak.txt"))
symlinkSync(join(root, "keys.html"), join(root, "linked.html"))
symlinkSync(join(root, "guide"), join(root, "latest"))
symlinkSync(root, join(root, "guide", "around"))

const ask = (
  path: string,
  { as = "https://docs.example.com/", ...asked }: Partial<Asked> & { readonly as?: string } = {}
): Promise<Hop> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const url = new URL(path, as).href
      const folder = yield* openFolder(root)
      return yield* Effect.provide(
        Transport.use(({ send }) =>
          send({ asked: { method: "GET", url, accept: "*/*", agent: "docgauge", ...asked }, limitBytes: 4 })
        ),
        folderTransport(folder, as)
      )
    })
  )

const seen = async (path: string, options = {}): Promise<unknown> => {
  const hop = await ask(path, options)
  return hop._tag === "HopFault"
    ? [hop.kind, hop.message]
    : [hop.status, ...hop.headers.map((pair) => pair.join(": ")), new TextDecoder().decode(hop.body)]
}

describe("a folder as a site", () => {
  test.each([
    ["/", [200, "content-type: text/html; charset=utf-8", "star"]],
    ["/guide/", [200, "content-type: text/html; charset=utf-8", "guid"]],
    ["/guide", [301, "location: /guide/", ""]],
    ["/linked", [200, "content-type: text/html; charset=utf-8", "keys"]],
    ["/latest/", [200, "content-type: text/html; charset=utf-8", "guid"]],
    ["/guide/around/guide/", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/caf%C3%A9.md", [200, "content-type: text/markdown; charset=utf-8", "# Ca"]],
    ["/.well-known/api-catalog", [200, "{}"]],
    ["/nothing", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/leak.txt", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/.git/config", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/%2e%2e/secret.txt", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/..%2fsecret.txt", [404, "content-type: text/html; charset=utf-8", "not "]],
    ["/%E0%A4%A", [400, ""]]
  ])("answers %s as a static host does", async (path, answer) => expect(await seen(path)).toEqual(answer))

  test.each([
    ["/old", [301, "location: /guide/", ""]],
    ["/keys", [302, "location: /guide/", ""]],
    ["/app/settings", [200, "content-type: text/html; charset=utf-8", "keys"]],
    ["/openapi.json", [200, "content-type: application/vnd.oai.openapi+json", "{}"]]
  ])("follows the rules of _redirects and _headers for %s", async (path, answer) =>
    expect(await seen(path)).toEqual(answer)
  )

  test("cuts bodies at the limit and says how long they are", async () => {
    expect(await ask("/keys.html")).toMatchObject({ cut: false, wireBytes: 4 })
    expect(await ask("/guide/")).toMatchObject({ cut: true, wireBytes: 5 })
  })

  test("published below a path leaves the rest of the host unanswered", async () => {
    expect(await seen("/docs/guide", { as: "https://docs.example.com/docs/" })).toEqual([
      301,
      "location: /docs/guide/",
      ""
    ])
    expect(await seen("/docs", { as: "https://docs.example.com/docs" })).toEqual([301, "location: /docs/", ""])
    expect(await seen("/v1.2/guide/", { as: "https://docs.example.com/v1.2" })).toEqual([
      200,
      "content-type: text/html; charset=utf-8",
      "guid"
    ])
    expect(await seen("/docs/", { as: "https://docs.example.com/docs/index.html" })).toEqual([
      200,
      "content-type: text/html; charset=utf-8",
      "star"
    ])
    expect(await seen("/docs/old", { as: "https://docs.example.com/docs/" })).toEqual([
      301,
      "location: /docs/guide/",
      ""
    ])
    expect(await seen("/robots.txt", { as: "https://docs.example.com/docs/" })).toEqual([
      "not_in_folder",
      "it is outside the folder"
    ])
  })

  test("does not answer for other hosts, other methods and other clients", async () => {
    expect(await seen("https://api.example.com/")).toEqual(["not_in_folder", "it is outside the folder"])
    expect(await seen("/", { method: "POST" })).toEqual(["needs_server", "a folder does not show how a server answers"])
    expect(await seen("/", { agent: "browser" })).toEqual([
      "needs_server",
      "a folder does not show how a server answers"
    ])
  })

  test("that is missing or empty is an error", async () => {
    const empty = join(outside, "empty")
    mkdirSync(empty)
    const messages = await Promise.all(
      [join(outside, "none"), empty].map((path) => Effect.runPromise(Effect.flip(openFolder(path))))
    )
    expect(messages.map(({ message }) => message)).toEqual(["there is no such folder", "the folder is empty"])
  })
})
