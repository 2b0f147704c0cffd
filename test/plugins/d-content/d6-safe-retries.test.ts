import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d6SafeRetries } from "../../../plugins/d-content/d6-safe-retries.ts"
import { code, manual, plain, table } from "./Manual.ts"

const RETRIES =
  "<h2>Idempotent requests</h2><p>Send an Idempotency-Key, and repeat the request as often as you like.</p>"
const PAGES = "<h2>Pagination</h2><p>Pass the <code>cursor</code> of one page to get the next.</p>"
const EVENTS = "<h2>Webhooks</h2><p>We send a payload to your address for each order.</p>"
const SANDBOX = "<h2>Test mode</h2><p>With a test key nothing is charged, and nothing is shipped in production.</p>"
const ORDER =
  "<h2>Before the first order</h2><p>You must create a customer before you can send the request for an order.</p>"
const SILENT = "<h2>What is sent</h2><p>Unknown fields are ignored.</p>"
const page = (body: string) => manual({ ...plain, "/guide": { title: "Guide", body } })
const spec = (paths: object, more: object = {}) => ({
  "/openapi.json": JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths, ...more })
})
const get = (...names: ReadonlyArray<string>) => ({
  get: {
    parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })),
    responses: { 200: { description: "Fine" } }
  }
})

const withDefaults = (...names: ReadonlyArray<string>) => ({
  get: {
    parameters: names.map((name) => ({ name, in: "query", schema: { type: "string", default: "all" } })),
    responses: { 200: { description: "Fine" } }
  }
})

testCriterion(d6SafeRetries, {
  cases: [
    ...[
      "Before you can capture a payment, send the request that authorizes it.",
      "The customer must already exist when the request is sent.",
      "The endpoint requires that the account has been verified.",
      "A payment can only be refunded by this endpoint after it was captured, and can be cancelled only after that.",
      "Once the upload is complete, call the endpoint for orders."
    ].map((text) => ({
      name: `an order of calls: ${text}`,
      site: page(`<h2>Orders</h2><p>${text}</p>`),
      earns: 1,
      facts: { order: true, defaults: false, silent: false }
    })),
    ...[
      "Fields that are too long are silently truncated.",
      "This parameter is ignored when the name is given.",
      "The endpoint returns 200 even if no order matches.",
      "Responses of the search are eventually consistent.",
      "Changes may take up to five minutes to appear in the response.",
      "The field is not validated.",
      "No error is returned for an unknown parameter.",
      "The header has no effect on old orders.",
      "The API rounds amounts up to full cents."
    ].map((text) => ({
      name: `no error: ${text}`,
      site: page(`<h2>Orders</h2><p>${text}</p>`),
      earns: 1,
      facts: { order: false, defaults: false, silent: true }
    })),
    ...[
      "Before you begin, install Node, and read the guide to the API.",
      "You must URL-encode the marker before you send the request.",
      "Requests are sent in the format of JSON, before and after the update.",
      "Your feedback is not ignored, and the API is for all of you.",
      "Clients should ignore fields that they do not know.",
      "The API may change without notice.",
      "The endpoint works whether or not the account must already be verified.",
      "The host of a request is found in this order: the header, then the name.",
      "Copied into a shell, the ampersand of the request is taken for an operator and the URL will be truncated.",
      "It can take a while to learn a new API.",
      "Noise from the street is ignored by our staff.",
      "The request client will be updated once the standard is final.",
      "Max rounds of a request",
      "The endpoint lists the files that will be deleted after the plan was changed.",
      "The status of the request can be read up to 24 hours after it was sent."
    ].map((text) => ({
      name: `nothing of calls: ${text}`,
      site: page(`<h2>Orders</h2><p>${text}</p>`),
      earns: 0,
      facts: { order: false, silent: false }
    })),
    ...["Installation", "Configuration", "Self-hosting", "Upgrade guide", "Release notes", "Pricing"].map((title) => ({
      name: `sentences below ${title} are not about calls`,
      site: manual({
        ...plain,
        "/other": {
          title: "Other",
          body: `<h2>${title}</h2><p>You must create a database before you can send a request.</p><p>Unknown fields are ignored.</p><h3>Parameters</h3><p>The port of requests defaults to 80. The path defaults to /. The header defaults to none.</p>`
        }
      }),
      earns: 0
    })),
    {
      name: "sentences on a page about the installation",
      site: manual({ ...plain, "/installation": { title: "Installation", body: ORDER + SILENT } }),
      earns: 0
    },
    {
      name: "comments in code are no sentences",
      site: page(code("# Unknown fields are ignored in requests.\ncurl https://api.example.com/orders", "sh")),
      earns: 0
    },
    {
      name: "three defaults in sentences",
      site: page(
        "<h2>Parameters</h2><p>The currency defaults to EUR. If it is omitted, the order is sent at once. By default the newest come first.</p>"
      ),
      earns: 1,
      facts: { defaults: true },
      findings: [{ says: "says what happens if something is left out", proof: "/guide", good: true }]
    },
    {
      name: "two defaults may be there by chance",
      site: page("<h2>Parameters</h2><p>The currency defaults to EUR. By default the newest come first.</p>"),
      earns: 0
    },
    {
      name: "the same default on three pages is one",
      site: manual(
        Object.fromEntries(
          ["/one", "/two", "/three"].map((path) => [
            path,
            { title: path.slice(1), body: "<h2>Headers</h2><p>The version defaults to the newest.</p>" }
          ])
        )
      ),
      earns: 0
    },
    {
      name: "a column of defaults",
      site: page(
        `<h2>Query parameters</h2>${table(["Name", "Default"], ["status", "open"], ["sort", "newest"], ["currency", "EUR"], ["note", "-"])}`
      ),
      earns: 1,
      facts: { defaults: true },
      findings: [{ says: 'The default of status on /guide under "Query parameters" says what', proof: "/guide" }]
    },
    {
      name: "a column of defaults in another language",
      site: page(
        `<p>Esta página explica como listar os pedidos da loja, e quais são os parâmetros de cada consulta que você pode enviar.</p><h2>Parâmetros</h2>${table(["Parâmetro", "Tipo", "Padrão"], ["status", "string", "aberto"], ["ordem", "string", "novos"], ["moeda", "string", "BRL"])}`
      ),
      earns: 1,
      facts: { defaults: true }
    },
    {
      name: "a column of defaults with two of them",
      site: page(
        `<h2>Query parameters</h2>${table(["Name", "Default"], ["status", "open"], ["sort", "newest"], ["note", "none"], ["more", ""])}`
      ),
      earns: 0
    },
    {
      name: "three parameters of the API description with a default",
      site: manual(plain, spec({ "/orders": withDefaults("status", "sort", "currency") })),
      earns: 1,
      facts: { defaults: true },
      findings: [{ says: "The API description says what happens if something is left out", proof: "/openapi.json" }]
    },
    {
      name: "two of them",
      site: manual(plain, spec({ "/orders": withDefaults("status", "sort"), "/lines": withDefaults("sort") })),
      earns: 0
    },
    {
      name: "what operations say of themselves",
      site: manual(
        plain,
        spec({
          "/orders": {
            post: {
              description: "<p>The customer must already exist.</p>\n\nEmpty lines are ignored.",
              responses: { 201: { description: "Created" } }
            }
          }
        })
      ),
      earns: 2,
      facts: { order: true, silent: true },
      findings: [
        {
          says: '"The customer must already exist." of POST /orders in the API description says what must come before a call',
          proof: "/openapi.json"
        }
      ]
    },
    ...[
      [
        "de",
        "Der Kunde muss bereits existieren, bevor die Anfrage mit der Bestellung gesendet wird.",
        "Unbekannte Parameter werden ignoriert, und die Antwort ist für alle gleich.",
        "Der Parameter <i>s</i> ist standardmäßig offen."
      ],
      [
        "es",
        "El cliente debe crearse antes de enviar la solicitud con los datos del pedido.",
        "Los parámetros que no existen son ignorados, y la respuesta es la misma para las tiendas.",
        "El parámetro <i>s</i> es abierto por defecto."
      ],
      [
        "fr",
        "Le client doit être créé avant d'envoyer la requête avec les données de la commande.",
        "Les paramètres inconnus sont ignorés, et la réponse est la même pour vous.",
        "Le paramètre <i>s</i> est ouvert par défaut."
      ],
      [
        "pt",
        "O cliente deve ser criado antes de enviar a requisição com os dados do pedido.",
        "Os parâmetros que não existem são ignorados, e a resposta é a mesma para os clientes.",
        "Por padrão, o parâmetro <i>s</i> é aberto para os pedidos."
      ],
      [
        "ru",
        "Сначала необходимо создать клиента и после этого отправить запрос с данными заказа.",
        "Неизвестные параметры игнорируются, и ответ остаётся тем же для всех клиентов.",
        "Значение параметра <i>s</i> по умолчанию открыто."
      ],
      [
        "zh",
        "请求下单接口之前，必须先创建客户，然后再发送订单的参数和其他数据。",
        "未知的请求参数会被忽略，返回的数据不变，所有的客户都是一样的。",
        "参数 <i>s</i> 默认为打开状态。"
      ],
      [
        "ja",
        "リクエストを送信する前に、顧客を作成しておく必要があります。データは次のとおりです。",
        "不明なパラメータは無視されます。レスポンスはすべての顧客で同じです。",
        "パラメータ <i>s</i> のデフォルトは公開です。"
      ],
      [
        "ko",
        "주문 요청을 보내기 위해서는 먼저 고객을 생성해야 합니다. 데이터는 다음과 같습니다.",
        "알 수 없는 파라미터는 무시됩니다. 응답은 모든 고객에게 동일합니다.",
        "파라미터 <i>s</i> 의 기본값은 공개입니다."
      ]
    ].flatMap(([language = "", order = "", silent = "", left = ""]) => [
      {
        name: `an order of calls and what fails without an error in ${language}`,
        site: page(`<h2>A</h2><p>${order}</p><p>${silent}</p>`),
        earns: 2,
        facts: { order: true, defaults: false, silent: true }
      },
      {
        name: `three defaults in ${language}`,
        site: page(
          `<h2>A</h2>${["a", "b", "c"].map((name) => `<p>${left.replace("<i>s</i>", name)}</p>`).join("")}<p>${order}</p>`
        ),
        earns: 2,
        facts: { order: true, defaults: true, silent: false }
      }
    ]),
    {
      name: "events are cited where they are explained, not where their limits are",
      site: manual({
        ...plain,
        "/push": {
          title: "Push",
          body: "<h2>WebSocket limits</h2><p>A connection may subscribe to 30 streams.</p><h2>WebSocket</h2><p>Connect to the stream, and subscribe to orders.</p>"
        }
      }),
      earns: 1,
      findings: [{ says: 'The section "WebSocket" of /push documents webhooks', good: true }]
    },
    {
      name: "subscriptions of a GraphQL API",
      site: page(
        `<h2>Subscriptions</h2><h3>orderChanged</h3>${code("subscription OrderChanged {\n  orderChanged {\n    id\n  }\n}")}`
      ),
      earns: 1,
      facts: { events: true }
    },
    {
      name: "subscriptions in JSON that customers pay for",
      site: page(
        `<h2>Subscriptions</h2><p>What a customer pays for.</p>${code('{ "subscription": { "id": 1 } }', "json")}`
      ),
      earns: 0
    },
    {
      name: "a message for each event",
      site: page("<h2>Order event message</h2><p>What is sent to the topic when an order changes.</p>"),
      earns: 1,
      facts: { events: true }
    },
    {
      name: "a testbed",
      site: page("<h2>API Testbed</h2><p>Use it while you write your program, as it is not the production.</p>"),
      earns: 1,
      facts: { sandbox: true }
    },
    {
      name: "a sentence of the reference that tells clients to back off",
      site: manual({
        ...plain,
        "/reference": {
          title: "API reference",
          body: "<h2>Load</h2><p>Clients must back off until the minute is over.</p>"
        }
      }),
      earns: 1,
      facts: { retries: true }
    },
    {
      name: "a sandbox mode below a heading that invites to it",
      site: page("<h2>Try for free in sandbox mode</h2><p>Good for development, but not for production.</p>"),
      earns: 1,
      facts: { sandbox: true }
    },
    {
      name: "the section that names nothing else is cited, before one on the webhooks of others",
      site: page(
        "<h2>Fooseer/Barseer webhook</h2><p>Set its payload to what we read, and send it to your topic.</p>" + EVENTS
      ),
      earns: 1,
      findings: [{ says: 'The section "Webhooks" of /guide documents webhooks', proof: "/guide", good: true }]
    },
    {
      name: "five topics, and two of them are said in sentences",
      site: page(RETRIES + PAGES + EVENTS + SANDBOX + ORDER + SILENT),
      earns: 4,
      facts: { order: true, defaults: false, silent: true },
      findings: [
        {
          says: '"You must create a customer before you can send the request…" on /guide under "Before the first order" says what must come before a call',
          proof: "/guide",
          good: true
        },
        { says: "says what fails or changes without an error", proof: "/guide", good: true }
      ]
    },
    { name: "four topics, and one of them in sentences", site: page(RETRIES + PAGES + EVENTS + SILENT), earns: 3 },
    {
      name: "all four of those that have a section of their own",
      site: page(RETRIES + PAGES + EVENTS + SANDBOX),
      earns: 2,
      facts: { retries: true, pagination: true, events: true, sandbox: true },
      findings: [{ says: 'The section "Webhooks" of /guide documents webhooks', proof: "/guide" }]
    },
    ...[
      ["pt", "pagina", "tamanho", "Devolve os pedidos da loja para cada cliente, e uma página por vez com os dados."],
      [
        "es",
        "numeroPagina",
        "registrosPorPagina",
        "Devuelve los pedidos de la tienda con los datos para el cliente y la lista por página."
      ],
      [
        "de",
        "seite",
        "seitengroesse",
        "Die Bestellungen der Kunden werden in Seiten geliefert, und die Daten sind für alle gleich."
      ],
      [
        "fr",
        "page",
        "taillePage",
        "Les commandes de la boutique sont renvoyées par page avec les données pour le client."
      ],
      ["ru", "страница", "размер", "Список заказов магазина с данными, которые нужны для работы с клиентами."],
      ["zh", "页码", "每页条数", "本接口返回商店的所有订单，请按照需要填写以下参数，参数说明如下所示。"],
      [
        "ja",
        "ページ番号",
        "件数",
        "このページでは注文の一覧を取得する方法について説明します。パラメータは次のとおりです。"
      ],
      ["ko", "페이지", "건수", "이 페이지에서는 주문 목록을 조회하는 방법을 설명합니다. 파라미터는 다음과 같습니다."]
    ].flatMap(([language = "", where = "", size = "", text = ""]) => [
      {
        name: `parameters of paging in ${language}, in a list`,
        site: page(`<p>${text}</p><ul><li><code>${where}</code>: x</li><li><code>${size}</code>: y</li></ul>`),
        earns: 1,
        facts: { pagination: true }
      },
      {
        name: `one of them in ${language}`,
        site: page(`<p>${text}</p><ul><li><code>${size}</code>: x</li><li><code>status</code>: y</li></ul>`),
        earns: 0
      }
    ]),
    ...[
      [
        "Что такое песочница?",
        "Песочница нужна, чтобы проверить запросы с тестовыми данными, а реальные деньги не списываются."
      ],
      [
        "Qu'est-ce que le bac à sable ?",
        "Les appels de test sont faits avec des données fictives, et rien n'est envoyé en production pour vous."
      ],
      ["샌드박스란 무엇인가요?", "이 환경에서는 실제 결제 없이 모든 요청을 테스트할 수 있습니다. 키는 따로 발급됩니다."]
    ].map(([heading = "", text = ""]) => ({
      name: `a sandbox below a heading that asks: ${heading}`,
      site: page(`<h2>${heading}</h2><p>${text}</p>`),
      earns: 1,
      facts: { sandbox: true }
    })),
    ...[
      [
        "Notificações",
        "As novidades do portal são enviadas por e-mail para a sua equipe, e os avisos ficam no painel da conta."
      ],
      ["Events", "News of the portal are sent to your team, and each of you receives them by mail."],
      ["Benachrichtigungen", "Die Neuigkeiten des Portals werden an alle gesendet, und Sie erhalten sie mit der Post."]
    ].map(([heading = "", text = ""]) => ({
      name: `${heading} to people are no events`,
      site: page(`<h2>${heading}</h2><p>${text}</p>`),
      earns: 0
    })),
    ...[
      [
        "Notificações",
        "Enviamos um POST para a URL da sua loja, e os dados do pedido são enviados com uma assinatura."
      ],
      ["Events", "We send a request with a payload to the endpoint that you have registered."],
      ["通知", "订单状态改变后，我们会向您的回调地址发送通知，请在收到后返回成功。本页说明通知的内容。"]
    ].map(([heading = "", text = ""]) => ({
      name: `${heading} to programs are: ${text.slice(0, 20)}`,
      site: page(`<h2>${heading}</h2><p>${text}</p>`),
      earns: 1,
      facts: { events: true }
    })),
    { name: "two", site: page(RETRIES + PAGES), earns: 2 },
    { name: "one", site: page(EVENTS), earns: 1, findings: [{ says: ". Documented: webhooks, events or streaming." }] },
    {
      name: "that there is none answers too",
      site: page("<h2>Pagination</h2><p>Lists are not paginated.</p><h2>Webhooks</h2><p>There are no webhooks.</p>"),
      earns: 2
    },
    {
      name: "parameters of the description",
      site: manual(plain, spec({ "/orders": get("limit", "offset"), "/pay": get("Idempotency-Key") })),
      earns: 2,
      facts: { pagination: true, retries: true }
    },
    ...[
      ["page", "limit"],
      ["offset", "limit"],
      ["cursor (optional)", "limit"],
      ["pageNum", "pageSize"],
      ["fromId", "limit"],
      ["start", "rows"],
      ["offset", "max"],
      ["startAt", "maxResults"]
    ].map(([one = "", other = ""]) => ({
      name: `parameters ${one} and ${other} in a table`,
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: table(
            ["Parameter", "Type", "Meaning"],
            ["status", "string", "Of the order"],
            [one, "integer", "Which"],
            [other, "integer", "How many"]
          )
        }
      }),
      earns: 1,
      facts: { pagination: true }
    })),
    {
      name: "a retry policy beside limits, and a simulator",
      site: manual({
        ...plain,
        "/start": {
          title: "Start",
          body: "<h2>3. Rate limiting and retry policy</h2><p>Retry with exponential backoff.</p><h2>Acme POS Simulator</h2><p>Test the whole flow.</p>"
        }
      }),
      earns: 2,
      facts: { retries: true, sandbox: true }
    },
    {
      name: "headers that say what the page is",
      site: manual({
        ...plain,
        "/start": {
          title: "Start",
          body: "<h2>Pagination</h2><ul><li>X-Paginated-By: number of results per page</li><li>X-Pagination-Next: next results</li></ul>"
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "parameters in a second column and in a list of terms",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["In", "Name"], ["query", "page"], ["query", "limit"]) },
        "/lines": {
          title: "Lines",
          body: "<dl><dt>offset</dt><dd>Where to begin</dd><dt>limit</dt><dd>How many</dd></dl>"
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "a limit and a page of different tables",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body:
            table(["Parameter", "Meaning"], ["page", "Where you came from"]) +
            table(["Parameter", "Meaning"], ["limit", "Of money"])
        }
      }),
      earns: 0
    },
    {
      name: "a time to begin at and a limit, or a size and where from, are no paging",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body:
            table(["Parameter", "Meaning"], ["start", "Of the time"], ["limit", "Of money"]) +
            table(["Parameter", "Meaning"], ["from", "Which harbour"], ["size", "Of the boat"])
        }
      }),
      earns: 0
    },
    {
      name: "where to begin and a size, by what the table says of them in another language",
      site: manual({
        ...plain,
        "/orders": {
          title: "订单查询",
          body:
            "<p>查询历史订单，返回结果按照创建时间排列，最新的订单排在最前面，每次请求最多返回一百条记录。</p>" +
            table(["参数", "描述"], ["from", "起始编号（仅在下页查询时有效）"], ["size", "返回的条数"])
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "parameters in a list of items",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: "<ul><li><code>from</code>: integer - where the page begins, for pagination</li><li><code>limit</code>: integer - how many</li></ul>"
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "parameters with a heading each",
      site: manual({
        ...plain,
        "/api/orders": {
          title: "List orders",
          body: "<h3>Parameters</h3><h4>limit (optional)</h4><p>How many.</p><h4>offset (optional)</h4><p>Where to begin.</p>"
        }
      }),
      earns: 1,
      facts: { pagination: true },
      findings: [{ says: "The list of parameters on /api/orders documents pagination.", good: true }]
    },
    {
      name: "headings of a list of topics",
      site: manual({
        ...plain,
        "/api/buttons": { title: "Buttons", body: "<h3>Page</h3><p>Where it is.</p><h3>Size</h3><p>Of it.</p>" }
      }),
      earns: 0
    },
    {
      name: "an editor that is called Cursor",
      site: page("<h2>Editors</h2><p><b>Cursor</b>: add the server to its settings.</p>"),
      earns: 0
    },
    {
      name: "a cursor that is written as a name",
      site: page("<h2>Lists</h2><p><b>Cursor</b>: where the next page begins.</p>"),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "events and callbacks, and a test order",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: "<h2>Events &amp; Callbacks</h2><p>Each function is called when we send a payload.</p><h2>Test order</h2><p>Checks an order without shipping it: a test.</p>"
        }
      }),
      earns: 2,
      facts: { events: true, sandbox: true }
    },
    {
      name: "parameters and servers of a description in another language",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: {
            title: "Pedidos",
            version: "1",
            description:
              "Esta API recebe os pedidos das lojas. Cada requisição deve ser feita com uma chave, e a chave é criada no painel da sua conta."
          },
          servers: [
            { url: "https://api.pedidos.test", description: "Produção" },
            { url: "https://h.pedidos.test", description: "Servidor de Homologação" }
          ],
          paths: { "/pedidos": get("paginacao.paginaAtual", "paginacao.itensPorPagina") }
        })
      }),
      earns: 2,
      facts: { pagination: true, sandbox: true }
    },
    {
      name: "subscriptions that customers pay for",
      site: page(
        "<h2>Subscriptions</h2><p>A subscription charges a customer every month, and in the event of a failure sends a mail.</p>"
      ),
      earns: 0,
      facts: { events: false }
    },
    ...[
      "Subscribe to changes of an order, and get a message for each.",
      "A subscription sends a webhook.",
      "Each subscription has a callback URL."
    ].map((said) => ({
      name: `subscriptions: ${said}`,
      site: page(`<h2>Subscriptions</h2><p>${said}</p>`),
      earns: 1,
      facts: { events: true }
    })),
    {
      name: "push subscriptions",
      site: page("<h2>Push subscriptions</h2><p>We send a message for each order.</p>"),
      earns: 1,
      facts: { events: true }
    },
    ...[
      "<h2>Sandbox</h2><p>Run code safely in an isolated machine.</p>",
      "<h2>Sandboxes</h2><p>Each sandbox is production-ready, and runs your tests in a container of its own.</p>"
    ].map((body) => ({
      name: `no test mode: ${body}`,
      site: page(body),
      earns: 0,
      facts: { sandbox: false }
    })),
    ...[
      "Test your integration before you sell.",
      "Nothing is charged, as there is no money in it.",
      "Calls do not reach production.",
      "Send your calls to https://sandbox.example.com/v1 instead.",
      "Use it with your test keys.",
      "There is no sandbox."
    ].map((said) => ({
      name: `a sandbox: ${said}`,
      site: page(`<h2>Sandbox</h2><p>${said}</p>`),
      earns: 1,
      facts: { sandbox: true }
    })),
    {
      name: "a product that is a sandbox",
      site: {
        "/": "<!doctype html><title>Sandbox</title><main><h1>Sandbox</h1><p>A machine for each of your agents, to run what they wrote.</p><h2>Sandbox</h2><p>Leave it before you go to production.</p></main>"
      },
      earns: 0,
      facts: { sandbox: false }
    },
    {
      name: "an environment for tests of the product's own build",
      site: page("<h2>Testing environments</h2><p>To test this locally, set JEKYLL_ENV when running jekyll serve.</p>"),
      earns: 0,
      facts: { sandbox: false }
    },
    ...[
      `<h2>Environments</h2>${table(["Environment", "Base URL"], ["Sandbox", "https://api-sandbox.pay.example.com/v2"], ["Production", "https://api.pay.example.com/v2"])}`,
      "<h2>Test card numbers</h2><p>Use these for a test of the payment.</p>",
      "<h2>Environments</h2><p>The <strong>development</strong> environment is designed for testing new features. The <strong>production</strong> environment is where real transactions take place.</p>"
    ].map((body) => ({
      name: `a sandbox: ${body.slice(0, 30)}`,
      site: page(body),
      earns: 1,
      facts: { sandbox: true }
    })),
    {
      name: "test data of an integration",
      site: page("<h2>Test data</h2><p>Use these card numbers to verify your integration.</p>"),
      earns: 1,
      facts: { sandbox: true }
    },
    {
      name: "test data of a model",
      site: page("<h2>Test data</h2><p>Split the rows into training data and test data.</p>"),
      earns: 0
    },
    {
      name: "environments for tests of one's own code",
      site: page("<h2>Environments</h2><p>Variables of the environment named CI are set for testing.</p>"),
      earns: 0,
      facts: { sandbox: false }
    },
    {
      name: "environments of another kind",
      site: page(
        "<h2>Environments</h2><p>It runs in browsers, and is served from https://cdn.example.com/app.js too.</p>"
      ),
      earns: 0,
      facts: { sandbox: false }
    },
    ...[
      "Because webhooks may be sent more than once, your handlers must be idempotent.",
      "After processing the webhook data, you must respond to the request with a 200 OK."
    ].map((said) => ({
      name: `no order of calls: ${said}`,
      site: page(`<h2>Requests</h2><p>${said}</p>`),
      earns: 0,
      facts: { order: false }
    })),
    {
      name: "an environment for tests of calls",
      site: page("<h2>Test environment</h2><p>Send requests to another host, with credentials of its own.</p>"),
      earns: 1,
      facts: { sandbox: true }
    },
    ...[
      "Before analysing a recording, the reference of its challenge needs to be prepared by a request.",
      "If other methods of the API are called without this one being called first, an error is returned."
    ].map((said) => ({
      name: `an order: ${said}`,
      site: page(`<h2>Requests</h2><p>${said}</p>`),
      earns: 1,
      facts: { order: true }
    })),
    ...[
      "The call state. An outgoing call will not be set to rejected if the call is sent to a mailbox.",
      "The API returns 401 if the token has been revoked."
    ].map((said) => ({
      name: `no order: ${said}`,
      site: page(`<h2>Requests</h2><p>${said}</p>`),
      earns: 0,
      facts: { order: false }
    })),
    ...["Simply repeat the request after a delay of some seconds.", "This endpoint is safe to retry."].map((said) => ({
      name: `retries in a sentence of the reference: ${said}`,
      site: manual({ ...plain, "/api": { title: "API reference", body: `<h2>POST /orders</h2><p>${said}</p>` } }),
      earns: 1,
      facts: { retries: true }
    })),
    {
      name: "pages of OData",
      site: manual(plain, spec({ "/orders": get("$top", "$skip") })),
      earns: 1,
      facts: { pagination: true }
    },
    { name: "a limit alone is no paging", site: manual(plain, spec({ "/orders": get("limit") })), earns: 0 },
    {
      name: "webhooks and a sandbox of the description",
      site: manual(
        plain,
        spec(
          { "/orders": get() },
          {
            webhooks: { order: { post: { responses: { 200: { description: "Fine" } } } } },
            servers: [{ url: "https://sandbox.example.com" }]
          }
        )
      ),
      earns: 2,
      facts: { events: true, sandbox: true }
    },
    {
      name: "retrying a failed request",
      site: page("<h2>Retry a failed request</h2><p>Wait a second, then repeat it with the same key.</p>"),
      earns: 1,
      facts: { retries: true }
    },
    {
      name: "steps of someone who clicks are no order of calls",
      site: page("<h2>Rename</h2><p>After selecting the property, you need to enter a new name into the field.</p>"),
      earns: 0,
      facts: { order: false }
    },
    {
      name: "an operation that retries something of the product",
      site: page("<h2>Retry a rollout</h2><p>Retries the failed devices of a rollout in a new one.</p>"),
      earns: 0,
      facts: { retries: false }
    },
    {
      name: "words that mean something else",
      site: page(
        "<h2>httpx-retries</h2><p>Retry.</p><h2>Sandbox Explorer</h2><p>A test tool.</p><h2>Pagination</h2><p>A plugin for pretty buttons.</p><h2>Event loop</h2><p>Sends.</p><h2>stream_events(id)</h2><p>Sends.</p><p>We retry, stream, page and test a lot.</p>"
      ),
      earns: 0
    }
  ]
})
