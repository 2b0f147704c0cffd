import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { f2CatalogueAndAuth } from "../../../plugins/f-agent-surface/f2-catalogue-and-auth.ts"
import { manual, plain } from "../d-content/Manual.ts"

const HOST = "https://docs.example.com"
const LINKSET = { linkset: [{ anchor: `${HOST}/`, "service-doc": [{ href: `${HOST}/customers`, type: "text/html" }] }] }
const METADATA = {
  issuer: HOST,
  authorization_endpoint: `${HOST}/oauth/authorize`,
  token_endpoint: "https://login.example.org/token",
  code_challenge_methods_supported: ["S256"]
}
const description = (more: object): FakeSite => ({
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: { "/orders": { get: { responses: { 200: { description: "Fine" } } } } },
    ...more
  })
})
const SCHEMES = {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } }
}
const catalog = (value: unknown): FakeSite => ({
  "/.well-known/api-catalog": { type: "application/linkset+json", body: JSON.stringify(value) }
})
const oauth = (value: unknown): FakeSite => ({
  "/.well-known/oauth-authorization-server": { type: "application/json", body: JSON.stringify(value) }
})
const AUTHORIZE: FakeSite = { "/oauth/authorize": { status: 400, body: "client_id is missing" } }

const site = (...others: ReadonlyArray<FakeSite>): FakeSite => manual(plain, Object.assign({}, ...others))

testCriterion(f2CatalogueAndAuth, {
  cases: [
    {
      name: "a linkset, and OAuth metadata with S256",
      site: site(catalog(LINKSET), oauth(METADATA), AUTHORIZE),
      earns: 3,
      facts: { catalogue: "valid", auth: "valid" },
      findings: [
        {
          says: "The API catalogue is a valid linkset. The OAuth metadata is complete and offers S256.",
          proof: "/.well-known/api-catalog",
          good: true
        }
      ]
    },
    {
      name: "a linkset, and schemes of a description",
      site: site(catalog(LINKSET), description(SCHEMES)),
      earns: 3,
      findings: [{ says: "declares 1 security scheme" }]
    },
    {
      name: "a description that needs none",
      site: site(description({ security: [] })),
      earns: 2,
      facts: { catalogue: "absent", auth: "valid" },
      findings: [{ says: "There is no API catalogue at /.well-known/api-catalog." }]
    },
    { name: "a description that says nothing of it", site: site(description({})), earns: 0, facts: { auth: "absent" } },
    { name: "a linkset alone", site: site(catalog(LINKSET)), earns: 2, facts: { catalogue: "valid", auth: "absent" } },
    {
      name: "members beside the linkset",
      site: site(catalog({ ...LINKSET, apis: [] })),
      earns: 1,
      facts: { catalogue: "invalid" },
      findings: [{ says: "it has members beside linkset (apis)", good: false }]
    },
    {
      name: "a linkset without targets",
      site: site(catalog({ linkset: [{ anchor: HOST, "service-doc": [{ title: "Docs" }] }] })),
      earns: 1,
      findings: [{ says: "a link has no href" }]
    },
    {
      name: "metadata without S256",
      site: site(oauth({ ...METADATA, code_challenge_methods_supported: ["plain"] })),
      earns: 1,
      facts: { auth: "invalid" },
      findings: [{ says: "it does not offer S256", good: false }]
    },
    {
      name: "metadata without endpoints",
      site: site(oauth({ issuer: HOST })),
      earns: 1,
      findings: [{ says: "it lacks authorization_endpoint, token_endpoint" }]
    },
    {
      name: "metadata whose endpoint is not there",
      site: site(oauth(METADATA)),
      earns: 1,
      facts: { auth: "invalid" },
      findings: [{ says: "which returns 404", proof: "/oauth/authorize", good: false }]
    },
    {
      name: "nothing",
      site: site(),
      earns: 0,
      facts: { catalogue: "absent", auth: "absent" },
      findings: [
        {
          says: "There is no API catalogue at /.well-known/api-catalog.",
          proof: "/.well-known/api-catalog",
          good: false
        }
      ]
    },
    {
      name: "a page for every address",
      site: {
        ...site(),
        "*": "<!doctype html><title>Orders</title><h1>Orders</h1><p>Everything about orders, in one place.</p>"
      },
      earns: 0,
      facts: { catalogue: "absent", auth: "absent" }
    },
    {
      name: "a description that is longer than we read",
      site: site(description({ ...SCHEMES, "x-filler": "x".repeat(5_000) })),
      limits: { documentBytes: 2_000 },
      earns: "inconclusive"
    },
    {
      name: "a catalog that does not answer",
      site: site({ "/.well-known/api-catalog": { status: 503 } }),
      earns: "inconclusive"
    }
  ]
})
