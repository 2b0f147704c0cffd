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
  response_types_supported: ["code"],
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
const json = (path: string, value: unknown): FakeSite => ({
  [path]: { type: "application/json", body: JSON.stringify(value) }
})
const AUTHORIZE: FakeSite = { "/oauth/authorize": { status: 400, body: "client_id is missing" } }

const site = (...others: ReadonlyArray<FakeSite>): FakeSite => manual(plain, Object.assign({}, ...others))

testCriterion(f2CatalogueAndAuth, {
  cases: [
    {
      name: "a linkset, and OAuth metadata with S256",
      site: site(catalog(LINKSET), oauth(METADATA), AUTHORIZE),
      earns: 1,
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
      earns: 1,
      findings: [{ says: "declares 1 security scheme" }]
    },
    {
      name: "a description on another site, of which nothing is said",
      site: site({
        "/customers": `<h1>Orders</h1><p>${"All about orders. ".repeat(20)}</p><redoc spec-url="https://raw.example.net/orders/openapi.json"></redoc>`
      }),
      earns: 0,
      findings: [{ says: "Neither OAuth metadata nor an API description on this site says how to authenticate." }]
    },
    {
      name: "schemes of a description that no operation uses",
      site: site(description({ components: SCHEMES.components })),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [{ says: "The API description declares 1 security scheme, but no operation uses it.", good: false }]
    },
    {
      name: "such schemes, and OAuth metadata",
      site: site(description({ components: SCHEMES.components }), oauth(METADATA), AUTHORIZE),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a description that needs none",
      site: site(description({ security: [] })),
      earns: "partial",
      facts: { catalogue: "absent", auth: "valid" },
      findings: [{ says: "There is no API catalogue at /.well-known/api-catalog." }]
    },
    { name: "a description that says nothing of it", site: site(description({})), earns: 0, facts: { auth: "absent" } },
    {
      name: "a linkset alone",
      site: site(catalog(LINKSET)),
      earns: "partial",
      facts: { catalogue: "valid", auth: "absent" }
    },
    {
      name: "members beside the linkset",
      site: site(catalog({ ...LINKSET, apis: [] })),
      earns: "partial",
      facts: { catalogue: "invalid" },
      findings: [{ says: "it has members beside linkset (apis)", good: false }]
    },
    {
      name: "a linkset without targets",
      site: site(catalog({ linkset: [{ anchor: HOST, "service-doc": [{ title: "Docs" }] }] })),
      earns: "partial",
      findings: [{ says: "a link has no href" }]
    },
    {
      name: "metadata without S256",
      site: site(oauth({ ...METADATA, code_challenge_methods_supported: ["plain"] })),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [{ says: "it does not offer S256", good: false }]
    },
    {
      name: "metadata without endpoints",
      site: site(oauth({ issuer: HOST, response_types_supported: [] })),
      earns: "partial",
      findings: [{ says: "it lacks authorization_endpoint, token_endpoint" }]
    },
    {
      name: "metadata whose endpoint is not there",
      site: site(oauth(METADATA)),
      earns: "partial",
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
      name: "a catalogue that is refused beside a description that says how to authenticate",
      site: site(description(SCHEMES), { "/.well-known/api-catalog": { status: 403 } }),
      earns: "partial",
      facts: { catalogue: "absent", auth: "valid" }
    },
    {
      name: "metadata for clients without users, who need no authorization endpoint and no S256",
      site: site(
        oauth({
          issuer: HOST,
          token_endpoint: `${HOST}/token`,
          response_types_supported: [],
          grant_types_supported: ["client_credentials"]
        }),
        { "/token": { status: 405 } }
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a valid document beside an invalid one",
      site: site(oauth({ error: "none here" }), json("/.well-known/openid-configuration", METADATA), AUTHORIZE),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a resource whose second server has the metadata, below its path",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: HOST,
          authorization_servers: [`${HOST}/old`, `${HOST}/tenants/acme/`]
        }),
        json("/.well-known/oauth-authorization-server/tenants/acme", {
          ...METADATA,
          issuer: `${HOST}/tenants/acme`
        }),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a resource whose server has the metadata of OpenID Connect where RFC 8414, section 5, puts it",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: HOST,
          authorization_servers: [`${HOST}/tenants/acme`]
        }),
        json("/.well-known/openid-configuration/tenants/acme", { ...METADATA, issuer: `${HOST}/tenants/acme` }),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a resource with a server at the origin and one below a path, which has the metadata after its path",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: HOST,
          authorization_servers: [HOST, `${HOST}/acme`]
        }),
        json("/acme/.well-known/openid-configuration", { ...METADATA, issuer: `${HOST}/acme` }),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a resource with two servers below paths, the second with the metadata after its path and all its endpoints on the site: the most that is asked for",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: HOST,
          authorization_servers: [`${HOST}/old`, `${HOST}/acme`]
        }),
        json("/acme/.well-known/openid-configuration", {
          ...METADATA,
          issuer: `${HOST}/acme`,
          token_endpoint: `${HOST}/token`,
          jwks_uri: `${HOST}/jwks`
        }),
        json("/jwks", { keys: [] }),
        { "/token": { status: 405, body: "" } },
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a server whose metadata is that of another issuer",
      site: site(
        json("/.well-known/oauth-protected-resource", { resource: HOST, authorization_servers: [`${HOST}/acme`] }),
        json("/.well-known/oauth-authorization-server/acme", METADATA),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [
        {
          says: "The OAuth metadata is not valid: its issuer is https://docs.example.com, not https://docs.example.com/acme.",
          good: false
        }
      ]
    },
    {
      name: "metadata at the origin that is of another issuer, which a client must not use",
      site: site(oauth({ ...METADATA, issuer: "https://login.example.org/" }), AUTHORIZE),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [{ says: "its issuer is https://login.example.org/, not https://docs.example.com." }]
    },
    {
      name: "metadata of an issuer that is written with a slash",
      site: site(oauth({ ...METADATA, issuer: `${HOST}/` }), AUTHORIZE),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "metadata without response types, which RFC 8414 requires",
      site: site(oauth({ ...METADATA, response_types_supported: undefined }), AUTHORIZE),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [{ says: "it lacks response_types_supported" }]
    },
    {
      name: "a resource that is another than the one asked about, whose servers are not asked",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: "https://api.example.org",
          authorization_servers: [`${HOST}/acme`]
        }),
        json("/.well-known/oauth-authorization-server/acme", { ...METADATA, issuer: `${HOST}/acme` }),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [
        {
          says: "The protected-resource metadata is not valid: its resource is https://api.example.org, not https://docs.example.com.",
          proof: "/.well-known/oauth-protected-resource",
          good: false
        }
      ]
    },
    {
      name: "a resource whose servers are no URLs",
      site: site(json("/.well-known/oauth-protected-resource", { resource: HOST, authorization_servers: "login" })),
      earns: "partial",
      facts: { auth: "invalid" },
      findings: [{ says: "its authorization_servers is not a list of URLs" }]
    },
    {
      name: "an API with a path, whose metadata has the well-known part before that path",
      site: site(
        description({ servers: [{ url: "https://api.example.com/v1" }] }),
        json("https://api.example.com/.well-known/oauth-protected-resource/v1", {
          resource: "https://api.example.com/v1",
          authorization_servers: [`${HOST}/acme`]
        }),
        json("/.well-known/oauth-authorization-server/acme", { ...METADATA, issuer: `${HOST}/acme` }),
        AUTHORIZE
      ),
      earns: "partial",
      facts: { auth: "valid" }
    },
    {
      name: "a server on another site, which is not contacted",
      site: site(
        json("/.well-known/oauth-protected-resource", {
          resource: HOST,
          authorization_servers: ["https://login.example.org"]
        })
      ),
      earns: "partial",
      facts: { auth: "named" },
      findings: [{ says: "names login.example.org, an authorization server on another site" }]
    },
    {
      name: "a catalog that does not answer",
      site: site({ "/.well-known/api-catalog": { status: 503 } }),
      earns: "inconclusive"
    }
  ]
})
