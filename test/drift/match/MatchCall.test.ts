import { beforeAll, describe, expect, test } from "vitest"
import type { ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { HERE, indexOfDescription, parcels, shownCall, verdictOf } from "./DriftFixture.ts"

let index: ContractIndex
beforeAll(async () => {
  index = await indexOfDescription(parcels())
})

const of = (address: string, method = "GET", own = index, context = HERE): string =>
  verdictOf(shownCall({ address, method }), own, context).join("; ")

const served = (...servers: ReadonlyArray<string | { readonly url: string; readonly variables: object }>) =>
  indexOfDescription({
    ...parcels(),
    servers: servers.map((server) =>
      typeof server === "string" ? { url: server } : { url: server.url, variables: { ...server.variables } }
    )
  })

test("a path with a remark is the path before it: descriptions tell operations of one path apart so", async () => {
  const answers = { responses: { 200: { description: "Fine" } } }
  const own = await indexOfDescription({
    ...parcels(),
    paths: { "/messages/{id} (text)": { post: answers }, "/messages/{id} (audio)": { post: answers } }
  })
  expect(of("https://api.fernpost.dev/v1/messages/17", "POST", own)).toBe("agrees")
})

describe("the path of a call", () => {
  test.each([
    "https://api.fernpost.dev/v1/parcels",
    "https://api.fernpost.dev/v1/parcels/",
    "https://api.fernpost.dev:443/v1/parcels",
    "http://api.fernpost.dev/v1/parcels",
    "https://API.fernpost.dev/v1/parcels/17",
    "https://api.fernpost.dev/v1/parcels/{id}",
    "https://api.fernpost.dev/v1/parcels/:id",
    "https://api.fernpost.dev/v1/parcels/<parcel-id>",
    "https://api.fernpost.dev/v1/parcels/$PARCEL",
    "https://api.fernpost.dev/v1/parcels/17/labels/small.pdf",
    "https://api.fernpost.dev/v1/files/a/b/c.txt",
    "https://api.fernpost.dev/v1/parcels.json",
    "api.fernpost.dev/v1/parcels",
    "{{baseUrl}}/parcels/17",
    "$API/v1/parcels",
    "/v1/parcels/17",
    "/parcels/17"
  ])("%s is that of an operation", (address) => {
    expect(of(address)).toBe("agrees")
  })

  test.each([
    ["https://api.fernpost.dev/v1/parcel/17", "GET /parcel/17", "GET /parcels/{id}"],
    [
      "https://api.fernpost.dev/v1/parcels/17/label/small.pdf",
      "GET /parcels/17/label/small.pdf",
      "GET /parcels/{id}/labels/{format}.pdf"
    ],
    ["https://api.fernpost.dev/v1/parcells", "GET /parcells", "GET /parcels"],
    ["/parcels/17/labels", "GET /parcels/17/labels", "GET /parcels/{id}/labels/{format}.pdf"]
  ])("%s is none, and the nearest operation is told", (address, call, nearest) => {
    expect(of(address)).toBe(
      `unknown_path: calls ${call}, which the description does not have; the nearest is ${nearest}`
    )
  })

  test("of letters in another case is another one", () => {
    expect(of("https://api.fernpost.dev/v1/Parcels")).toContain("unknown_path")
  })

  test("ends in an action of its own", () => {
    expect(of("https://api.fernpost.dev/v1/parcels/17:cancel", "POST")).toBe("agrees")
  })

  test.each([
    "https://api.fernpost.dev/v1/{resource}",
    "https://api.fernpost.dev/v1/*",
    "https://api.fernpost.dev/v1/..."
  ])("%s may be that of several operations", (address) => {
    expect(of(address)).toBe("not compared: ambiguous")
  })

  test("has a parameter where it has a placeholder, and not one of the words there", async () => {
    const get = { get: { responses: {} } }
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels/last/labels": { put: { responses: {} } }, "/parcels/{id}/labels": get }
    })
    expect(of("https://api.fernpost.dev/v1/parcels/{parcel}/labels", "GET", own)).toBe("agrees")
    expect(of("https://api.fernpost.dev/v1/parcels/{parcel}/labels", "PUT", own)).toContain("unknown_method")
  })

  test.each(["/orders", "/your/endpoint", "/v1/orders"])("%s without a host may be that of another API", (address) => {
    expect(of(address, "POST")).toBe("not compared: other_api")
  })

  test.each(["openapi.json", "health", "graphql", ".well-known/jwks.json", "invoices/17"])(
    "%s on the API's host may be beside what is described",
    (path) => {
      expect(of(`https://api.fernpost.dev/v1/${path}`)).toBe("not compared: other_api")
    }
  )

  test("has one that begins alike as its nearest, where there is one", async () => {
    const [get, post] = [{ get: { responses: {} } }, { post: { responses: {} } }]
    const paths = { "/collections/{name}": get, "/operations/snapshot": post, "/operations/vote": post }
    const own = await indexOfDescription({ ...parcels(), paths })
    expect(of("https://api.fernpost.dev/v1/operations/reset_peers", "POST", own)).toContain(
      "nearest is POST /operations/"
    )
  })

  test.each(["https://api.frenpost.dev/v1/parcels", "https://api.fernposst.dev/v1/parcels"])(
    "%s has the description's host written wrong",
    (address) => {
      expect(of(address)).toContain("the description has api.fernpost.dev")
    }
  )

  test.each([
    "https://api.fernpost.io/v1/parcels",
    "https://api2.fernpost.dev/v1/parcels",
    "https://eu.fernpost.dev/v1/parcels",
    "https://api.fernpost2.dev/v1/parcels",
    "https://api.fernhost.com/v1/parcels",
    "https://api.frenpost.dev/v1/depots"
  ])("%s may be another host", (address) => {
    expect(of(address)).not.toContain("unknown_host")
  })

  test("without a host is told where one of its words is written wrong, and all else is right", () => {
    expect(of("/parcls/17", "GET")).toContain("the nearest is GET /parcels/{id}")
    expect(of("/parcls/17", "PATCH")).toBe("not compared: other_api")
    expect(of("/parcls", "GET")).toBe("not compared: other_api")
  })

  test("is none where it is the API's own address", async () => {
    const own = await indexOfDescription({
      ...parcels(),
      servers: [{ url: "https://api.fernpost.dev" }],
      paths: { "/api/v1/parcels": { get: { responses: {} } } }
    })
    expect(of("https://api.fernpost.dev/api/v1", "GET", own)).toBe("not compared: other_api")
    expect(of("https://api.fernpost.dev/api/v1/parcel", "GET", own)).toContain("unknown_path")
  })

  test("is not told as unknown where a part of the description was not read", async () => {
    const partial = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { get: { responses: {} } }, "/more": { $ref: "./more.json" } }
    })
    expect(of("https://api.fernpost.dev/v1/parcel", "GET", partial)).toBe("not compared: incomplete")
  })
})

test("A path that may be any of hundreds of templates is not compared", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`/parcels/{a}-${at}`, { get: { responses: {} } }])
  )
  const own = await indexOfDescription({ ...parcels(), paths })
  expect(of("https://api.fernpost.dev/v1/parcels/x-599", "GET", own)).toBe("not compared: ambiguous")
})

describe("the method of a call", () => {
  test("is told with those that the path has", () => {
    expect(of("https://api.fernpost.dev/v1/parcels", "PUT")).toBe(
      "unknown_method: calls PUT /parcels, but the description has this path only with GET and POST"
    )
  })

  test("HEAD goes wherever GET does, and OPTIONS everywhere", () => {
    expect(of("https://api.fernpost.dev/v1/parcels", "HEAD")).toBe("agrees")
    expect(of("https://api.fernpost.dev/v1/parcels", "OPTIONS")).toBe("not compared: ambiguous")
  })

  test("is looked for in less special templates of the same path, too", async () => {
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels/last": { get: { responses: {} } }, "/parcels/{id}": { delete: { responses: {} } } }
    })
    expect(of("https://api.fernpost.dev/v1/parcels/last", "DELETE", own)).toBe("agrees")
  })
})

describe("the version of a call", () => {
  const address = "https://api.fernpost.dev/v2/parcels"

  test("is told where the rest of the path is right", () => {
    expect(of(address)).toBe("unknown_version: calls GET /v2/parcels, which is version v2; the description is of v1")
  })

  test("is told where templates have it", async () => {
    const own = await indexOfDescription({
      ...parcels({ servers: [{ url: "https://api.fernpost.dev" }] }),
      paths: { "/v3/parcels": { get: { responses: {} } } }
    })
    expect(of(address, "GET", own)).toBe(
      "unknown_version: calls GET /v2/parcels, which is version v2; the description is of v3"
    )
  })

  test.each([
    [{ ...HERE, around: "Parcels in version 2" }],
    [{ ...HERE, around: "What is new in v2.0" }],
    [{ ...HERE, page: "https://docs.fernpost.dev/v2/parcels" }],
    [{ ...HERE, around: "Before version 1 (no longer works)" }],
    [{ ...HERE, around: "Dieser Aufruf ist veraltet." }]
  ])("is not told where the page says so: %o", (context) => {
    expect(of(address, "GET", index, context)).toBe("not compared: said_not_to_work")
  })

  test("is named by a URL in the text just as little as by the call itself", () => {
    expect(of(address, "GET", index, { ...HERE, around: "See https://api.fernpost.dev/v2/parcels" })).toContain(
      "unknown_version"
    )
  })

  test("is one of several that the API has, where the description has several", async () => {
    const get = { get: { responses: {} } }
    const paths = { "/v1/parcels": get, "/v1/labels/{id}": get, "/v2/labels/{id}/lines": get }
    const own = await indexOfDescription({ ...parcels({ servers: [{ url: "https://api.fernpost.dev" }] }), paths })
    expect(of(address, "GET", own)).toBe("not compared: other_version")
    expect(of("/v2/parcels", "GET", own)).toBe("not compared: other_version")
    expect(of("https://api.fernpost.dev/v2/labels/1/line", "GET", own)).toContain(
      "nearest is GET /v2/labels/{id}/lines"
    )
  })

  test("says nothing where the rest of the path is none of the description either", () => {
    expect(of("https://api.fernpost.dev/v2/invoices")).toBe("not compared: other_api")
  })
})

describe("the host of a call", () => {
  test.each([
    "https://hooks.partner.dev/v1/parcels",
    "https://api.example.com/v1/parcels",
    "http://localhost:8080/v1/parcel"
  ])("%s is another one", (address) => {
    expect(of(address)).toBe("not compared: other_host")
  })

  test("of the same domain counts only where the path fits exactly", () => {
    expect(of("https://sandbox.fernpost.dev/v1/parcels")).toBe("agrees")
    expect(of("https://sandbox.fernpost.dev/v1/parcel")).toBe("not compared: other_api")
    expect(of("https://hooks.fernpost.dev/parcels")).toBe("not compared: other_host")
  })

  test("may be any of the servers, and any tenant's", async () => {
    const own = await served("https://eu.fernpost.dev/api", {
      url: "https://{tenant}.fernpost.dev/{version}",
      variables: { version: { enum: ["v1", "v2"] } }
    })
    expect(of("https://eu.fernpost.dev/api/parcels", "GET", own)).toBe("agrees")
    expect(of("https://greenmill.fernpost.dev/v2/parcels", "GET", own)).toBe("agrees")
    expect(of("https://<your-tenant>.fernpost.dev/v2/parcels", "GET", own)).toBe("agrees")
    expect(of("https://greenmill.fernpost.dev/v2/parcel", "GET", own)).toContain("unknown_path")
    expect(of("https://greenmill.fernpost.dev/v3/parcels", "GET", own)).not.toBe("agrees")
  })

  test.each([["/api"], ["http://localhost:8080/api"], ["https://example.com/api"]])(
    "is the site's own or a stand-in where the server is %s",
    async (server) => {
      const own = await served(server)
      expect(of("https://fernpost.dev/api/parcels", "GET", own)).toBe("agrees")
      expect(of("http://localhost:3000/api/parcels", "GET", own)).toBe("agrees")
      expect(of("http://localhost:3000/api/parcels/1/x", "GET", own)).toContain("unknown_path")
      expect(of("https://docs.fernpost.dev/assets/logo", "GET", own)).toBe("not compared: other_api")
      expect(of("https://partner.dev/api/parcels", "GET", own)).toBe("not compared: other_host")
    }
  )

  test("is a server's own although it is nobody's in particular", async () => {
    const own = await served("http://localhost:9000/api")
    expect(of("http://localhost:9000/api/parcel/17", "GET", own)).toContain("unknown_path: calls GET /parcel/17")
    expect(of("http://localhost:9001/api/parcel/17", "GET", own)).toBe("not compared: other_api")
  })

  test("is the site's own where the description names no server, below any prefix", async () => {
    const own = await served()
    expect(of("http://localhost:3000/parcels/1", "GET", own)).toBe("agrees")
    expect(of("http://localhost:3000/api/v1/parcels/1", "GET", own)).toBe("agrees")
    expect(of("http://localhost:3000/api/v1/parcel/1", "GET", own)).toBe("not compared: other_api")
  })

  test("is an authorization server's", async () => {
    const oauth = {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: "https://api.fernpost.dev/v1/parcels/token", scopes: {} } }
    }
    const own = await indexOfDescription({ ...parcels(), components: { securitySchemes: { oauth } } })
    expect(of("https://api.fernpost.dev/v1/parcels/token", "POST", own)).toBe("not compared: identity_provider")
  })

  test("is that of a token, which descriptions leave to their security schemes", async () => {
    const own = await indexOfDescription({ ...parcels(), paths: { "/oauth2/@me": { get: { responses: {} } } } })
    expect(of("https://api.fernpost.dev/v1/oauth2/token", "POST", own)).toBe("not compared: identity_provider")
    expect(of("https://api.fernpost.dev/v1/oauth2/@you", "GET", own)).toContain("unknown_path")
    expect(of("https://api.fernpost.dev/v1/oauth/token", "POST")).toBe("not compared: identity_provider")
  })

  test("of an operation's own server is none of the others'", async () => {
    const upload = { responses: {}, servers: [{ url: "https://upload.fernpost.dev" }] }
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/labels": { post: upload }, "/parcels": { get: { responses: {} } } }
    })
    expect(of("https://upload.fernpost.dev/labels", "POST", own)).toBe("agrees")
    expect(of("https://api.fernpost.dev/v1/labels", "POST", own)).not.toBe("agrees")
  })
})
