import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d4Authentication } from "../../../plugins/d-content/d4-authentication.ts"
import { code, manual, plain, table } from "./Manual.ts"

const page = (body: string, title = "Authentication") => manual({ ...plain, "/auth": { title, body } })
const HEADER = code("curl https://api.example.com/v1/orders -H 'Authorization: Bearer $KEY'", "bash")
const ORIGIN = "<p>Create an API key in the dashboard under Settings.</p>"
const spec = (more: object) => ({
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: { "/orders": { get: { responses: { 200: { description: "Fine" } } } } },
    ...more
  })
})

/** By the title of the page, with words enough to know the language by. */
const RESTRICTED = [
  [
    "Authentifizierung",
    "Die Anfragen werden mit einem Schlüssel gesendet, und der Schlüssel ist geheim. Wenn keine Authentifizierung erforderlich ist, lassen Sie den Header weg."
  ],
  [
    "Autenticación",
    "Todas las llamadas llevan una clave en la cabecera, y los datos son privados. Las solicitudes sin autenticación devuelven un error."
  ],
  [
    "Authentification",
    "Les requêtes sont envoyées avec une clé pour le compte. Les requêtes sans authentification sont refusées."
  ],
  ["認証", "リクエストにはキーを付けて送信します。認証なしで呼び出すと 401 が返されます。"],
  ["인증", "요청에는 키를 함께 보냅니다. 인증 없이 호출하면 오류가 발생합니다."],
  [
    "Autenticação",
    "As requisições são enviadas com uma chave para a conta. Requisições sem autenticação são rejeitadas."
  ],
  [
    "Авторизация",
    "Запросы отправляются с ключом, и ключ нужно хранить в секрете. Запросы без авторизации возвращают ошибку."
  ],
  ["认证", "所有请求都要带上签名。如果无需认证，请不要发送该请求头。"]
] as const
const OUTRIGHT = [
  [
    "Authentifizierung",
    "Die Daten sind für alle da, und die Anfragen sind frei. Es ist keine Authentifizierung erforderlich."
  ],
  ["Autenticación", "Los datos son para todos, y las consultas son libres. No se requiere autenticación."],
  [
    "Authentification",
    "Les données sont pour tous, et les requêtes sont libres. Aucune authentification n'est requise."
  ],
  ["認証", "このデータは誰でも自由に利用できます。リクエストはそのまま送信してください。認証は不要です。"],
  ["인증", "이 데이터는 누구나 자유롭게 사용할 수 있습니다. 인증이 필요하지 않습니다."],
  ["Autenticação", "Os dados são para todos, e as consultas são livres. Não requer autenticação."],
  ["Авторизация", "Эти данные доступны для всех, и запросы свободны. Авторизация не требуется."],
  ["认证", "这些数据对所有人开放，所有请求都可以直接发送，不收取费用。无需认证。"]
] as const

testCriterion(d4Authentication, {
  cases: [
    {
      name: "a sentence of the reference, without a heading of its own",
      site: manual({
        ...plain,
        "/stats-api": {
          title: "Stats API",
          body:
            "<p>Each request must be authenticated with an API key. You can obtain an API key in the settings of your account.</p>" +
            "<pre><code>curl https://docs.example.com/stats -H 'Authorization: Bearer TOKEN'</code></pre>"
        }
      }),
      earns: 2,
      facts: { section: true, sample: true, origin: true },
      findings: [{ says: 'The sentence "Each request must be authenticated with an API key." on /stats-api tells' }]
    },
    {
      name: "a first sentence of the API description that says how the key is sent, and one that says whom to ask for it",
      site: manual(
        plain,
        spec({
          info: {
            title: "Orders",
            version: "1",
            description:
              "Please contact us to get an API token. This token needs to be sent as a header with every request.\n\nOrders are listed by day."
          }
        })
      ),
      earns: 1,
      facts: { section: true, origin: true },
      findings: [
        {
          says: 'The sentence "This token needs to be sent as a header with every request." of the API description tells'
        },
        { says: 'The sentence "Please contact us to get an API token." of the API description says where' }
      ]
    },
    {
      name: "a header in code below a heading on headers",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: `<h2>Orders API</h2><h5>Headers</h5>${code("// From your account\nAuthorization: Bearer <YOUR_TOKEN>")}`
        }
      }),
      earns: 1,
      facts: { section: false, sample: true },
      findings: [{ says: 'The section "Headers" of /orders shows how credentials are sent' }]
    },
    {
      name: "a sentence of the reference beside one call that needs none",
      site: manual({
        ...plain,
        "/stats-api": {
          title: "Stats API",
          body: "<p>Requests require an API key. For the health check no API key is needed.</p>"
        }
      }),
      earns: 1,
      facts: { none_needed: false, section: true }
    },
    {
      name: "a sentence of the reference by which none is needed",
      site: manual({ ...plain, "/stats-api": { title: "Stats API", body: "<p>No request needs an API key.</p>" } }),
      earns: 0,
      facts: { section: false }
    },
    {
      name: "a page that keys are set on is their origin in Chinese, and what to tick when one is created is none",
      site: manual({
        ...plain,
        "/jiekou": {
          title: "接口说明",
          body: "<h2>API Key 设置</h2><p>很多接口需要 API Key 才可以访问。请参考<a href='https://example.com/keys'>这个页面</a>来设置 API Key。</p><h2>API Key 权限设置</h2><p>在创建 API Key 时勾选所需要的权限</p>"
        }
      }),
      earns: 1,
      facts: { section: true, origin: true },
      findings: [{ says: 'The section "API Key 设置" of /jiekou says where to get credentials', good: true }]
    },
    {
      name: "an item of a list that is about the password, with paragraphs of its own, says where it is set",
      site: manual({
        ...plain,
        "/addin": {
          title: "アドインの利用方法",
          body: "<ol><li>ポート<p>本番用をご利用になる場合には、このポートを入力してください。</p></li><li>APIパスワード<p>「APIシステム設定」で設定したパスワードを入力してください。</p><p>ログインするとトークンが発行されます。</p></li></ol>"
        }
      }),
      earns: 1,
      facts: { section: false, sample: false, origin: true },
      findings: [
        { says: "Missing: a page or section on authentication; a sample request with credentials.", good: false },
        { says: "The entry APIパスワード on /addin says where to get credentials", good: true }
      ]
    },
    {
      name: "a call to a server that users run is cited before the logins of others",
      site: manual({
        ...plain,
        "/openid": {
          title: "OpenID Connect",
          body:
            "<p>Create a client at the provider, then copy its <code>client_secret: x</code>.</p>" +
            code("client_secret: x", "yaml")
        },
        "/admin": {
          title: "Admin API",
          body:
            "<h2>Authenticate as an admin</h2><p>Your <code>access_token</code> is shown in the settings of your account.</p><h2>Send a request</h2>" +
            code('curl -H "Authorization: Bearer secret_1234" http://127.0.0.1:8008/admin/v1/users', "bash")
        }
      }),
      earns: 2,
      findings: [
        { says: "Documented: ", good: true },
        {
          says: 'The section "Authenticate as an admin" of /admin tells how to authenticate',
          proof: "/admin",
          good: true
        },
        { says: "A call on /admin shows how credentials are sent", proof: "/admin", good: true },
        { says: 'The section "Authenticate as an admin" of /admin says where', proof: "/admin", good: true }
      ]
    },
    ...["AccessKeyId=K7-31&Signature=Zm9vYmFy", "X-Amz-Credential=K731&x=1", "userKey=31&x=1", "sig=Zm9vYmFy"].map(
      (query) => ({
        name: `credentials in the query are a sample: ${query}`,
        site: page(code(`https://api.example.com/v1/orders?${query}`) + ORIGIN),
        earns: 2,
        facts: { sample: true }
      })
    ),
    {
      name: "a query without credentials is no sample",
      site: page(code("https://api.example.com/v1/orders?design=7&signed=true&page=2") + ORIGIN),
      earns: 1,
      facts: { sample: false }
    },
    {
      name: "where to write for a key is where it comes from",
      site: page(`${HEADER}<p>Contact our sales team to get an API key.</p>`),
      earns: 2,
      facts: { origin: true }
    },
    {
      name: "whom to ask about a key that fails is not",
      site: page(`${HEADER}<p>If your key does not work, contact our support with the number of the request.</p>`),
      earns: 1,
      facts: { origin: false }
    },
    {
      name: "a label of a line that says where to create keys is where they come from",
      site: page(
        `${HEADER}<h2>Before you call</h2><ul><li><strong>API key:</strong> create one in the dashboard.</li></ul>`,
        "Guide"
      ),
      earns: 2,
      facts: { origin: true }
    },
    ...[
      "Choose a long random token.",
      "Set <code>api_token</code> to a token of your choice.",
      "Put the token into the configuration file of your server.",
      "Define the password in your instance's settings."
    ].map((text) => ({
      name: `a credential that those who run the software make: ${text}`,
      site: page(`${HEADER}<p>${text}</p>`),
      earns: 2 as const,
      facts: { origin: true }
    })),
    ...[
      "Put the token into the file that the client reads.",
      "Add your key to the MCP server configuration.",
      "Choose an account before you call."
    ].map((text) => ({
      name: `no place where a credential comes from: ${text}`,
      site: page(`${HEADER}<p>${text}</p>`),
      earns: 1 as const,
      facts: { origin: false }
    })),
    {
      name: "a page with header and origin",
      site: page(ORIGIN + HEADER),
      earns: 2,
      facts: { section: true, sample: true, origin: true, none_needed: false },
      findings: [{ says: "Documented: ", good: true, proof: "/auth" }]
    },
    {
      name: "no origin",
      site: page(HEADER),
      earns: 1,
      facts: { origin: false },
      findings: [{ says: "Missing: where to get credentials" }]
    },
    {
      name: "a page alone",
      site: page("<p>We take security seriously, and so should you.</p>"),
      earns: 1,
      facts: { section: true, sample: false, origin: false }
    },
    {
      name: "a header in a call to the site's own API, without a section",
      site: manual({ ...plain, "/orders": { title: "Orders", body: HEADER } }),
      earns: 1,
      facts: { section: false, sample: true }
    },
    ...[
      [
        "a token in the query of a call to the user's own server",
        'curl "http://localhost:8008/message?token=<apptoken>" -F "title=Hello"'
      ],
      ["a key in the query of a call to the site's own API", "curl 'https://api.example.com/v1/orders?api_key=$KEY'"],
      ["a login in a call to the site's own API", "curl -u admin:secret https://api.example.com/v1/orders"],
      ["a key in a header of its own name", 'curl https://api.example.com/v1/orders \\\n  -H "api-key: $KEY"'],
      [
        "a key among the headers of a call in a script",
        "$.ajax({\n  url: 'https://api.example.com/v1/orders',\n  headers: { 'apikey': key }\n})"
      ]
    ].map(([name = "", call = ""]) => ({
      name: `${name}, without a section`,
      site: manual({ ...plain, "/orders": { title: "Orders", body: code(call, "bash") } }),
      earns: 1,
      facts: { section: false, sample: true }
    })),
    ...[
      [
        "a key that is no credential in the query of a call",
        "curl 'https://api.example.com/v1/orders?key=name&page_token=2'"
      ],
      ["the user of a container beside a call", "docker run -u 1000:1000 orders\ncurl http://localhost:8080/v1/orders"],
      ["a token in the query of a call to another's API", "curl 'https://api.other.test/send?token=<token>'"],
      [
        "a token that a call returns",
        'curl https://api.example.com/v1/orders -H "Accept: application/json"\n{\n  "access_token": "Y2hhaXI"\n}'
      ]
    ].map(([name = "", call = ""]) => ({
      name,
      site: manual({ ...plain, "/orders": { title: "Orders", body: code(call, "bash") } }),
      earns: 0,
      facts: { sample: false }
    })),
    {
      name: "a header in a call to another's API",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: code("curl https://api.other.test/ -H 'Authorization: Bearer $KEY'", "bash")
        }
      }),
      earns: 0
    },
    {
      name: "a header in a request on a reference page, whatever host the API has",
      site: manual({
        ...plain,
        "/reference/orders": {
          title: "Orders",
          body: code(
            "POST /v1/orders HTTP/1.1\nHost: gateway.harbour.test\nAuthorization: Bearer <AccessToken>",
            "http"
          )
        }
      }),
      earns: 1,
      facts: { section: false, sample: true },
      findings: [{ says: "A call on /reference/orders shows how credentials are sent" }]
    },
    {
      name: "a header in the text of a reference page",
      site: manual({
        ...plain,
        "/reference/orders": {
          title: "Orders",
          body: "<p>此请求附带 <code>Authorization: Bearer ${secret}</code> 请求头</p>"
        }
      }),
      earns: 1,
      facts: { sample: true },
      findings: [{ says: "The text of /reference/orders shows how credentials are sent" }]
    },
    {
      name: "the authorization of a payment in a response on a reference page",
      site: manual({
        ...plain,
        "/reference/orders": {
          title: "Orders",
          body: code('{ "authorization": { "id": "au_12345678" }, "state": "open" }', "json")
        }
      }),
      earns: 0,
      facts: { sample: false }
    },
    ...["orders.account.log_in('user', 'secret')", 'await orders.login("<key>", "<secret>")'].map((call) => ({
      name: `a login by the product's own library: ${call}`,
      site: manual({
        ...plain,
        "/start": { title: "First steps", body: code(call, "python") }
      }),
      earns: 1 as const,
      facts: { sample: true }
    })),
    {
      name: "credentials among the parameters of a call that are headers",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: table(
            ["Name", "Type", "Description", "Location"],
            ["version", "string", "Of the API", "Path"],
            ["ApiKey", "string", "Of your account", "Headers"]
          )
        }
      }),
      earns: 1,
      facts: { section: false, sample: true },
      findings: [{ says: "The entry ApiKey on /orders" }]
    },
    {
      name: "a key that a call takes in its body is not sent with each",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: table(["Name", "Description", "Location"], ["ApiKey", "To revoke", "Body"])
        }
      }),
      earns: 0,
      facts: { sample: false }
    },
    {
      name: "the authorization of a payment is no authentication",
      site: manual({
        ...plain,
        "/payments": {
          title: "Payments",
          body: "<h2>Authorization</h2><p>An authorization reserves the amount on the card of the payer, until it is captured.</p>"
        }
      }),
      earns: 0,
      facts: { section: false }
    },
    {
      name: "the request that authorizes a payment is no authentication, though it is sent with credentials",
      site: manual({
        ...plain,
        "/cards": {
          title: "Card authorization",
          body:
            "<h2>Authorization request</h2><p>Reserves the amount.</p>" +
            code("POST /cards/7/authorizations HTTP/1.1\nAuthorization: Bearer <AccessToken>", "http")
        }
      }),
      earns: 1,
      facts: { section: false, sample: true },
      findings: [{ says: "A call on /cards shows how credentials are sent" }]
    },
    {
      name: "the authorization of calls by the API of payments",
      site: manual({
        ...plain,
        "/payments": {
          title: "Payments",
          body: "<h2>Authorization</h2><p>Each payment is sent with the access token of the merchant.</p>"
        }
      }),
      earns: 1,
      facts: { section: true }
    },
    {
      name: "how people log in to a web app is cited after how a call is authenticated",
      site: manual({
        ...plain,
        "/app": { title: "Web app", body: "<h2>Logging in</h2><p>Open the app, and enter your password.</p>" },
        "/rest": {
          title: "REST API",
          body: "<h2>Endpoints</h2><h3>Authentication</h3><p>Send the token that the login returned.</p>"
        }
      }),
      earns: 1,
      findings: [{ says: 'The section "Authentication" of /rest tells how to authenticate', good: true }]
    },
    {
      name: "a key given to the product's own library",
      site: manual({
        ...plain,
        "/start": { title: "First steps", body: code('client = Orders.client("osk_live_...")', "elixir") }
      }),
      earns: 1,
      facts: { sample: true }
    },
    {
      name: "a key given to another's library",
      site: manual({
        ...plain,
        "/start": { title: "First steps", body: code('client = OtherThing.client("osk_live_...")', "elixir") }
      }),
      earns: 0
    },
    {
      name: "a login given to the product's own library",
      site: manual({
        ...plain,
        "/start": { title: "First steps", body: code("auth = orders.BasicAuth('user', 'secret')", "python") }
      }),
      earns: 1,
      facts: { sample: true }
    },
    {
      name: "the variable that a key is read from, under a heading",
      site: page("<p>Set the ORDERS_API_KEY environment variable.</p>"),
      earns: 1,
      facts: { section: true, sample: true, origin: false }
    },
    {
      name: "the same in passing",
      site: manual({
        ...plain,
        "/start": { title: "First steps", body: "<p>Set the ORDERS_API_KEY environment variable.</p>" }
      }),
      earns: 0
    },
    {
      name: "a term of a glossary says where keys are made",
      site: manual({
        ...plain,
        "/glossary": {
          title: "Glossary",
          body: table(["Term", "Meaning"], ["API key", "Tells who calls. Generate your API key in the console."])
        }
      }),
      earns: 1,
      facts: { origin: true }
    },
    {
      name: "a parameter of that name does not",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["Parameter", "Meaning"], ["api_key", "Create your API key first."]) }
      }),
      earns: 0,
      facts: { origin: false }
    },
    {
      name: "none needed, said under a heading",
      site: page("<p>This is an open API. <b>No authentication is required</b> to read.</p>"),
      earns: 2,
      facts: { none_needed: true }
    },
    {
      name: "none needed, said in passing",
      site: manual({ ...plain, "/orders": { title: "Orders", body: "<p>No authentication is required here.</p>" } }),
      earns: 0,
      facts: { none_needed: false }
    },
    {
      name: "none needed for some calls only",
      site: page(`<p>No API key is needed to read.</p>${HEADER}`),
      earns: 1,
      facts: { none_needed: false }
    },
    ...[
      "If you don't have an API key yet, create one in the dashboard.",
      "Users who do not have an account sign up first.",
      "When no API key is needed, leave the header out."
    ].map((said) => ({
      name: `no word that none is needed: ${said}`,
      site: page(`<p>Send your key in a header. ${said}</p>`),
      earns: 1,
      facts: { none_needed: false, origin: !said.startsWith("When") }
    })),
    ...[
      "The API does not have authentication.",
      "This API doesn't have any form of authorization.",
      "You don't need an API key."
    ].map((said) => ({
      name: `none needed: ${said}`,
      site: page(`<p>${said}</p>`),
      earns: 2,
      facts: { none_needed: true }
    })),
    ...RESTRICTED.map(([title, said]) => ({
      name: `no word that none is needed: ${said}`,
      site: page(`<p>${said}</p>`, title),
      earns: 1,
      facts: { none_needed: false }
    })),
    ...OUTRIGHT.map(([title, said]) => ({
      name: `none needed: ${said}`,
      site: page(`<p>${said}</p>`, title),
      earns: 2,
      facts: { none_needed: true }
    })),
    {
      name: "none needed by the description",
      site: manual(plain, spec({ security: [] })),
      earns: 2,
      facts: { none_needed: true }
    },
    {
      name: "a scheme of the description",
      site: manual(
        plain,
        spec({
          security: [{ key: [] }],
          components: {
            securitySchemes: {
              key: { type: "apiKey", in: "header", name: "X-Key", description: "Generate a key in your account." }
            }
          }
        })
      ),
      earns: 2,
      facts: { section: true, sample: true, origin: true }
    },
    {
      name: "an endpoint of the description that issues credentials",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1" },
          paths: { "/oauth/token": { post: { responses: { 200: { description: "Fine" } } } } }
        })
      }),
      earns: 1,
      facts: { section: false, origin: true },
      findings: [{ says: "POST /oauth/token" }]
    },
    ...["/v1/auth/login", "/v1/auth"].map((path) => ({
      name: `an endpoint on a page that issues credentials: ${path}`,
      site: manual({
        ...plain,
        "/keys": { title: "Keys", body: `<pre>POST https://api.example.com${path}</pre>` }
      }),
      earns: 1 as const,
      facts: { origin: true },
      findings: [{ says: `POST ${path} on /keys` }]
    })),
    {
      name: "endpoints that take or revoke tokens of another kind",
      site: manual({
        ...plain,
        "/keys": {
          title: "Keys",
          body: "<pre>POST /v1/tokens</pre><pre>POST /devices/push/token</pre><pre>DELETE /v1/api-keys</pre><pre>GET /login</pre>"
        }
      }),
      earns: 0,
      facts: { origin: false }
    },
    {
      name: "the token URL of a flow in the description",
      site: manual(
        plain,
        spec({
          security: [{ login: [] }],
          components: {
            securitySchemes: {
              login: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/oauth/token", scopes: {} } } }
            }
          }
        })
      ),
      earns: 1,
      facts: { section: true, sample: false, origin: true }
    },
    {
      name: "a header that a table names",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["Header", "Meaning"], ["X-API-Key", "Tells who calls"]) }
      }),
      earns: 1,
      facts: { section: false, sample: true },
      findings: [{ says: "The entry X-API-Key on /orders" }]
    },
    ...[
      "Add a header with the secret key found on the Project webhooks page.",
      "To access your credentials, login to the Messaging Dashboard.",
      "You can obtain the Authorization (Bearer) token and the access key below Settings."
    ].map((said) => ({
      name: `where credentials come from: ${said}`,
      site: manual({ ...plain, "/auth": { title: "Authentication", body: `<p>${said}</p>` } }),
      earns: 1,
      facts: { section: true, origin: true }
    })),
    {
      name: "an implicit flow of the description gives out tokens where it authorizes",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1" },
          security: [{ account: [] }],
          components: {
            securitySchemes: {
              account: {
                type: "oauth2",
                flows: { implicit: { authorizationUrl: "https://id.example.com/authorize", scopes: {} } }
              }
            }
          },
          paths: { "/orders": { get: { responses: { 200: { description: "Fine" } } } } }
        })
      }),
      earns: 1,
      facts: { section: true, origin: true }
    },
    {
      name: "identifiers and authors",
      site: manual({
        ...plain,
        "/a": {
          title: "Authors",
          body: "<h2>Orders::Authentication</h2><p>x</p><h2>auth_token(id)</h2><p>Create an API key.</p>"
        }
      }),
      earns: 0
    },
    {
      name: "other people's products",
      site: manual({
        ...plain,
        "/third-party": {
          title: "Third party packages",
          body: `<h2>Authentication</h2>${ORIGIN}${HEADER.replace("api.example.com", "api.other.test")}`
        }
      }),
      earns: 0
    }
  ]
})
