import type { Words } from "./Language.ts"

/** Subjects of those who call an API, as headings, titles and links name them. */
export const SUBJECTS_OF_CALLS = {
  errors: {
    de: [
      "[a-z]{0,20}fehler~",
      "ausnahmen?",
      "ausnahmebehandlung",
      "(?:status|antwort|ruckgabe)codes?",
      "status codes?",
      "problem(?:behandlung|behebung|losung)~"
    ],
    es: [
      "errore?s?",
      "excepcion(?:es)?",
      "codigos? (?:http )?de (?:error(?:es)?|estado|respuesta|retorno)",
      "(?:solucion|resolucion) de problemas"
    ],
    fr: ["erreurs?", "exceptions?", "codes? (?:d'erreurs?|de statut|d'etat|de retour|de reponse|http)", "depannage"],
    ja: [
      "エラー(?:コード|メッセージ|レスポンス|処理|ハンドリング|一覧)?",
      "例外(?:処理)?",
      "ステータス ?コード",
      "(?:レスポンス|結果|応答) ?コード",
      "障害",
      "トラブルシューティング"
    ],
    ko: ["(?:오류|에러)(?: ?(?:코드|메시지|처리|응답))?", "예외(?: ?처리)?", "(?:상태|응답|결과) ?코드", "문제 ?해결"],
    pt: [
      "erros?",
      "excec(?:ao|oes)",
      "codigos? (?:http )?de (?:erros?|status|estado|resposta|retorno)",
      "solucao de problemas"
    ],
    ru: [
      "ошиб(?:ка|ки|ок|кам|ках|кой)",
      "исключени~",
      "код~ (?:ответ|состояни|возврат|статус)~",
      "устранение неполадок"
    ],
    zh: [
      "[错錯][误誤](?:码|碼|代码|信息|处理|响应|说明)?",
      "异常(?:处理)?",
      "[报報][错錯]",
      "(?:状态|狀態|返回|响应) ?(?:码|碼|代码)",
      "故障(?:排查|排除|处理)"
    ]
  },
  authentication: {
    de: [
      "authenti[fs]i~",
      "autorisier~",
      "anmeld(?:ung|en)",
      "zugangsdaten",
      "zugriffstoken~",
      "(?:api |zugangs|zugriffs|geheim~ )?schlussel~",
      "(?:api|access|bearer) token~"
    ],
    es: [
      "autent~",
      "autorizacion",
      "credencial(?:es)?",
      "(?:claves?|llaves?) (?:de (?:la )?)?(?:api|acceso|secretas?)",
      "tokens? (?:(?:de )?(?:acceso|api|autenticacion)|jwt)",
      "inicio de sesion"
    ],
    fr: [
      "authentification",
      "s'authentifier",
      "autorisations?",
      "(?:cles?|jetons?) (?:d'api|api|d'acces|d'authentification|secrete?s?)",
      "identifiants? (?:d'acces|de connexion|d'api|api)"
    ],
    ja: [
      "認証(?:方式|方法|情報)?",
      "認可",
      "ログイン",
      "資格情報",
      "クレデンシャル",
      "(?:api|アクセス|シークレット) ?(?:キー|トークン)",
      "(?:api|ログイン) ?パスワード",
      "トークンの?(?:発行|取得)"
    ],
    ko: [
      "인증(?: ?(?:방식|방법|정보))?",
      "인가",
      "로그인",
      "자격 ?증명",
      "(?:api|액세스|접근|비밀) ?(?:키|토큰)",
      "토큰 ?(?:발급|발행|획득)",
      "권한 ?부여"
    ],
    pt: [
      "autentica~",
      "autorizacao",
      "credencia(?:l|is)",
      "chaves? (?:de (?:a )?)?(?:api|acesso|secretas?)",
      "tokens? (?:(?:de )?(?:acesso|api|autenticacao)|jwt)"
    ],
    ru: [
      "аутентификаци~",
      "авторизаци~",
      "учетны[ех] данны[ех]",
      "ключ~ (?:api|доступа)",
      "api ключ~",
      "токен~(?: доступа)?",
      "вход в систему"
    ],
    zh: [
      "[认認][证證](?:方式|信息)?",
      "鉴权",
      "身份[验驗][证證]",
      "授[权權]",
      "登[录錄]",
      "凭[证据]",
      "api ?密[钥鑰]",
      "(?:访问|接口|api)?密[钥鑰]",
      "(?:访问)?令牌",
      "签名(?:认证|方式|验证)?"
    ]
  },
  rateLimits: {
    de: [
      "(?:anfrage|abruf|abfrage|nutzungs|zugriffs|aufruf|raten|request|api)n? ?limit~",
      "rate limit~",
      "(?:raten|anfrage|zugriffs)n?begrenzung~",
      "(?:abruf|nutzungs|anfrage)?kontingente?",
      "drosselung",
      "(?:limits?|begrenzung) (?:der|fur) (?:anfragen|aufrufe|abfragen|abrufe)"
    ],
    es: [
      "limit~ (?:de |del |en |por )(?:la )?(?:tasa|velocidad|frecuencia|uso|solicitudes|peticiones|consultas|llamadas|api|consumo|trafico)",
      "cuotas?(?: de (?:uso|api|solicitudes|consultas))?",
      "rate limits?"
    ],
    fr: [
      "limit~ (?:de |du |des )(?:debit|taux|requetes|frequence|appels|nombre d'appels|nombre de requetes)",
      "limit~ d'(?:appels?|utilisation|usage|acces)",
      "quotas?(?: d'(?:appels?|utilisation|usage))?",
      "regulation du debit"
    ],
    ja: [
      "レート ?(?:リミット|制限)",
      "スロットリング(?:制限)?",
      "流量制限",
      "(?:リクエスト|呼び?出し|コール|アクセス|利用|api|実行)(?:数|回数|量|頻度)?の?(?:制限|上限)",
      "クォータ",
      "使用量の?(?:制限|上限)"
    ],
    ko: [
      "(?:요청|호출|속도|사용량|api|트래픽|이용) ?(?:횟수|수|량|빈도)?(?:의)? ?(?:제한|한도)",
      "레이트 ?리밋",
      "쿼터",
      "할당량",
      "스로틀링"
    ],
    pt: [
      "limit~ (?:de |da |do |nas? |por )(?:taxa|uso|requisic(?:ao|oes)|chamadas|frequencia|consultas|velocidade|api|consumo|trafego)",
      "(?:cotas?|quotas?)(?: de (?:uso|requisicoes))?",
      "rate limits?"
    ],
    ru: [
      "лимит~(?: на)?(?: число| количество| частоту)? запрос~",
      "лимиты",
      "ограничени~ (?:на )?(?:количеств|числ|частот|скорост|запрос)~(?: запросов)?",
      "квот[аы]",
      "частота запросов",
      "троттлинг"
    ],
    zh: [
      "限[频頻流速](?:规则|说明)?",
      "(?:[频頻]率|速率|[频頻]次|[请請]求|[调調]用|[访訪][问問]|接口)(?:次数|频率|速率|频次)?(?:限制|上限|控制)",
      "访问频率",
      "配[额額]",
      "流量控制",
      "流控"
    ]
  },
  /** Only as the whole heading: they may be about anything. */
  limits: {
    de: ["grenzen", "limitierungen", "begrenzungen", "beschrankungen", "einschrankungen"],
    es: ["limit(?:es|aciones)", "restricciones"],
    fr: ["limites", "limitations", "restrictions"],
    ja: ["制限(?:事項)?", "上限", "制約(?:事項)?"],
    ko: ["제한(?: ?사항)?", "한도"],
    pt: ["limites", "limitacoes", "restricoes"],
    ru: ["ограничения"],
    zh: ["(?:使用|接口|系统)?限制", "约束(?:与|和)限制"]
  },
  retries: {
    de: ["idempoten~", "wiederholung~(?: von anfragen)?", "wiederholungsversuch~", "erneut~ versuch~", "retries"],
    es: ["idempoten~", "reintent~"],
    fr: ["idempoten~", "nouvelles? tentatives?", "reessais?"],
    ja: ["冪等(?:性|キー)?", "べき等性?", "リトライ", "再試行", "再送"],
    ko: ["멱등(?:성| ?키)?", "재시도", "재전송"],
    pt: ["idempoten~", "retentativas?", "novas? tentativas?", "reenvio"],
    ru: ["идемпотент~", "повтор(?:ы|ные|ных|ный)? (?:запрос|попыт|отправк|вызов)~"],
    zh: ["幂等(?:性|键)?", "冪等", "重[试試](?:机制|策略)?"]
  },
  pagination: {
    de: ["paginier~", "seitenweise~(?: abruf~)?", "seitennummerierung", "blattern"],
    es: ["paginacion", "paginad[oa]s?", "paginar"],
    fr: ["paginees?", "paginer"],
    ja: ["ページネーション", "ページング", "ページ送り", "ページ分割"],
    ko: ["페이지네이션", "페이징", "페이지 ?(?:처리|나누기|번호)"],
    pt: ["paginacao", "paginad[oa]s?", "paginar"],
    ru: ["пагинаци~", "постраничн~(?: вывод| навигация)?", "разбивка на страницы"],
    zh: ["分[页頁](?:查询|参数)?", "翻[页頁]"]
  },
  events: {
    de: ["ereignistypen", "ereignisbenachrichtigung~", "ruckruf~", "webhooks?~"],
    es: [
      "tipos de eventos",
      "notificaciones (?:push|de eventos|por webhook)",
      "suscripcion(?:es)? a eventos",
      "transmision"
    ],
    fr: ["types? d'evenements?", "notifications (?:push|d'evenements)", "diffusion en continu"],
    ja: [
      "イベント(?:通知|種別|一覧|タイプ)",
      "ウェブ ?フック",
      "コールバック",
      "プッシュ ?(?:通知|配信|api)?",
      "push ?(?:通知|配信|api)",
      "ストリーミング",
      "webhook"
    ],
    ko: ["이벤트 ?(?:알림|유형|타입|종류)", "웹 ?훅", "콜백", "푸시(?: ?알림)?", "스트리밍", "웹 ?소켓"],
    pt: ["tipos de eventos", "notificacoes (?:push|de eventos|por webhook)", "transmissao de eventos"],
    ru: ["веб ?хук~", "вебхук~", "типы событий", "уведомления о событиях", "подписк[аи] на (?:события|уведомления)"],
    zh: [
      "回调(?:通知)?",
      "(?:消息|事件|数据)?推送",
      "事件(?:通知|订阅|类型|回调)",
      "异步通知",
      "网络钩子",
      "webhook",
      "websocket"
    ]
  },
  /** Only as the whole heading. */
  plainEvents: {
    de: ["ereignisse", "benachrichtigungen"],
    es: ["eventos", "notificaciones"],
    fr: ["evenements", "notifications"],
    ja: ["イベント", "通知"],
    ko: ["이벤트", "알림", "구독"],
    pt: ["eventos", "notificacoes"],
    ru: ["события", "уведомления"],
    zh: ["事件", "通知", "订阅"]
  },
  sandbox: {
    de: [
      "testumgebung~",
      "testmodus",
      "sandbox ?umgebung~",
      "test(?:server|system)",
      "testschlussel~",
      "testzugang~",
      "probelauf"
    ],
    es: ["(?:entornos?|ambientes?|servidor) de (?:pruebas?|homologacion|test)", "modo (?:de )?prueba"],
    fr: [
      "(?:environnements?|serveur) (?:de test~?|d'essai|de recette|bac a sable)",
      "bac a sable",
      "mode (?:de )?test"
    ],
    ja: ["サンドボックス(?:環境)?", "(?:テスト|検証|ステージング)(?:用)?(?:環境|サーバー?)", "テスト(?:モード|注文)"],
    ko: ["샌드박스", "(?:테스트|검증|스테이징) ?(?:환경|모드|서버)"],
    pt: ["(?:ambientes?|servidor) de (?:testes?|homologacao|sandbox)", "modo (?:de )?teste", "homologacao"],
    ru: ["песочниц~", "тестов(?:ая|ый|ое|ой|ом|ую) (?:сред|режим|окружени|сервер|контур)~"],
    zh: ["沙[箱盒](?:环境)?", "(?:测试|模拟|仿真)(?:环境|模式|网|下单|订单|服务器)"]
  },
  gettingStarted: {
    de: ["erste schritte", "schnellstart~", "schnelleinstieg", "einstieg", "einfuhrung", "uberblick"],
    es: ["primeros pasos", "inicio rapido", "guia (?:rapida|de inicio)", "introduccion", "empezar", "comenzar"],
    fr: [
      "premiers pas",
      "(?:demarrage|prise en main)(?: rapide)?",
      "guide de demarrage",
      "introduction",
      "pour commencer"
    ],
    ja: ["はじめに", "クイックスタート", "スタートガイド", "入門", "導入", "概要"],
    ko: ["시작(?:하기| ?가이드)", "빠른 ?시작", "퀵 ?스타트", "소개", "개요"],
    pt: ["primeiros passos", "inicio rapido", "guia (?:rapido|de inicio)", "introducao", "comecando", "visao geral"],
    ru: ["начало работы", "быстрый старт", "первые шаги", "введение", "обзор", "с чего начать"],
    zh: [
      "快速(?:开始|開始|入门|入門|上手)",
      "入门(?:指南)?",
      "入門",
      "开始使用",
      "新手指南",
      "接入(?:指南|流程|说明)",
      "概述",
      "简介",
      "簡介"
    ]
  }
} satisfies Readonly<Record<string, Words>>
