import { analyse } from "scslre"
import { describe, expect, test } from "vitest"
import { folded, LANGUAGES, languagesIn, readingLength, wordsIn } from "../../engine/text/languages/Language.ts"
import {
  type Meaning,
  meanings,
  MONTHS,
  patternSource,
  readerIn,
  readerOf,
  wordsFor
} from "../../engine/text/languages/Vocabulary.ts"

describe("the table of words", () => {
  test.each(meanings())("says %s in each of its languages", (meaning) => {
    expect(LANGUAGES.filter((language) => wordsFor(meaning, language).length === 0)).toEqual([])
  })

  test("is written as texts are searched: folded", () => {
    const words = meanings().flatMap((meaning) => LANGUAGES.flatMap((language) => wordsFor(meaning, language)))
    expect(words.filter((word) => folded(word) !== word)).toEqual([])
  })

  test.each(meanings())("takes linear time to look for %s", (meaning) => {
    const slow = LANGUAGES.filter((language) => {
      const source = patternSource(meaning, language) ?? ""
      return (
        analyse(
          { source, flags: "g" },
          { reportTypes: { Self: true, Trade: true, Move: true }, assumeRejectingSuffix: false }
        ).reports.length > 0
      )
    })
    expect(slow).toEqual([])
  })

  test("has twelve months in each language that names them", () => {
    expect(MONTHS.filter(([, months]) => months.length !== 12)).toEqual([])
  })
})

describe("a heading names its subject", () => {
  test.each<readonly [Meaning, (typeof LANGUAGES)[number], ReadonlyArray<string>]>([
    ["errors", "de", ["Fehlercodes", "API-Fehler", "Umgang mit Fehlern", "Ausnahmen"]],
    ["errors", "es", ["Códigos de error", "Errores", "Manejo de errores"]],
    ["errors", "fr", ["Codes d’erreur", "Gestion des erreurs", "Codes de statut HTTP"]],
    ["errors", "ja", ["エラーコード一覧", "HTTPステータスコード", "ＡＰＩエラー"]],
    ["errors", "ko", ["오류 코드", "에러코드", "응답코드 안내"]],
    ["errors", "pt", ["Códigos de erro", "Tratamento de erros", "Exceções"]],
    ["errors", "ru", ["Ошибки", "Коды ошибок", "Обработка ошибок", "Коды ответов"]],
    ["errors", "zh", ["错误码", "返回码说明", "錯誤碼", "HTTP 状态码"]],
    ["authentication", "de", ["Authentifizierung", "API-Schlüssel", "Anmeldung"]],
    ["authentication", "es", ["Autenticación", "Claves de API", "Tokens JWT"]],
    ["authentication", "fr", ["Authentification", "Clés d’API", "Jetons d'accès"]],
    ["authentication", "ja", ["認証", "APIキー", "アクセストークンの取得"]],
    ["authentication", "ko", ["인증", "API 키", "토큰 발급"]],
    ["authentication", "pt", ["Autenticação", "Chaves de acesso", "Credenciais"]],
    ["authentication", "ru", ["Авторизация", "Аутентификация запросов", "Учётные данные", "API-ключи"]],
    ["authentication", "zh", ["认证", "鉴权方式", "签名", "访问令牌"]],
    ["rateLimits", "de", ["Ratenbegrenzung", "Anfragelimits", "Abrufkontingente", "Drosselung"]],
    ["rateLimits", "es", ["Límites de uso", "Límite de solicitudes", "Cuotas"]],
    ["rateLimits", "fr", ["Limites de débit", "Limitation du nombre de requêtes", "Quotas"]],
    ["rateLimits", "ja", ["レート制限", "スロットリング", "リクエスト数の上限", "流量制限"]],
    ["rateLimits", "ko", ["호출 제한", "요청 횟수 제한", "할당량"]],
    ["rateLimits", "pt", ["Limites de taxa", "Limite de requisições", "Cotas"]],
    ["rateLimits", "ru", ["Лимиты запросов", "Ограничения на количество запросов", "Квоты"]],
    ["rateLimits", "zh", ["限频规则", "频率限制", "访问频率", "配额", "接口限流"]],
    ["pagination", "de", ["Paginierung", "Seitenweiser Abruf"]],
    ["pagination", "ja", ["ページネーション", "ページング"]],
    ["pagination", "ru", ["Пагинация", "Постраничный вывод"]],
    ["pagination", "zh", ["分页", "分页参数"]],
    ["retries", "de", ["Wiederholungen", "Idempotenz"]],
    ["retries", "ru", ["Идемпотентность", "Повторные запросы"]],
    ["retries", "ja", ["リトライ", "冪等性"]],
    ["events", "de", ["Webhooks", "Ereignisbenachrichtigungen"]],
    ["events", "ja", ["プッシュ通知", "Webhook"]],
    ["events", "ru", ["Вебхуки", "Уведомления о событиях"]],
    ["sandbox", "de", ["Testumgebung", "Testserver"]],
    ["sandbox", "zh", ["测试下单", "沙箱环境"]],
    ["sandbox", "fr", ["Environnement de test", "Bac à sable"]],
    ["sandbox", "ja", ["サンドボックス", "検証環境"]],
    ["sandbox", "pt", ["Ambiente de homologação"]],
    ["sandbox", "ru", ["Песочница", "Тестовая среда"]],
    ["changelog", "de", ["Änderungsprotokoll", "Änderungslog", "aenderungen", "Neuigkeiten"]],
    ["changelog", "es", ["Historial de versiones", "Registro de cambios", "Novedades"]],
    ["changelog", "fr", ["Journal des modifications", "Notes de version"]],
    ["changelog", "ja", ["更新履歴", "変更履歴", "リリースノート"]],
    ["changelog", "ko", ["변경 이력", "릴리즈 노트", "업데이트 내역"]],
    ["changelog", "pt", ["Histórico de versões", "Registro de alterações"]],
    ["changelog", "ru", ["История изменений", "Что нового", "Журнал обновлений"]],
    ["changelog", "zh", ["更新日志", "变更记录", "版本历史"]],
    ["policy", "de", ["Versionierung", "Abkündigungen"]],
    ["policy", "ru", ["Версионирование", "Обратная совместимость"]],
    ["policy", "ja", ["バージョニング", "後方互換性"]],
    ["glossary", "de", ["Glossar"]],
    ["glossary", "ja", ["用語集"]],
    ["glossary", "ru", ["Глоссарий", "Термины и определения"]],
    ["glossary", "zh", ["术语表", "名词解释"]],
    ["examples", "es", ["Ejemplos"]],
    ["dateColumn", "ja", ["更新日"]]
  ])("%s in %s", (meaning, language, headings) => {
    const reader = readerIn(language)
    expect(headings.filter((heading) => !reader.says(meaning, heading))).toEqual([])
  })

  test.each<readonly [Meaning, (typeof LANGUAGES)[number], ReadonlyArray<string>]>([
    ["errors", "de", ["Fehl am Platz", "fehlercodes_liste(id)", "acme.fehler.list"]],
    ["authentication", "ru", ["Автор"]],
    ["rateLimits", "fr", ["Limites administratives"]],
    ["changelog", "de", ["Anderung des Namens"]],
    ["pagination", "es", ["Paginacionista"]]
  ])("but no other word: %s in %s", (meaning, language, headings) => {
    const reader = readerIn(language)
    expect(headings.filter((heading) => reader.says(meaning, heading))).toEqual([])
  })
})

describe("a text states a limit", () => {
  test.each([
    ["de", "Pro Schlüssel sind 100 Anfragen pro Minute erlaubt."],
    ["es", "Puede enviar 1.000 solicitudes por hora."],
    ["fr", "Chaque clé peut envoyer 60 requêtes par minute."],
    ["ja", "1分間に100回まで呼び出せます。"],
    ["ja", "毎秒10リクエストまでです。"],
    ["ko", "초당 10회까지 호출할 수 있습니다."],
    ["pt", "São permitidas 500 chamadas por dia."],
    ["ru", "Не более 100 запросов в минуту."],
    ["zh", "每分钟最多100次请求。"],
    ["zh", "接口限频：20次/秒"],
    ["zh", "所有接口共用500权重/10秒"]
  ] as const)("in %s: %s", (language, text) => expect(readerIn(language).says("quantity", text)).toBe(true))

  test.each([
    ["de", "Bei Überschreitung wird die Anfrage abgelehnt."],
    ["es", "Si supera el límite, la API devuelve un error."],
    ["fr", "En cas de dépassement, la requête est refusée."],
    ["ja", "上限を超えた場合はエラーを返します。"],
    ["ko", "한도를 초과하면 요청이 거부됩니다."],
    ["pt", "Ao exceder o limite, a API retorna um erro."],
    ["ru", "При превышении лимита запрос отклоняется."],
    ["zh", "超过限制后，请求会被拒绝。"]
  ] as const)("and what happens beyond it, in %s: %s", (language, text) =>
    expect(readerIn(language).says("consequence", text)).toBe(true)
  )

  test.each([
    ["de", "Erstellen Sie im Dashboard einen API-Schlüssel."],
    ["de", "Um einen Schlüssel zu erhalten, schreiben Sie uns."],
    ["es", "Para recibir una clave, escriba a nuestro equipo."],
    ["fr", "Pour recevoir une clé, contactez-nous."],
    ["ja", "APIキーは担当者が配布します。"],
    ["ko", "키를 받으려면 담당자에게 연락하세요."],
    ["pt", "Para receber a sua chave, escreva para a equipe."],
    ["ru", "Ключи выдаём по запросу: выдаёт ключ менеджер."],
    ["zh", "请联系客服领取密钥。"],
    ["es", "Genere una clave en su panel."],
    ["fr", "Créez une clé dans votre espace."],
    ["ja", "APIキーは管理画面で発行します。"],
    ["ko", "콘솔에서 API 키를 발급받습니다."],
    ["pt", "Crie uma chave no painel."],
    ["ru", "Получите ключ в личном кабинете."],
    ["zh", "请在控制台创建API Key。"],
    ["de", "Tragen Sie ein Token Ihrer Wahl ein."],
    ["de", "Das Passwort steht in der Konfiguration Ihres Servers."],
    ["es", "Ponga el token en la configuración de su servidor."],
    ["fr", "Mettez un jeton de votre choix dans le fichier."],
    ["ja", "任意のトークンを設定ファイルに書きます。"],
    ["ko", "원하는 토큰을 설정 파일에 적습니다."],
    ["pt", "Escreva o token na configuração do seu servidor."],
    ["ru", "Запишите токен в настройках своего сервера."],
    ["zh", "在服务器的配置中设置令牌。"]
  ] as const)("and where credentials come from, in %s: %s", (language, text) =>
    expect(readerIn(language).says("origin", text)).toBe(true)
  )

  test.each([
    ["de", "Tragen Sie das Token in die MCP-Server-Konfiguration ein."],
    ["es", "Añada el token a la configuración del servidor MCP."],
    ["ja", "MCPサーバーの設定にトークンを書きます。"],
    ["zh", "在MCP服务器配置中填写令牌。"]
  ] as const)("but not which file a client reads them from, in %s: %s", (language, text) =>
    expect(readerIn(language).says("origin", text)).toBe(false)
  )

  test.each([
    ["de", "Für diese API ist keine Authentifizierung erforderlich."],
    ["es", "No se requiere autenticación."],
    ["fr", "Aucune authentification n’est requise."],
    ["ja", "認証は不要です。"],
    ["ko", "인증이 필요 없습니다."],
    ["pt", "Não é necessário autenticar-se."],
    ["ru", "Авторизация не требуется."],
    ["zh", "该接口无需认证。"]
  ] as const)("and that none are needed, in %s: %s", (language, text) =>
    expect(readerIn(language).says("noneNeeded", text)).toBe(true)
  )
})

describe("the language of a text", () => {
  test.each([
    [
      "de",
      "Diese Seite beschreibt, wie sich Anwendungen anmelden. Jede Anfrage braucht einen Schlüssel, der im Kopf gesendet wird."
    ],
    [
      "es",
      "Esta página explica cómo autenticarse. Cada solicitud debe llevar una clave en la cabecera, y la clave se crea en el panel de su cuenta."
    ],
    [
      "fr",
      "Cette page explique comment vous authentifier. Chaque requête doit contenir une clé dans son en-tête, et la clé est créée dans votre espace."
    ],
    ["ja", "このページでは認証の方法について説明します。すべてのリクエストにはキーが必要です。"],
    ["ko", "이 페이지에서는 인증 방법을 설명합니다. 모든 요청에는 헤더에 키가 필요합니다."],
    [
      "pt",
      "Esta página explica como se autenticar. Cada requisição deve conter uma chave no cabeçalho, e a chave é criada no painel da sua conta."
    ],
    ["ru", "На этой странице описано, как пройти авторизацию. Каждый запрос содержит ключ в заголовке."],
    ["zh", "本页介绍如何进行身份验证。所有请求都必须在请求头中携带密钥，密钥可以在控制台创建。"]
  ] as const)("%s", (language, text) => expect(languagesIn({ text, lang: "" })).toContain(language))

  test("is English if nothing says otherwise", () => {
    expect(
      languagesIn({
        text: "This page says how to sign in. As an example, no request is sent to the server as long as the key is in use; do it on a machine of your own. Languages: Deutsch, Français, 日本語, 한국어, Русский.",
        lang: ""
      })
    ).toEqual([])
  })

  const list = Array.from({ length: 900 }, (_, index) => `Ausgabe #${index} - 02/05/26 - download`).join("\n")
  const german =
    "Ein Notizbuch ist eine Mappe, die man mit anderen teilen kann.\nJede Notiz hat einen Besitzer und ist in einem Buch."

  test.each([
    ["after a long list", `${list}\n${german}`],
    ["before a long list", `${german}\n${list}`]
  ])("is told by its sentences, %s", (_, text) => expect(languagesIn({ text, lang: "" })).toEqual(["de"]))

  test.each([
    ["pt-BR", "Erros: o token não foi enviado", ["pt"]],
    ["ja", "エラーコード", ["ja"]],
    ["de", "Errors: the token was not sent, or it is not that of the user", []],
    ["ko", "Errors and limits", []],
    ["en", german, ["de"]]
  ])("that it is said to be in (%s) counts for a short text, unless the text says otherwise: %s", (lang, text, found) =>
    expect(languagesIn({ text, lang })).toEqual(found)
  )

  test("is not that of the examples in an English text", () => {
    const words = "The tokens of a text are counted as you send it, and this is how the counts of the examples differ. "
    expect(
      languagesIn({
        text: words.repeat(20) + "こんにちは、世界。これは短い例の文章です。もう一つあります。",
        lang: "en"
      })
    ).toEqual([])
  })

  test("is read by its own words only", () => {
    const text =
      "Diese Seite beschreibt, wie sich Anwendungen anmelden. Jede Anfrage braucht einen Schlüssel, der im Kopf gesendet wird."
    const reader = readerOf([{ text, lang: "" }])
    expect([reader.says("errors", "Fehler"), reader.says("errors", "错误码")]).toEqual([true, false])
  })
})

describe("words", () => {
  test.each([
    ["Rate limits of the search", 5],
    ["限频规则说明", 3],
    ["パラメータ不正", 2],
    ["APIキーについて", 3],
    ["요청 횟수 제한", 3],
    ["Коды ошибок", 2],
    ["错", 0]
  ])("%s", (text, count) => expect(wordsIn(text)).toHaveLength(count))

  test("a text without spaces is as long as the Latin one that says the same", () => {
    expect(["abc", "参数错误", "키", ""].map(readingLength)).toEqual([3, 8, 2, 0])
  })
})
