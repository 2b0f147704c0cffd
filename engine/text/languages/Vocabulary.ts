import type { Language } from "./Language.ts"

/**
 * What category D and the search for topic pages know of other languages than English: by meaning, then by language. Reviewed
 * by meaning: a line says the same in each of its languages.
 *
 * Each entry is the source of a regular expression over folded text (`folded`: lower case, Latin letters without accents, `е` for
 * `ё`). `~` matches any further letters of the word, a space also matches a hyphen, and an entry matches whole words, save in
 * Chinese, Japanese and Korean, which are searched as they are.
 */
type Words = Readonly<Partial<Record<Language, ReadonlyArray<string>>>>

/** Subjects as headings, titles and links name them. */
const SUBJECTS = {
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
  },
  changelog: {
    de: [
      "(?:anderungs|aenderungs)(?:log|protokoll|historie|verlauf|verzeichnis)",
      "(?:anderungen|aenderungen)",
      "versions(?:historie|verlauf|geschichte|hinweise)",
      "(?:veroffentlichungs|release )hinweise",
      "neuigkeiten",
      "neuerungen",
      "was ist neu",
      "was gibt es neues"
    ],
    es: [
      "registro de cambios",
      "historial(?: de (?:las )?(?:versiones|cambios))?",
      "notas de (?:la )?(?:version|versiones|lanzamiento|publicacion)",
      "novedades",
      "que hay de nuevo",
      "(?:control|bitacora) de cambios",
      "cambios"
    ],
    fr: [
      "journal des (?:modifications|changements|versions)",
      "historique(?: des (?:versions|modifications|changements|evolutions))?",
      "notes? de (?:version|versions|publication|mise a jour)",
      "nouveautes",
      "quoi de neuf",
      "changements",
      "mises a jour"
    ],
    ja: [
      "(?:更新|変更|改訂|改定|バージョン|リリース)履歴",
      "リリース ?(?:ノート|情報)",
      "変更点",
      "更新情報",
      "アップデート(?:情報|履歴)?",
      "お知らせ",
      "新着情報"
    ],
    ko: [
      "변경 ?(?:이력|로그|내역|사항|기록)",
      "업데이트 ?(?:내역|이력|로그|노트|기록)",
      "릴리[스즈] ?(?:노트|내역)",
      "패치 ?노트",
      "(?:개정|버전) ?(?:이력|히스토리)",
      "새로운 ?(?:기능|소식)",
      "공지 ?사항"
    ],
    pt: [
      "(?:registro|historico|log) de (?:alteracoes|mudancas|versoes|revisoes|atualizacoes)",
      "notas de (?:versao|lancamento|atualizacao)",
      "novidades",
      "o que ha de novo",
      "alteracoes",
      "mudancas"
    ],
    ru: [
      "(?:история|журнал|список|лог) (?:изменений|версий|обновлений)",
      "изменения(?: в)?",
      "что нового",
      "обновления",
      "примечания к (?:выпуску|релизу|версии)",
      "новости",
      "релизы"
    ],
    zh: [
      "(?:更新|变更|变动|修订|版本|发布|升级)(?:日[志誌]|[记記]录|[历歷]史|说明|公告)",
      "历史版本",
      "最近更新",
      "版本更新",
      "新特性"
    ]
  },
  policy: {
    de: [
      "versionierung~",
      "abkundigung~",
      "(?:abwarts|ruckwarts)kompatib~",
      "lebenszyklus",
      "deprecation~",
      "einstellung von (?:versionen|funktionen)",
      "supportzeitraum"
    ],
    es: [
      "versionado",
      "(?:politica|estrategia|gestion) de (?:version~|obsolescencia|soporte|deprecacion)",
      "deprecacion",
      "obsolescencia",
      "ciclo de vida",
      "retrocompatibilidad",
      "compatibilidad hacia atras"
    ],
    fr: [
      "(?:politique|strategie|gestion) (?:de |des )(?:version~|depreciation|obsolescence|support)",
      "version(?:nage|nement)",
      "depreciation",
      "obsolescence",
      "cycle de vie",
      "retrocompatibilite"
    ],
    ja: [
      "バージョ(?:ン管理|ニング|ン ?ポリシー|ン方針)",
      "非推奨(?:ポリシー)?",
      "廃止(?:予定|方針|ポリシー)?",
      "(?:後方)?互換性?",
      "ライフサイクル",
      "サポート(?:ポリシー|期間)"
    ],
    ko: [
      "버전 ?(?:관리|정책|규칙)",
      "버저닝",
      "지원 ?(?:중단|종료)(?: ?정책)?",
      "하위 ?호환(?:성)?",
      "호환성",
      "수명 ?주기",
      "사용 ?중단"
    ],
    pt: [
      "versionamento",
      "(?:politica|estrategia|gestao) de (?:version~|vers(?:ao|oes)|descontinuacao|suporte|depreciacao)",
      "descontinuacao",
      "depreciacao",
      "obsolescencia",
      "ciclo de vida",
      "retrocompatibilidade"
    ],
    ru: [
      "версионировани~",
      "(?:политика|стратегия|поддержка) (?:версий|версионирования|поддержки|устаревания)",
      "обратн(?:ая|ой|ую) совместимост~",
      "жизненный цикл",
      "устаревани~",
      "прекращение поддержки"
    ],
    zh: [
      "版本(?:策略|政策|管理|控制|兼容|规则|支持)",
      "弃用(?:策略|政策|说明)?",
      "废弃(?:策略|说明)?",
      "(?:向[后下])?兼容性?",
      "生命周期",
      "下线(?:策略|计划|说明)?"
    ]
  },
  glossary: {
    de: ["glossar", "begriffe", "begriffs(?:erklarung|bestimmung|definition)~", "terminologie", "fachbegriffe"],
    es: ["glosario", "terminologia", "vocabulario"],
    fr: ["glossaire", "lexique", "terminologie", "vocabulaire"],
    ja: ["用語集", "用語の?(?:説明|解説|定義|一覧)?", "グロッサリー"],
    ko: ["용어(?: ?(?:집|사전|정의|설명|해설))?"],
    pt: ["glossario", "terminologia", "vocabulario"],
    ru: ["глоссарий", "термины(?: и определения)?", "терминология", "словарь терминов"],
    zh: ["术语表?", "名[词詞](?:解释|定义|说明)", "词汇表", "術語"]
  },
  /** Only as the whole heading. */
  examples: {
    de: ["(?:anwendungs|code|nutzungs)?beispiele?"],
    es: ["ejemplos?(?: de (?:uso|codigo))?"],
    fr: ["exemples?(?: (?:de code|d'utilisation))?"],
    ja: ["例", "サンプル(?:コード)?", "(?:使用|利用|コード|実行)例"],
    ko: ["예제", "예시", "샘플(?: ?코드)?", "사용 ?예"],
    pt: ["exemplos?(?: de (?:uso|codigo))?"],
    ru: ["пример~(?: (?:кода|использования|запрос~))?"],
    zh: ["(?:代码|调用|请求|使用)?示例(?:代码)?", "例子", "样例"]
  }
} satisfies Readonly<Record<string, Words>>

/** What a text or a column says about a subject. */
const STATEMENTS = {
  /** The heading of a column of errors. */
  errorColumn: {
    de: ["[a-z]{0,20}fehler~", "~code~", "status~", "ausnahmen?"],
    es: ["codigos?", "error(?:es)?", "estado", "excepcion(?:es)?"],
    fr: ["codes?", "erreurs?", "statuts?", "exceptions?"],
    ja: ["コード", "エラー", "ステータス", "例外"],
    ko: ["코드", "오류", "에러", "상태", "예외"],
    pt: ["codigos?", "erros?", "status", "excecao"],
    ru: ["код~", "ошибк~", "статус~", "исключени~"],
    zh: ["[错錯][误誤]", "代[码碼]", "[状狀][态態]", "返回码", "响应码", "异常", "报错"]
  },
  /** The heading of a column of situations, which may be errors. */
  situationColumn: {
    de: ["meldung~", "problem~"],
    es: ["mensaje", "problema"],
    fr: ["messages?", "problemes?"],
    ja: ["メッセージ", "問題"],
    ko: ["메시지", "문제"],
    pt: ["mensagem", "problema"],
    ru: ["сообщени~", "проблем~"],
    zh: ["消息", "信息", "问题"]
  },
  /** The first column of a table of fields or parameters. */
  fieldColumn: {
    de: ["feld~", "parameter~?", "eigenschaft~", "attribut~", "schlussel", "argument~", "option~"],
    es: ["campos?", "parametros?", "propiedad(?:es)?", "atributos?", "clave", "argumentos?"],
    fr: ["champs?", "parametres?", "proprietes?", "attributs?", "cle", "arguments?"],
    ja: ["フィールド", "パラメータ", "属性", "キー", "プロパティ", "引数", "変数名"],
    ko: ["필드", "파라미터", "매개 ?변수", "속성", "키"],
    pt: ["campos?", "parametros?", "propriedades?", "atributos?", "chave", "argumentos?"],
    ru: ["пол[ея]", "параметр~", "свойств~", "атрибут~", "ключ", "аргумент~"],
    zh: ["字段", "参数", "參數", "属性", "键"]
  },
  /** The heading of a column that says what to do. */
  adviceColumn: {
    de: [
      "losung~",
      "~behebung",
      "massnahmen?",
      "abhilfe",
      "vorgehen",
      "was (?:ist )?(?:zu )?tun",
      "empfehlung~",
      "wiederhol~"
    ],
    es: [
      "soluci(?:on|ones)",
      "resolucion",
      "acci(?:on|ones)",
      "que hacer",
      "correccion",
      "recomendaci(?:on|ones)",
      "reintent~"
    ],
    fr: [
      "solutions?",
      "resolution",
      "corrections?",
      "actions?",
      "que faire",
      "remedes?",
      "recommandations?",
      "conduite a tenir"
    ],
    ja: ["対処(?:方?法)?", "対応(?:方法)?", "解決(?:方法|策)?", "対策", "リトライ", "再試行"],
    ko: ["해결", "조치", "대응", "대처", "재시도"],
    pt: [
      "soluc(?:ao|oes)",
      "resolucao",
      "ac(?:ao|oes)",
      "o que fazer",
      "correcao",
      "recomendac(?:ao|oes)",
      "retentativa"
    ],
    ru: ["решени~", "действи[яе]", "что делать", "исправлени~", "рекомендаци~", "повтор~", "устранени~"],
    zh: ["解[决決]", "处理(?:方式|方法|建议|办法)?", "建[议議]", "应对", "措施", "排查", "重试"]
  },
  /** A heading below which it says what to do. */
  adviceHeading: {
    de: ["~behandlung~", "behandeln", "wiederhol~", "~behebung", "losung~", "was (?:ist )?(?:zu )?tun"],
    es: ["manejo~", "manejar", "gestion de errores", "reintent~", "soluci~", "recuper~", "que hacer"],
    fr: ["gestion des erreurs", "gerer", "depannage", "reessa~", "solutions?", "que faire", "nouvelles? tentatives?"],
    ja: ["対処", "ハンドリング", "リトライ", "再試行", "解決", "対応方法", "エラー処理"],
    ko: ["처리", "재시도", "해결", "조치", "대응"],
    pt: ["tratamento~", "tratar", "retentativ~", "soluc~", "recuper~", "o que fazer"],
    ru: ["обработк~", "повтор~", "устранени~", "решени~", "что делать"],
    zh: ["[错錯]误处理", "异常处理", "重试", "排查", "解决", "该怎么做", "怎么办"]
  },
  /** What a caller is told to do about an error. */
  advice: {
    de: [
      "(?:uber)?pruf~",
      "stellen sie sicher",
      "wart(?:e|en|et)",
      "erneut",
      "wiederhol~",
      "versuch(?:e|en)",
      "bitte",
      "verwende~",
      "kontaktier~",
      "wende~ (?:sie )?sich",
      "muss(?:en)?",
      "sollte~",
      "korrigier~",
      "anpassen",
      "reduzier~",
      "sende (?:die|den|das|eine?n?)",
      "wahle~",
      "nutze~"
    ],
    es: [
      "verifi~",
      "revis(?:ar|a|e)",
      "compruebe~?",
      "comprobar",
      "asegur~",
      "esper(?:ar|a|e)",
      "reintent~",
      "intent(?:e|ar)",
      "contact(?:e|ar|a)",
      "corrija",
      "corregir",
      "utilic~",
      "utilizar",
      "deben?",
      "por favor",
      "reduzca",
      "renueve",
      "envie"
    ],
    fr: [
      "verifi(?:er|ez)",
      "assurez",
      "attend(?:re|ez)",
      "reessay(?:er|ez)",
      "veuillez",
      "contact(?:er|ez)",
      "corrig(?:er|ez)",
      "utilis(?:er|ez)",
      "redui(?:re|sez)",
      "renouvel(?:er|ez)",
      "devez",
      "il faut"
    ],
    ja: [
      "ください",
      "下さい",
      "確認し",
      "再試行",
      "見直",
      "修正し",
      "お問い?合わせ",
      "待っ",
      "待ち",
      "必要があり",
      "してから",
      "減らし"
    ],
    ko: [
      "하세요",
      "하십시오",
      "해 ?주세요",
      "바랍니다",
      "확인(?:하|해)",
      "재시도",
      "다시 (?:시도|요청)",
      "문의",
      "기다",
      "줄이",
      "수정(?:하|해)",
      "필요(?:합니다|하다)",
      "해야"
    ],
    pt: [
      "verifi(?:que|car)",
      "revis(?:e|ar)",
      "certifique~",
      "aguard(?:e|ar)",
      "esper(?:e|ar)",
      "tent(?:e|ar)",
      "contat~",
      "entre em contato",
      "corrija",
      "corrigir",
      "utiliz(?:e|ar)",
      "devem?",
      "por favor",
      "reduza",
      "renove",
      "envie"
    ],
    ru: [
      "провер(?:ьте|ить)",
      "убедитесь",
      "подождите",
      "повтор(?:ите|ить)",
      "попробуйте",
      "обратитесь",
      "свяжитесь",
      "исправьте",
      "используйте",
      "необходимо",
      "следует",
      "нужно",
      "долж(?:ен|на|но|ны)",
      "уменьшите",
      "обновите",
      "дождитесь",
      "укажите",
      "передайте"
    ],
    zh: [
      "[请請](?!求)",
      "检查",
      "确认",
      "重[试試]",
      "稍[后後]",
      "联系",
      "等待",
      "应该",
      "需要",
      "必须",
      "降低",
      "减少",
      "调整",
      "修改",
      "重新",
      "避免"
    ]
  },
  /** The standard reason phrases, which explain nothing. */
  reason: {
    de: [
      "fehler~",
      "ausnahme~",
      "ungultige anfrage",
      "nicht autorisiert",
      "verboten",
      "nicht gefunden",
      "interner serverfehler",
      "zu viele anfragen",
      "konflikt",
      "dienst nicht verfugbar",
      "ja",
      "nein"
    ],
    es: [
      "errore?s?",
      "solicitud incorrecta",
      "no autorizado",
      "prohibido",
      "no encontrado",
      "conflicto",
      "error interno(?: del servidor)?",
      "demasiadas (?:solicitudes|peticiones)",
      "servicio no disponible",
      "no"
    ],
    fr: [
      "erreurs?",
      "exceptions?",
      "(?:mauvaise requete|requete incorrecte)",
      "non autorise",
      "(?:acces )?interdit",
      "non trouve",
      "introuvable",
      "conflit",
      "erreur interne(?: du serveur)?",
      "trop de requetes",
      "service indisponible",
      "oui",
      "non"
    ],
    ja: [
      "エラー",
      "例外",
      "不正なリクエスト",
      "未認証",
      "アクセス拒否",
      "アクセス禁止",
      "見つかりません",
      "競合",
      "サーバー?内部",
      "内部エラー",
      "サービス利用不可"
    ],
    ko: [
      "오류",
      "에러",
      "예외",
      "잘못된 요청",
      "권한 ?없음",
      "접근 ?금지",
      "찾을 수 없음",
      "충돌",
      "(?:서버 내부|내부 서버)",
      "서비스 사용 불가"
    ],
    pt: [
      "erros?",
      "requisicao invalida",
      "nao autorizado",
      "proibido",
      "nao encontrado",
      "conflito",
      "erro interno(?: do servidor)?",
      "muitas requisicoes",
      "servico indisponivel",
      "sim",
      "nao"
    ],
    ru: [
      "ошибк~",
      "(?:неверный|некорректный|плохой) запрос",
      "не авторизован",
      "доступ запрещен",
      "запрещено",
      "не найден[оа]?",
      "конфликт",
      "внутренняя ошибка(?: сервера)?",
      "слишком много запросов",
      "сервис недоступен",
      "да",
      "нет"
    ],
    zh: [
      "[错錯][误誤](?:码|代码)?",
      "异常",
      "请求无效",
      "未授权",
      "未认证",
      "禁止访问",
      "未找到",
      "冲突",
      "服务器?内部",
      "请求过多",
      "服务不可用"
    ]
  },
  /** No credentials are needed. */
  noneNeeded: {
    de: [
      "keine?n? (?:authentifizierung|anmeldung|registrierung|api schlussel|zugangsdaten|token)[^.\\n]{0,20} (?:notig|erforderlich|notwendig|benotigt)",
      "(?:erfordert|benotigt|braucht|verlangt) keine?n? (?:authentifizierung|anmeldung|registrierung|api schlussel|zugangsdaten|token)",
      "(?:authentifizierung|anmeldung|registrierung) ist nicht (?:notig|erforderlich|notwendig)"
    ],
    es: [
      "no (?:se )?(?:requiere|necesita|exige|es necesari[ao]|hace falta) (?:ninguna? )?(?:autenticacion|autenticarse|registro|registrarse|clave|token|credenciales)",
      "sin (?:necesidad de )?autenticacion"
    ],
    fr: [
      "aucune? (?:authentification|cle|inscription|autorisation)[^.\\n]{0,20} (?:requise?|necessaire)",
      "ne (?:necessite|requiert|demande) (?:pas d'|aucune? )(?:authentification|cle|inscription|autorisation)",
      "n'exige (?:pas d'|aucune? )(?:authentification|cle|inscription)",
      "sans authentification"
    ],
    ja: [
      "(?:認証|ログイン|apiキー|トークン|登録)[はが]?(?:不要|必要ありません|必要はありません|いりません)",
      "認証なしで"
    ],
    ko: ["(?:인증|로그인|api ?키|토큰|등록)[이은을를가는]? ?(?:필요 ?(?:없|하지 않)|불필요|하지 않아도)", "인증 없이"],
    pt: [
      "nao (?:e necessari[oa]|requer|exige|precisa(?: de)?|necessita(?: de)?) (?:nenhuma? )?(?:autenticacao|autenticar~|cadastro|chave|token|credenciais)",
      "sem (?:necessidade de )?autenticacao"
    ],
    ru: [
      "(?:авторизация|аутентификация|регистрация|ключ|токен) не (?:требуется|требуются|нужна|нужен|нужны)",
      "не требу[ею]т(?:ся)? (?:авторизации|аутентификации|регистрации|ключа|токена)",
      "без (?:авторизации|аутентификации)"
    ],
    zh: ["(?:无需|不需要|無需)(?:进行|任何)?(?:认证|鉴权|登录|身份验证|授权|签名|api ?key|密钥)"]
  },
  /** What a sentence says holds in some cases only, or calls are refused. */
  restriction: {
    de: ["wenn", "falls", "sofern", "solange", "fehler~", "abgelehnt", "abgewiesen", "verweigert"],
    es: ["si [a-z]~", "cuando", "en caso de", "hasta que", "errore?s?", "(?:rechaz|deneg)~"],
    fr: ["si", "s'ils?", "lorsqu~", "quand", "en cas", "erreurs?", "(?:refus|rejet)~"],
    ja: ["(?:不要|なし|ない|ありません)[なの]?(?:場合|とき|時|なら)", "もし", "なければ", "エラー", "拒否"],
    ko: ["(?:없는|않은|않는|불필요한) ?경우", "(?:없|않)다면", "만약", "오류", "에러", "거부"],
    pt: [
      "se (?:voce|nao|ainda|seu|sua|for|estiver|quiser|precisar)",
      "quando",
      "caso",
      "erros?",
      "(?:rejeit|recus|negad)~"
    ],
    ru: ["если", "когда", "пока", "в случае", "ошибк~", "(?:отклон|запрещ)~"],
    zh: ["如果", "若", "除非", "当[^。\\n]{0,20}时", "[错錯][误誤]", "报错", "拒绝"]
  },
  /** Where credentials come from. */
  origin: {
    de: [
      "(?:erstell|erzeug|generier|beantrag|anforder|anleg|ausstell|registrier|kopier)~[^.\\n]{0,60}(?:schlussel|token|zugangsdaten|konto|secret|passwort)",
      "(?:schlussel|token|zugangsdaten)~?[^.\\n]{0,60} (?:erstell|erzeug|generier|beantrag|angeleg|ausgestell)~",
      "um (?:einen?|ihren?|den|die) (?:[a-z-]{1,20} )?(?:schlussel|token|zugangsdaten|konto)~? zu (?:erhalten|bekommen)",
      "(?:erhalten|bekommen) sie (?:einen?|ihren?|den|die) (?:[a-z-]{1,20} )?(?:schlussel|token|zugangsdaten|konto)~?",
      "(?:schlussel|token|zugangsdaten)~? (?:erhalten|bekommen) sie",
      "(?:schlussel|token|zugangsdaten)~?[^.\\n]{0,60} (?:im|in den|in der|uber das|unter) [^.\\n]{0,30}(?:dashboard|konto|portal|einstellungen|konsole|verwaltung)",
      "(?:schlussel|token|passwort|secret)~? (?:ihrer|deiner|freier) wahl",
      "(?:schlussel|token|passwort|secret)~?[^.\\n]{0,60} (?<!mcp.)(?:server|instanz)-?(?:konfiguration|einstellungen)",
      "(?:schlussel|token|passwort|secret)~?[^.\\n]{0,60} (?:konfiguration|konfigurationsdatei|einstellungen) (?:des|ihres|deines|der|ihrer|deiner) (?:eigenen )?(?:servers?|instanz)"
    ],
    es: [
      "(?:crea|cree|gener|obten|solicit|registr|consegu|pedir|pida|recibir)~[^.\\n]{0,60} (?:claves?|tokens?|credencial(?:es)?|cuenta|secret~|key|api keys?)",
      "(?:claves?|tokens?|credenciales)[^.\\n]{0,60} (?:desde|en) (?:tu|su|el|la) [^.\\n]{0,30}(?:panel|consola|cuenta|portal|perfil|configuracion|ajustes)",
      "(?:clave|token|contrasena|secreto)s? (?:de|a) (?:su|tu) eleccion",
      "(?:clave|token|contrasena|secreto)s?[^.\\n]{0,60} configuracion (?:del|de tu|de su|de la) (?:propi[oa] )?(?:servidor|instancia)(?! mcp)"
    ],
    fr: [
      "(?:creer|creez|creation|generer|generez|obtenir|obtenez|obtention|recuperer|recuperez|demandez|demander|recevoir|recevez|recevrez)[^.\\n]{0,60}(?: |')(?:cles?|jetons?|tokens?|identifiants?|compte|secret)",
      "(?:cles?|jetons?|tokens?|identifiants)[^.\\n]{0,60} (?:dans|depuis|sur|via) (?:votre|le|la|les|vos) [^.\\n]{0,30}(?:tableau de bord|console|compte|portail|profil|parametres|espace)",
      "(?:cle|jeton|token|mot de passe|secret)s? (?:de votre|au) choix",
      "(?:cle|jeton|token|mot de passe|secret)s?[^.\\n]{0,60} configuration (?:du|de votre|de l') ?(?:propre )?(?:serveur|instance)(?! mcp)"
    ],
    ja: [
      "(?:キー|トークン|認証情報|アカウント|シークレット|クライアントid|資格情報)[^。\\n]{0,25}(?:発行|取得|作成|生成|申請|入手|配布|付与|お渡し|もらう)",
      "(?:設定|発行|登録|取得|作成)した[^。\\n]{0,10}(?:パスワード|キー|トークン)",
      "パスワード[^。\\n]{0,10}(?:設定|発行|登録)",
      "(?:任意の|好きな)[^。\\n]{0,10}(?:キー|トークン|パスワード|シークレット)",
      "(?<!mcp ?)サーバー?の(?:設定|構成)[^。\\n]{0,25}(?:キー|トークン|パスワード|シークレット)"
    ],
    ko: [
      "(?:키|토큰|자격 ?증명|계정|시크릿)[^.\\n]{0,25}(?:발급|발행|생성|신청|얻|등록|만들|받(?:으려면|으세요|을 수|으십시오)|부여)",
      "(?:발급|발행)[^.\\n]{0,15}(?:키|토큰|key|token)",
      "(?:임의의|원하는) [^.\\n]{0,10}(?:키|토큰|비밀번호|시크릿)",
      "(?<!mcp ?)서버의? (?:설정|구성)[^.\\n]{0,25}(?:키|토큰|비밀번호|시크릿)"
    ],
    pt: [
      "(?:cri(?:ar|e|acao)|ger(?:ar|e|acao)|obt(?:er|enha|encao)|receb(?:er|a|era)|ped(?:ir|e)|peca|solicit~|cadastr~|registr(?:ar|e))[^.\\n]{0,60} (?:chaves?|tokens?|credenci(?:al|ais)|conta|secret|client_id)",
      "(?:chaves?|tokens?|credenciais)[^.\\n]{0,60} (?:no|na|em|pelo) (?:seu |sua )?[^.\\n]{0,20}(?:painel|console|conta|portal|perfil|configuracoes)",
      "(?:chave|token|senha|segredo)s? (?:de|a) sua escolha",
      "(?:chave|token|senha|segredo)s?[^.\\n]{0,60} configuracao (?:do|de|da) (?:seu |sua )?(?:servidor|instancia)(?! mcp)"
    ],
    ru: [
      "(?:получ(?:ить|ите|ение)|созда(?:ть|йте|ние)|сгенерир~|выпуст~|зарегистрир~|запрос(?:ить|ите)|выда(?:ет|ем|ч|дим)~|оформ(?:ить|ите))[^.\\n]{0,60} (?:ключ|токен|учетн|доступ|приложени|секрет|client_id|аккаунт)~?",
      "(?:ключ|токен)~?[^.\\n]{0,60} в (?:личном кабинете|настройках|кабинете|консоли|панели)",
      "(?:любо|произвольн)~ (?:ключ|токен|парол|секрет)~?",
      "(?:ключ|токен|парол|секрет)~?[^.\\n]{0,60} (?:конфигураци|настройк)~ (?:вашего |своего )?(?:сервера|экземпляра)(?! mcp)"
    ],
    zh: [
      "(?:创建|生成|申请|获取|获得|注册|新建|[开開]通|领取|索取|分配|发放|下发)[^。\\n]{0,20}(?:api ?key|密[钥鑰]|令牌|token|凭[证据]|账[号户]|应用|secret|access ?key)",
      "(?:密[钥鑰]|api ?key|令牌|token)[^。\\n]{0,20}(?:控制台|后台|管理页面|个人中心)",
      "(?:页面|頁面|[链鏈]接|控制台|后台|个人中心)[^。\\n]{0,10}(?:设置|設置|设定|管理|查看)[^。\\n]{0,10}(?:api ?key|密[钥鑰]|令牌|token|access ?key)",
      "(?:任意|自定义|自訂)的?[^。\\n]{0,6}(?:密[钥鑰]|令牌|token|密[码碼])",
      "(?<!mcp ?)服[务務]器?(?:端|的)?配置[^。\\n]{0,20}(?:密[钥鑰]|令牌|token|密[码碼])"
    ]
  },
  /** A number with its time window, on a page about limits. */
  quantity: {
    de: [
      "\\d[\\d.,\\s]{0,12}[^.\\n\\d]{0,40}?(?:pro|je|in der|in einer|innerhalb (?:von|einer)|alle|binnen|/) ?(?:\\d{1,4} )?(?:sekunden?|minuten?|stunden?|tag(?:e|en)?|woche|monat)"
    ],
    es: [
      "\\d[\\d.,\\s]{0,12}[^.\\n\\d]{0,40}?(?:por|al|a la|cada|en|en un|/) ?(?:\\d{1,4} )?(?:segundos?|minutos?|horas?|dias?|semana|mes)"
    ],
    fr: [
      "\\d[\\d.,\\s]{0,12}[^.\\n\\d]{0,40}?(?:par|a la|en|toutes les|sur|chaque|/) ?(?:\\d{1,4} )?(?:secondes?|minutes?|heures?|jours?|semaine|mois)"
    ],
    ja: [
      "(?:毎|\\d{1,4}|一)?(?:秒|分|時間|日)間?(?:あたり|当たり|につき|に|で)[^。\\n\\d]{0,20}\\d",
      "(?:毎(?:秒|分|時|日)|(?:秒|分|時)間)[^。\\n\\d]{0,15}\\d",
      "\\d[\\d,]{0,8} ?(?:回|件|リクエスト|コール)[^。\\n\\d]{0,6}/ ?\\d{0,4}(?:秒|分|時間|日)"
    ],
    ko: [
      "(?:초|분|시간|일|월|하루) ?(?:당|에|마다|동안)[^.\\n\\d]{0,20}\\d",
      "매 ?(?:초|분|시간|일)[^.\\n\\d]{0,15}\\d",
      "\\d[\\d,]{0,8} ?(?:회|건|번|요청|콜)[^.\\n\\d]{0,6}/ ?\\d{0,4} ?(?:초|분|시간|일)"
    ],
    pt: [
      "\\d[\\d.,\\s]{0,12}[^.\\n\\d]{0,40}?(?:por|ao|a cada|em|em um|/) ?(?:\\d{1,4} )?(?:segundos?|minutos?|horas?|dias?|semana|mes)"
    ],
    ru: [
      "\\d[\\d.,\\s]{0,12}[^.\\n\\d]{0,40}?(?:в|за|на|каждые|/) ?(?:\\d{1,4} )?(?:секунд[уы]?|минут[уы]?|час(?:а|ов)?|сутки|день|дн(?:я|ей)|недел[юи]|месяц)"
    ],
    zh: [
      "每(?:\\d{1,4}|一)?个?(?:毫秒|秒钟?|分钟?|分鐘|小时|小時|天|日|周|月)[^。\\n\\d]{0,20}\\d",
      "\\d{1,4} ?(?:秒|分钟?|小时|天)(?:之?内|以内)?[^。\\n\\d]{0,20}\\d{1,9} ?次",
      "\\d[\\d,.]{0,10}[万千]? ?[^。\\n\\d/每]{0,8}[/每] ?\\d{0,4} ?(?:秒|分钟?|小时|天|日)"
    ]
  },
  /** The heading of a column that has the time window. */
  windowColumn: {
    de: ["(?:pro|je) (?:sekunde|minute|stunde|tag|monat)"],
    es: ["por (?:segundo|minuto|hora|dia|mes)"],
    fr: ["par (?:seconde|minute|heure|jour|mois)"],
    ja: ["毎(?:秒|分|時|日)", "(?:秒|分|時間?|日)(?:間?あたり|当たり|間)", "/(?:秒|分|時間|日)"],
    ko: ["(?:초|분|시간|일)당", "매 ?(?:초|분|시간|일)", "/(?:초|분|시간|일)"],
    pt: ["por (?:segundo|minuto|hora|dia|mes)"],
    ru: ["в (?:секунду|минуту|час|сутки|день|месяц)"],
    zh: ["每(?:秒|分钟?|小时|天|日)", "/(?:秒|分钟?|小时|天)"]
  },
  /** What happens beyond a limit. */
  consequence: {
    de: [
      "(?:uberschreit|uberschritt|erreich)~[^.\\n]{0,80} (?:fehler|abgelehnt|blockier|gesperrt|gedrosselt|abgewiesen|verweigert|antwort|statuscode)~?",
      "zu viele anfragen",
      "gedrosselt"
    ],
    es: [
      "(?:super|exced|sobrepas|alcanz)~[^.\\n]{0,80} (?:error|bloque|rechaz|devuelv|devolv|respond|suspend|deneg)~?",
      "demasiadas (?:solicitudes|peticiones|consultas)"
    ],
    fr: [
      "(?:depass|atteint|au dela)~?[^.\\n]{0,80} (?:erreur|bloqu|refus|rejet|renvo|retourn|suspend|reponse)~?",
      "trop de requetes"
    ],
    ja: [
      "(?:超え|超過|それ以上の|上限に達|オーバー)[^。\\n]{0,40}(?:エラー|拒否|ブロック|遮断|制限され|返|停止)",
      "リクエストが多すぎ",
      "(?:スロットリング|レート|流量)制限エラー"
    ],
    ko: [
      "(?:초과|넘(?:으면|을|는)|도달)[^.\\n]{0,40}(?:오류|에러|차단|거부|반환|제한|응답|실패)",
      "요청이 (?:너무 )?많"
    ],
    pt: [
      "(?:exced|ultrapass|atingi|super)~[^.\\n]{0,80} (?:erro|bloque|rejeit|retorn|respond|suspen|recus|negad)~?",
      "muitas requisicoes",
      "excesso de (?:requisicoes|chamadas)"
    ],
    ru: [
      "(?:превы|достиж|исчерпа)~[^.\\n]{0,80} (?:ошибк|блокир|заблокир|отклон|возвраща|верн|ответ|отказ|статус|код)~?",
      "слишком много запросов"
    ],
    zh: [
      "(?:超(?:出|过|過|限|频)|达到|触发)[^。\\n]{0,40}(?:错误|报错|拒绝|返回|封禁|禁止|限制访问|失败)",
      "请求过于?频繁",
      "请求过多",
      "频率过高"
    ]
  },
  /** No rate limits apply. */
  noneApply: {
    de: [
      "(?:keine?n?|ohne) (?:rate limit~|ratenbegrenzung~|(?:anfrage|nutzungs|abruf)limit~|kontingent~|drosselung|begrenzung der anfragen)"
    ],
    es: [
      "(?:no hay|no existen?|no se aplican?|sin) (?:ningun )?(?:limit~ de (?:solicitudes|peticiones|uso|consultas|tasa|velocidad)|cuotas?)"
    ],
    fr: [
      "(?:il n'y a|n'impose|n'applique|n'existe) (?:pas|aucune?)(?: de)? (?:limit~ (?:de|d'|du) ?(?:debit|requetes|appels|utilisation)|quotas?)",
      "sans (?:limite de requetes|quota)"
    ],
    ja: [
      "(?:レート制限|リクエスト数の?制限|回数制限|利用制限)[はが]?(?:ありません|なし|設けていません|行っていません)"
    ],
    ko: ["(?:요청|호출|속도|사용량) ?(?:횟수|수)? ?제한[이은을]? ?(?:없|두지 않)"],
    pt: [
      "(?:nao ha|nao existem?|nao se aplicam?|sem) (?:nenhum )?(?:limit~ de (?:requisicoes|uso|chamadas|taxa|consultas)|cotas?)"
    ],
    ru: ["(?:нет|отсутству~|без|не действ~) (?:лимит~|квот~|ограничени~ (?:на|по) (?:количеств|числ|частот|запрос)~)"],
    zh: [
      "(?:没有|无|不设|暂无)(?:任何)?(?:调用|请求|访问)?(?:频率|速率|次数|频次)限制",
      "不限(?:制)?(?:调用|请求)(?:次数|频率)"
    ]
  },
  /** What is written beside the name of a header (`#`) that is not sent or not needed. */
  notSent: {
    de: ["(?:keine?[nrs]?|ohne|nicht) #"],
    es: ["(?:sin|ningun|no (?:envi|devuelv|devolv|inclu|us|necesit|hay|tien)~) #"],
    fr: ["(?:sans|aucune?|pas (?:de|d'en tete)) #"],
    ja: ["#[^。\\n]{0,15}(?:返しません|返されません|ありません|送信しません|送信されません|含まれません|不要)"],
    ko: ["#[^.\\n]{0,15}(?:없습니다|없다|보내지 않|반환하지 않|포함되지 않|필요 ?없)"],
    pt: ["(?:sem|nenhum|nao (?:envi|devolv|retorn|inclu|us|ha|tem)~) #"],
    ru: ["(?:без|нет|не (?:отправля|возвраща|переда|использу|нуж)~) #"],
    zh: ["(?:不(?:会)?(?:返回|发送|包含|提供|需要|支持)|没有|无需?|無) ?#"]
  },
  aboutRetries: {
    de: ["idempoten~", "wiederhol~", "erneut~", "doppelt~"],
    es: ["idempoten~", "reintent~", "duplicad~", "repet~", "de nuevo"],
    fr: ["idempoten~", "reessa~", "nouvelle tentative", "doublon~", "repet~"],
    ja: ["冪等", "べき等", "リトライ", "再試行", "再送", "重複", "もう一度"],
    ko: ["멱등", "재시도", "중복", "다시"],
    pt: ["idempoten~", "retent~", "tentar novamente", "duplicad~", "repet~"],
    ru: ["идемпотент~", "повтор~", "дубл~"],
    zh: ["[幂冪]等", "重[试試]", "重[复複]", "再次"]
  },
  aboutPaging: {
    de: ["seiten?", "zeiger", "cursor"],
    es: ["paginas?", "cursor~", "siguientes?"],
    fr: ["pages?", "curseurs?", "suivante?s?"],
    ja: ["ページ", "カーソル", "オフセット", "次の"],
    ko: ["페이지", "커서", "오프셋", "다음"],
    pt: ["paginas?", "cursor~", "proxim[oa]s?"],
    ru: ["страниц~", "курсор~", "смещени~"],
    zh: ["[页頁]", "游标", "偏移"]
  },
  /** As a whole: a parameter that says which page is read. */
  pageNumber: {
    de: ["seite", "seitennummer", "seitenzahl", "seiten (?:nr|index|nummer)"],
    es: ["pagina", "(?:numero|nro|num|indice) (?:de )?pagina", "pagina actual"],
    fr: ["(?:numero|num|index|indice) (?:de )?page", "page (?:courante|actuelle)"],
    ja: ["ページ(?:番号|数)?"],
    ko: ["페이지(?: ?번호)?"],
    pt: ["pagina", "(?:numero|num|indice) (?:d[ae] )?pagina", "pagina atual"],
    ru: ["страница", "номер страницы"],
    zh: ["[页頁](?:码|碼|号|數|数)", "当前页码?", "第几页"]
  },
  /** As a whole: a parameter that says how many items a page has. */
  pageSize: {
    de: ["(?:seiten ?)?(?:grosse|groesse|lange|laenge)", "anzahl(?: pro seite)?", "pro seite"],
    es: [
      "tamano(?: (?:de )?(?:la )?pagina)?",
      "tamanio(?: (?:de )?(?:la )?pagina)?",
      "(?:cantidad|registros|elementos|items) por pagina",
      "por pagina",
      "limite"
    ],
    fr: [
      "taille(?: (?:de )?(?:la )?page)?",
      "(?:nombre|elements|resultats|nb)(?: d'elements)? par page",
      "par page",
      "limite"
    ],
    ja: ["ページ(?:サイズ|あたりの?件数)", "(?:表示|取得)?件数"],
    ko: ["페이지 ?(?:크기|당 ?(?:개수|건수))", "(?:조회 ?)?(?:건수|개수)"],
    pt: [
      "tamanho(?: (?:d[ae] )?pagina)?",
      "(?:quantidade|registros|itens|elementos) por pagina",
      "por pagina",
      "limite"
    ],
    ru: ["размер(?: страницы)?", "(?:количество|число)(?: (?:записей|элементов))?(?: на странице)?"],
    zh: ["每[页頁](?:条数|數量|数量|大小|记录数|条目数)", "[页頁](?:面)?大小", "[条條]数"]
  },
  /** Words of a text on events that are delivered to programs, not to people. */
  toPrograms: {
    de: ["endpunkt~", "ruckruf~", "nutzdaten"],
    es: ["puntos? (?:de (?:enlace|acceso)|final)", "carga util"],
    fr: ["points? (?:d'acces|de terminaison)", "charge utile"],
    ja: ["エンドポイント", "コールバック", "ペイロード", "購読"],
    ko: ["엔드포인트", "콜백", "페이로드", "구독"],
    pt: ["pontos? (?:de (?:acesso|extremidade)|final)", "carga util"],
    ru: ["эндпо[ий]нт~", "колб[эе]к~", "обратн~ вызов~", "подписк~"],
    zh: ["回调", "端点", "推送", "订阅"]
  },
  aboutEvents: {
    de: ["send~", "gesendet", "empfang~", "abonn~", "signatur~", "ubertrag~", "nutzdaten", "zustell~", "zugestellt"],
    es: ["envi~", "recib~", "firma~", "suscri~", "notific~"],
    fr: ["envo~", "recoi~", "recev~", "signature~", "abonn~", "notifi~"],
    ja: ["送信", "受信", "署名", "購読", "通知", "接続", "配信"],
    ko: ["전송", "수신", "서명", "구독", "알림", "연결", "발송"],
    pt: ["envi~", "receb~", "assinatur~", "assin(?:ar|e)", "notific~"],
    ru: ["отправ~", "получ~", "подпис~", "уведом~", "доставк~", "событи~"],
    zh: ["推送", "接收", "发送", "签名", "订阅", "通知", "连接"]
  },
  aboutSandbox: {
    de: ["test~", "produktiv~", "produktion~", "echte?n?"],
    es: ["pruebas?", "produccion", "reales"],
    fr: ["test~", "production", "reelle?s?", "fictif~"],
    ja: ["テスト", "本番", "検証", "実際", "動作確認"],
    ko: ["테스트", "운영", "실제", "상용", "검증"],
    pt: ["testes?", "producao", "homologacao", "reais"],
    ru: ["тест~", "боев~", "продакшн~", "реальн~", "рабоч~"],
    zh: ["[测測][试試]", "生产", "真实", "正式", "模拟"]
  },
  /** Headings of what is read by those who install, run, change or buy the product. */
  setUp: {
    de: [
      "installation~",
      "installieren",
      "einrichtung",
      "konfiguration~",
      "konfigurieren",
      "voraussetzungen",
      "systemanforderungen",
      "bereitstellung",
      "aktualisierung",
      "migration",
      "versionshinweise",
      "preise",
      "datenschutz~",
      "impressum"
    ],
    es: [
      "instal~",
      "configur~",
      "requisitos",
      "despliegue",
      "actualizacion(?:es)?",
      "migracion",
      "novedades",
      "precios",
      "privacidad"
    ],
    fr: [
      "install~",
      "configur~",
      "prerequis",
      "deploiement",
      "mise a (?:jour|niveau)",
      "migration",
      "notes de version",
      "tarifs?",
      "confidentialite",
      "mentions legales"
    ],
    ja: [
      "インストール",
      "セットアップ",
      "環境構築",
      "前提条件",
      "動作環境",
      "デプロイ",
      "アップグレード",
      "移行",
      "リリースノート",
      "料金",
      "プライバシー"
    ],
    ko: [
      "설치",
      "환경 ?설정",
      "사전 ?준비",
      "배포",
      "업그레이드",
      "마이그레이션",
      "릴리스 ?노트",
      "요금",
      "개인 ?정보"
    ],
    pt: [
      "instal~",
      "configur~",
      "requisitos",
      "implantacao",
      "atualizacao",
      "migracao",
      "notas de versao",
      "precos",
      "privacidade"
    ],
    ru: [
      "установк~",
      "настройк~",
      "конфигураци~",
      "требовани~",
      "развертывани~",
      "обновлени~",
      "миграци~",
      "цены",
      "тариф~",
      "конфиденциальност~"
    ],
    zh: ["安装", "部署", "环境(?:准备|搭建|配置)", "前置条件", "升级", "迁移", "发布说明", "更新日志", "价格", "隐私"]
  },
  /** One call must come before another, or something must be there already. */
  callOrder: {
    de: [
      "(?:muss|mussen)[^.\\n]{0,80}(?:zuerst|zunachst|vorher|zuvor|bereits (?:existieren|vorhanden|angelegt))",
      "(?:bevor|ehe)[^.\\n]{0,80}(?:muss|mussen)",
      "(?:muss|mussen)[^.\\n]{0,80},? (?:bevor|ehe)",
      "erst (?:nach|nachdem|wenn)[^.\\n]{0,80}(?:kann|konnen|darf|moglich)",
      "in (?:dieser|folgender|der folgenden) reihenfolge",
      "(?:setzt|setzen) voraus"
    ],
    es: [
      "(?:debe|deben|debes|hay que|es necesario)[^.\\n]{0,60}(?:antes de|primero|previamente)",
      "antes de[^.\\n]{1,60}(?:debe|deben|debes|hay que|es necesario)",
      "primero (?:debe|deben|debes|hay que|se debe)",
      "(?:solo|unicamente)[^.\\n]{0,40}(?:despues de|una vez)",
      "en (?:este|el siguiente) orden",
      "requiere (?:que )?[^.\\n]{0,40}previamente"
    ],
    fr: [
      "(?:doit|doivent|devez|il faut)[^.\\n]{0,60}(?:avant (?:de|d'~|que|tout)|d'abord|au prealable|prealablement)",
      "avant (?:de|d'~|que)[^.\\n]{1,60}(?:doit|doivent|devez|il faut)",
      "(?:seulement|uniquement|qu')[^.\\n]{0,20}(?:apres|une fois)",
      "dans (?:cet|l') ?ordre(?: suivant)?",
      "necessite (?:que|d'avoir)[^.\\n]{0,40} (?:au prealable|prealablement)"
    ],
    ja: [
      "(?:する|呼び出す|実行する|送信する|作成する|利用する)前に[^。\\n]{0,60}(?:必要|ください|なければ)",
      "事前に[^。\\n]{0,40}(?:必要|ください|なければ|おく)",
      "(?:した|取得した|作成した|完了した)後(?:に|で)(?:のみ|しか|だけ)",
      "(?:次|以下|この)の?順(?:序|番|)で",
      "先に[^。\\n]{0,40}(?:必要|ください|なければ)"
    ],
    ko: [
      "(?:하기|호출|요청|사용|생성) ?전에[^.\\n]{0,60}(?:야|필요|하세요|하십시오)",
      "(?:먼저|사전에|미리)[^.\\n]{0,60}(?:야|필요|하세요|하십시오)",
      "(?:한|된|완료) ?(?:후|이후|뒤)에만",
      "(?:다음|아래) ?순서(?:로|대로)"
    ],
    pt: [
      "(?:deve|devem|e preciso|e necessario|precisa)[^.\\n]{0,60}(?:antes d[eo]|primeiro|previamente)",
      "antes d[eo][^.\\n]{1,60}(?:deve|devem|e preciso|e necessario|precisa)",
      "primeiro (?:deve|e preciso|e necessario|crie|obtenha)",
      "(?:somente|apenas|so)[^.\\n]{0,40}(?:apos|depois)",
      "n(?:esta|a seguinte) ordem"
    ],
    ru: [
      "(?:нужно|необходимо|следует|должен|должна|должно|должны|надо)[^.\\n]{0,60}(?:прежде чем|перед тем|до того|предварительно|сначала)",
      "(?:прежде чем|перед тем как|сначала|предварительно)[^.\\n]{1,60}(?:нужно|необходимо|следует|должен|должна|должно|должны|надо)",
      "только после",
      "в (?:следующем|таком|этом|указанном) порядке"
    ],
    zh: [
      "(?:调用|请求|使用|下单|提交|创建)(?:[^。\\n]{0,20})(?:之前|前)[^。\\n]{0,6}(?:需|须|必须|应|请(?!求))",
      "(?:必须|需要|须|需|请)(?:首)?先[^。\\n]{0,60}(?:再|才|然后|之后|后)",
      "(?:必须|需要|须|请)(?:首)?先(?:调用|创建|获取|申请|订阅|登录|授权|开通|绑定)",
      "(?:成功|完成|通过|创建)(?:之)?后(?:才|方)",
      "按(?:照)?(?:以下|如下|此|下列)(?:的)?(?:顺序|步骤)调用"
    ]
  },
  /** What holds if something is left out. */
  leftOut: {
    de: [
      "standard(?:massig|wert~|einstellung)",
      "voreingestellt",
      "vorgabewert~",
      "default(?:wert)?",
      "(?:wenn|falls|wird)[^.\\n]{0,60}(?:weggelassen|nicht (?:angegeben|gesetzt|ubergeben))",
      "ohne angabe"
    ],
    es: ["por defecto", "por omision", "predeterminad[oa]s?", "si (?:no )?se (?:omite|especifica|indica|envia)"],
    fr: [
      "par defaut",
      "si (?:elle|il|ce|le|la|l')[^.\\n]{0,40}(?:omise?|absente?|(?:n'est )?pas (?:fournie?|specifiee?|indiquee?|renseignee?))"
    ],
    ja: [
      "デフォルト",
      "既定値?",
      "初期値",
      "省略(?:時|した場合|すると|された場合)",
      "指定(?:しない|がない|されない)場合",
      "未指定"
    ],
    ko: [
      "기본 ?값",
      "기본적으로",
      "디폴트",
      "생략(?:하면|시|할 ?경우|된 ?경우)",
      "(?:지정|입력|설정)하지 ?않(?:으면|을)",
      "미(?:입력|지정|설정)"
    ],
    pt: [
      "por padrao",
      "valor padrao",
      "por omissao",
      "se (?:nao (?:for|forem|seja) (?:informad|especificad|enviad|preenchid)|omitid)~"
    ],
    ru: [
      "по умолчанию",
      "(?:если|когда)[^.\\n]{0,40}не (?:указ|передан|задан|заполн)~",
      "при отсутствии (?:параметр|пол|значени)~"
    ],
    zh: [
      "默认(?:值|为|是|返回|使用|按)?",
      "缺省",
      "預設",
      "不(?:填|传|指定|设置)(?:则|时|,)",
      "若(?:未|不)(?:填|传|指定)",
      "如(?:果)?(?:未|不)(?:填|传|指定)"
    ]
  },
  /** Something fails or changes, and no error says so. */
  silentEffect: {
    de: [
      "stillschweigend~",
      "(?:wird|werden) (?:[a-z]{1,20} ){0,2}(?:ignoriert|verworfen|abgeschnitten|gekurzt|gerundet|uberschrieben)",
      "(?:kann|konnen) (?:[a-z]{1,20} ){0,4}(?:sekunden|minuten|stunden) dauern",
      "nicht (?:gepruft|validiert|garantiert)",
      "ohne fehler(?:meldung)?",
      "kein(?:en)? fehler",
      "letztlich konsistent",
      "auch wenn[^.\\n]{0,60}200"
    ],
    es: [
      "silenciosamente",
      "se (?:ignor|descart|trunc|redonde|sobrescrib)~",
      "(?:es|son|sera|seran) (?:ignorad|descartad|truncad)[oa]s?",
      "(?:puede|pueden) (?:tardar|demorar)",
      "no se (?:valid|verific|comprueb|garantiz)~",
      "sin (?:devolver |generar |mostrar )?(?:ningun )?error",
      "eventualmente consistente",
      "aunque[^.\\n]{0,60}200"
    ],
    fr: [
      "silencieusement",
      "(?:est|sont|sera|seront) (?:alors |simplement )?(?:ignore|tronque|arrondi|ecrase)(?:e|s|es)?",
      "(?:peut|peuvent) prendre (?:[a-z']{1,20} ){0,3}(?:secondes|minutes|heures|temps)",
      "(?:n'est|ne sont|n'est|ne sera) pas (?:valide|verifie|controle|garanti)~",
      "sans (?:renvoyer |retourner |lever )?(?:d'|une |aucune )?erreur",
      "coherence a terme",
      "meme si[^.\\n]{0,60}200"
    ],
    ja: [
      "無視され(?:ます|る)",
      "切り(?:捨て|詰め)られ(?:ます|る)",
      "丸められ(?:ます|る)",
      "上書きされ(?:ます|る)",
      "反映(?:される)?(?:まで|に)[^。\\n]{0,20}(?:かかる|かかり|要)",
      "エラー(?:に|と)は?なりません",
      "エラーは(?:返|発生)[^。\\n]{0,6}ません",
      "(?:検証|チェック|保証)(?:さ|し)れ?(?:ません|ない)",
      "結果整合"
    ],
    ko: [
      "무시(?:됩니다|된다|되며|됨)",
      "(?:잘립니다|잘려|절삭|절사)",
      "반올림(?:됩니다|된다|되며)",
      "덮어(?:씁니다|쓰)",
      "반영(?:되기)?까지[^.\\n]{0,20}(?:걸|소요)",
      "(?:오류|에러)(?:가|를) (?:발생하지|반환하지) 않",
      "(?:검증|확인|보장)(?:하지|되지) 않"
    ],
    pt: [
      "silenciosamente",
      "(?:e|sao|sera|serao) (?:ignorad|descartad|truncad|arredondad|sobrescrit)[oa]s?",
      "(?:pode|podem) (?:levar|demorar)",
      "nao (?:e|sao|sera|serao) (?:validad|verificad|garantid)[oa]s?",
      "sem (?:retornar |gerar |nenhum )?erro",
      "eventualmente consistente",
      "mesmo (?:que|se)[^.\\n]{0,60}200"
    ],
    ru: [
      "игнориру(?:ется|ются)",
      "(?:будет|будут) (?:проигнорирован|отброшен|обрезан|округлен|перезаписан)~",
      "(?:обрезает|обрезают|отбрасывает|отбрасывают|округляет|округляют|перезаписывает|перезаписывают)ся",
      "(?:может|могут) занять",
      "не (?:провер|валидиру|гарантиру)~",
      "без (?:возврата |сообщения об )?ошиб(?:ки|ке)",
      "ошибк(?:а|и) не (?:возвраща|генериру)~",
      "даже если[^.\\n]{0,60}200"
    ],
    zh: [
      "(?:会被|将被|被)(?:忽略|截断|丢弃|舍弃|覆盖|四舍五入)",
      "(?:自动|直接)(?:忽略|截断|丢弃|覆盖)",
      "忽略(?:该|此)(?:参数|字段|值)",
      "不(?:会|做)?(?:校验|验证|保证)",
      "不(?:会)?(?:报错|返回错误)",
      "(?:可能|最多|会)(?:有|存在)[^。\\n]{0,10}延迟",
      "最终一致",
      "即使[^。\\n]{0,40}(?:也|仍)(?:会)?(?:返回|成功)"
    ]
  },
  /** A policy makes a promise. */
  promise: {
    de: [
      "\\d{1,3} (?:tage|wochen|monate|jahre)n?",
      "(?:monate|jahre)n?",
      "angekundigt",
      "ankundig~",
      "kundigen",
      "garant~",
      "(?:wird|werden) [^.\\n]{0,40}(?:entfernt|unterstutzt|abgeschaltet|eingestellt|geandert)",
      "(?:abwarts|ruckwarts)kompatib~",
      "hauptversion~",
      "brechende anderungen"
    ],
    es: [
      "\\d{1,3} (?:dias|semanas|meses|anos)",
      "(?:meses|anos?)",
      "anunci~",
      "previo aviso",
      "aviso",
      "garanti~",
      "(?:sera|seran|dejara|dejaran) [^.\\n]{0,40}(?:eliminad|soportad|compatible|retirad|funcionar)~",
      "(?:retro)?compatib~",
      "version mayor"
    ],
    fr: [
      "\\d{1,3} (?:jours|semaines|mois|ans)",
      "(?:mois|annees?)",
      "annonc~",
      "preavis",
      "garant~",
      "(?:sera|seront|reste|restent) [^.\\n]{0,40}(?:supprim|maintenu|support|disponible)~",
      "retrocompatib~",
      "version majeure"
    ],
    ja: [
      "\\d{1,3} ?[かカヶケ箇]?(?:月|年|週間|日)前?",
      "事前に",
      "告知",
      "保証",
      "互換",
      "廃止(?:し|され|する)",
      "サポート(?:し|され|を終了)",
      "メジャーバージョン",
      "予告"
    ],
    ko: [
      "\\d{1,3} ?(?:개월|년|주|일)",
      "사전",
      "공지",
      "보장",
      "호환",
      "(?:중단|종료|제거|삭제)(?:됩|될|되|합|할)",
      "메이저 버전"
    ],
    pt: [
      "\\d{1,3} (?:dias|semanas|meses|anos)",
      "(?:meses|anos?)",
      "anunci~",
      "aviso",
      "avisad~",
      "garanti~",
      "(?:sera|serao) [^.\\n]{0,40}(?:removid|suportad|mantid|descontinuad)~",
      "(?:retro)?compatib~",
      "versao principal",
      "nova versao"
    ],
    ru: [
      "\\d{1,3} (?:дн|недел|месяц|год|лет)~",
      "(?:месяц|недел)~",
      "год~",
      "лет",
      "уведом~",
      "объяв~",
      "предупред~",
      "гарант~",
      "буд(?:ет|ут) [^.\\n]{0,40}(?:удал|поддерж|отключ|прекращ|измен)~",
      "обратн~ совместим~",
      "мажорн~"
    ],
    zh: [
      "\\d{1,3} ?个?(?:月|年|周|天)",
      "提前",
      "公告",
      "通知",
      "保证",
      "不再(?:支持|维护)",
      "兼容",
      "将(?:被)?(?:下线|移除|停用|废弃|停止)",
      "主版本"
    ]
  },
  /** What stands before the path of an endpoint, or above a column of such paths. */
  endpointLabel: {
    de: ["(?:api |rest |http )?endpunkt(?:e|es)?", "(?:anfrage|aufruf) ?(?:url|uri|pfad|adresse)"],
    es: [
      "puntos? (?:de )?(?:final|acceso|enlace|conexion)(?:es)?",
      "(?:url|uri|ruta) de (?:la )?(?:peticion|solicitud|llamada)"
    ],
    fr: ["points? (?:de terminaison|d'acces|d'entree|final)", "(?:url|uri|chemin) de (?:la )?(?:requete|l'appel)"],
    ja: ["エンドポイント", "(?:リクエスト|呼び出し|呼出)(?:先)? ?(?:url|uri|パス)"],
    ko: ["엔드 ?포인트", "종단점", "(?:요청|호출) ?(?:url|uri|경로|주소)"],
    pt: [
      "pontos? (?:de (?:extremidade|acesso|entrada)|final)",
      "(?:url|uri|caminho|rota) da (?:requisicao|chamada|solicitacao)"
    ],
    ru: ["энд ?по[ий]нт~", "конечн~ точк~", "(?:url|uri|адрес|путь) (?:запроса|вызова|метода)"],
    zh: ["(?:终结|終結|端)[点點]", "接口(?:地址|路径|url|uri)", "(?:请求|請求|调用|調用)(?:地址|路径|路徑|url|uri)"]
  },
  /** Something is of an older version, was removed, or should not be used any more. */
  outOfUse: {
    de: [
      "veraltet~",
      "abgekundigt~",
      "nicht mehr",
      "entfernt",
      "fruher~",
      "(?:alte|altere|vorherige)[nrs]? version~",
      "abgeschaltet",
      "ersetzt durch"
    ],
    es: [
      "obsolet[oa]s?",
      "desaconsejad[oa]s?",
      "ya no",
      "eliminad[oa]s?",
      "retirad[oa]s?",
      "version(?:es)? (?:anterior(?:es)?|antigua?s?)",
      "reemplazad[oa]s? por"
    ],
    fr: [
      "obsoletes?",
      "deprecie~",
      "ne (?:\\w+ )?plus",
      "n'est plus",
      "supprime(?:e|s|es)?",
      "retire(?:e|s|es)?",
      "anciennes? versions?",
      "versions? (?:precedentes?|anterieures?)",
      "remplace(?:e|s|es)? par"
    ],
    ja: [
      "非推奨",
      "廃止",
      "削除され",
      "旧(?:バージョン|版|api)?",
      "以前の",
      "使用できなくな",
      "サポート(?:終了|されなくな)"
    ],
    ko: ["사용 ?중단", "지원 ?(?:중단|종료)", "폐지", "삭제된", "더 ?이상", "(?:이전|구) ?버전", "레거시"],
    pt: [
      "obsolet[oa]s?",
      "descontinuad[oa]s?",
      "nao (?:e|sao) mais",
      "ja nao",
      "removid[oa]s?",
      "vers(?:ao|oes) (?:anterior(?:es)?|antigas?)",
      "substituid[oa]s? por"
    ],
    ru: [
      "устаре~",
      "больше не",
      "удален~",
      "прежн~",
      "стар(?:ая|ой|ую|ые|ых|ый|ого) (?:верси~|метод~|api)",
      "предыдущ~ верси~",
      "заменен~ на"
    ],
    zh: [
      "已?废弃",
      "已?弃用",
      "已?下线",
      "不再",
      "已(?:被)?(?:移除|删除|停用)",
      "旧(?:版|接口|的)?",
      "老版本",
      "过时",
      "早期版本"
    ]
  },
  /** What to use instead of something deprecated. */
  replacement: {
    de: [
      "stattdessen",
      "ersetzt durch",
      "(?:verwende|verwenden|nutze|nutzen) (?:bitte )?(?:sie )?stattdessen",
      "zugunsten"
    ],
    es: ["en su lugar", "(?:reemplazad|sustituid)[oa]s? por", "en lugar de est[ea]", "a favor de"],
    fr: ["a la place", "remplace(?:e|s|es)? par", "au profit de", "plutot"],
    ja: ["代わりに", "かわりに", "に置き換え", "へ移行"],
    ko: ["대신", "대체", "(?:으로|로) 이전"],
    pt: ["em vez (?:disso|deste|desta)", "no lugar", "substituid[oa]s? por", "em favor d[eoa]"],
    ru: ["вместо", "заменен~ на", "используйте"],
    zh: ["代替", "替代", "改用", "请(?:使用|用|改)", "建议使用"]
  },
  /** A call is shown as one that fails. */
  failingCall: {
    de: [
      "(?:ungultige|falsche|fehlerhafte)[nrs]? (?:anfrage|aufruf|beispiel|parameter|wert)~",
      "schlagt fehl",
      "fehlgeschlagen~",
      "funktioniert nicht"
    ],
    es: [
      "(?:peticion|solicitud|consulta|llamada|parametro|valor)(?:es)? (?:invalid[oa]s?|incorrect[oa]s?|erron[oa]e?s?)",
      "fallara?",
      "no funciona",
      "(?:devuelve|retorna) (?:un )?error"
    ],
    fr: [
      "(?:requete|appel|parametre|valeur)s? (?:invalides?|incorrecte?s?|errone~)",
      "echoue~",
      "ne fonctionne pas",
      "renvoie une erreur"
    ],
    ja: ["(?:不正|無効|誤っ)(?:な|た)(?:リクエスト|パラメータ|値|例)", "失敗(?:する|します)", "エラー(?:になり|が返)"],
    ko: ["(?:잘못된|유효하지 않은) ?(?:요청|호출|파라미터|값)", "실패(?:합니다|하는)", "오류(?:를|가) (?:반환|발생)"],
    pt: [
      "(?:requisic(?:ao|oes)|chamadas?|parametros?|valor(?:es)?) (?:invalid[oa]s?|incorret[oa]s?)",
      "falhara?",
      "nao funciona",
      "retorna (?:um )?erro"
    ],
    ru: [
      "(?:неверн|некорректн|неправильн|ошибочн)~ (?:запрос|вызов|параметр|значени|пример)~",
      "не работает",
      "верн(?:е|у)т ошибк~",
      "возвращает ошибк~"
    ],
    zh: ["(?:错误|无效|非法)的?(?:请求|调用|参数|示例)", "(?:会|将)失败", "(?:返回|产生)错误"]
  },
  /** The heading of a column of names, which may be those of parameters. */
  nameColumn: {
    de: ["namen?", "bezeichnung"],
    es: ["nombres?"],
    fr: ["noms?"],
    ja: ["名前", "名称", "項目(?:名)?"],
    ko: ["이름", "명칭", "항목(?:명)?"],
    pt: ["nomes?"],
    ru: ["имя", "название", "наименование"],
    zh: ["名称", "名字", "名"]
  },
  /** The heading of a column that says whether something must be given; in a cell: it must. */
  requiredColumn: {
    de: ["pflicht(?:feld|parameter|angabe)?", "erforderlich", "obligatorisch", "notwendig"],
    es: ["obligatori[oa]s?", "requerid[oa]s?"],
    fr: ["obligatoires?", "requise?s?"],
    ja: ["必須(?:項目)?", "必要"],
    ko: ["필수(?: ?여부)?"],
    pt: ["obrigatori[oa]s?", "requerid[oa]s?", "obrigatoriedade"],
    ru: ["обязател~"],
    zh: ["(?:是否)?(?:必选|必填|必须|必需|必传|必要)"]
  },
  /** The heading of a column of types. */
  typeColumn: {
    de: ["typ", "datentyp"],
    es: ["tipos?(?: de datos?)?"],
    fr: ["types?(?: de donnees?)?"],
    ja: ["(?:データ)?型", "タイプ"],
    ko: ["타입", "유형", "자료형", "형식"],
    pt: ["tipos?(?: de dados?)?"],
    ru: ["тип(?: данных)?"],
    zh: ["(?:数据)?类型", "類型"]
  },
  /** Yes, as a cell says it. */
  affirmed: {
    de: ["ja"],
    es: ["si"],
    fr: ["oui"],
    ja: ["はい", "○", "◯"],
    ko: ["예"],
    pt: ["sim"],
    ru: ["да"],
    zh: ["是"]
  },
  /** No, or not needed, as a cell says it. */
  denied: {
    de: ["nein", "optional"],
    es: ["no", "opcional"],
    fr: ["non", "facultatif", "facultative", "optionnelle?"],
    ja: ["いいえ", "任意", "省略可能?", "×"],
    ko: ["아니[오요]", "선택", "옵션"],
    pt: ["nao", "opcional"],
    ru: ["нет", "необязател~", "опционал~"],
    zh: ["否", "可选", "选填", "非必[填须需选]"]
  },
  /** What follows is what an API answers. */
  aboutAnswers: {
    de: ["antwort~", "ruckgabe~", "ergebnis~"],
    es: ["respuestas?", "resultados?", "devuelve", "retorno"],
    fr: ["reponses?", "resultats?", "retour(?:s|ne)?", "renvoie"],
    ja: ["レスポンス", "応答", "戻り値", "返り値", "出力", "結果"],
    ko: ["응답", "반환", "결과"],
    pt: ["respostas?", "resultados?", "retorn[oa]s?"],
    ru: ["ответ~", "результат~", "возвраща~"],
    zh: ["响应", "返回", "应答", "出参", "结果"]
  },
  /** What follows is what a caller sends. */
  aboutRequests: {
    de: ["~parameter", "anfrage~", "argument~"],
    es: ["parametros?", "peticion", "solicitud", "argumentos?"],
    fr: ["parametres?", "requete", "arguments?"],
    ja: ["パラメータ", "リクエスト", "引数", "入力"],
    ko: ["파라미터", "매개 ?변수", "요청"],
    pt: ["parametros?", "requisicao", "argumentos?"],
    ru: ["параметр~", "запрос~", "аргумент~"],
    zh: ["参数", "请求", "入参"]
  },
  /** The heading of a column of dates. */
  dateColumn: {
    de: ["datum", "veroffentlicht(?: am)?", "erschienen(?: am)?"],
    es: ["fecha(?: de (?:publicacion|lanzamiento))?"],
    fr: ["date(?: de (?:publication|sortie))?", "publiee? le"],
    ja: ["日付", "(?:更新|公開|リリース|改訂|変更)日"],
    ko: ["날짜", "일자", "(?:배포|변경|업데이트|수정) ?일"],
    pt: ["data(?: de (?:publicacao|lancamento))?"],
    ru: ["дата(?: (?:выпуска|релиза|публикации|изменения))?"],
    zh: ["日期", "时间", "(?:发布|更新|变更)(?:日期|时间)"]
  }
} satisfies Readonly<Record<string, Words>>

export type Subject = keyof typeof SUBJECTS
export type Meaning = Subject | keyof typeof STATEMENTS

const TABLE: Readonly<Record<Meaning, Words>> = { ...SUBJECTS, ...STATEMENTS }

/** Meanings, in the order of the table. */
export const meanings = (): ReadonlyArray<Meaning> =>
  Object.keys(TABLE).filter((name): name is Meaning => Object.hasOwn(TABLE, name))

export const wordsFor = (meaning: Meaning, language: Language): ReadonlyArray<string> => TABLE[meaning][language] ?? []

/** Words of a heading that say nothing of its subject. */
export const FILLERS: ReadonlySet<string> = new Set(
  [
    "der die das den dem des ein eine einer und oder von vom zu zur zum mit fur bei beim im in am an auf uber aus ist sind wie was wo welche alle allgemein allgemeine ubersicht einfuhrung einleitung beschreibung verwendung umgang nutzung hinweise liste anfragen aufrufe schnittstelle referenz mogliche folgende folgenden zuruckgegeben zuruckgegebenen",
    "el la los las un una y o de del con en por para al que como cual cuales es son lista general generales descripcion uso introduccion informacion guia referencia solicitudes llamadas posibles siguientes devuelve devueltos",
    "le les des et ou du avec dans par pour au aux que comment quels quelles est sont d l liste general generale generales presentation utilisation introduction informations guide reference requetes appels possibles qu ce suivants suivantes renvoie renvoyes",
    "o os as uma e do da dos das em no na nos nas com por para ao que como qual quais lista geral gerais descricao uso introducao informacoes guia referencia requisicoes chamadas possiveis seguintes retorna retornados",
    "и или в во на с со к по о об от до для при как что где какие список общие общая общий описание использование работа введение информация справочник запросов запросы возможные все такое такой такая такие это следующие возвращает возвращаемые сервер"
  ].flatMap((words) => words.split(" "))
)

/** The same where there are no spaces. */
export const WIDE_FILLERS =
  /说明|介绍|相关|关于|概述|概览|一览|列表|详情|使用|方法|如何|什么|以及|常见|基本|信息|处理|规则|机制|文档|接口|参考|指南|公共|通用|服务器|返回|调用|以下|如下|について|に関する|とは|一覧|概要|説明|方法|使い方|利用|対応|処理|および|及び|情報|仕様|共通|どんな(?:時|とき)に?|使いますか|教えてください|何ですか|以下|サーバー?|返され?る|返す|安装|안내|설명|목록|개요|방법|사용|관련|대한|대하여|정보|처리|공통|기본|문서|가이드|하기|란|무엇(?:인가요|입니까)?|및|주요|다음|서버|반환(?:하는|되는)?/g

/** Months as dates name them, in the languages that write them as words. */
export const MONTHS: ReadonlyArray<readonly [Language, ReadonlyArray<string>]> = [
  [
    "de",
    [
      "jan(?:uar|ner)?",
      "feb(?:ruar)?",
      "marz|mrz",
      "apr(?:il)?",
      "mai",
      "juni?",
      "juli?",
      "aug(?:ust)?",
      "sept?(?:ember)?",
      "okt(?:ober)?",
      "nov(?:ember)?",
      "dez(?:ember)?"
    ]
  ],
  [
    "es",
    [
      "ene(?:ro)?",
      "feb(?:rero)?",
      "mar(?:zo)?",
      "abr(?:il)?",
      "may(?:o)?",
      "jun(?:io)?",
      "jul(?:io)?",
      "ago(?:sto)?",
      "sep(?:t|tiembre)?|setiembre",
      "oct(?:ubre)?",
      "nov(?:iembre)?",
      "dic(?:iembre)?"
    ]
  ],
  [
    "fr",
    [
      "janv(?:ier)?",
      "fevr?(?:ier)?",
      "mars",
      "avr(?:il)?",
      "mai",
      "juin",
      "juil(?:let)?",
      "aout",
      "sept(?:embre)?",
      "oct(?:obre)?",
      "nov(?:embre)?",
      "dec(?:embre)?"
    ]
  ],
  [
    "pt",
    [
      "jan(?:eiro)?",
      "fev(?:ereiro)?",
      "mar(?:co)?",
      "abr(?:il)?",
      "maio?",
      "jun(?:ho)?",
      "jul(?:ho)?",
      "ago(?:sto)?",
      "set(?:embro)?",
      "out(?:ubro)?",
      "nov(?:embro)?",
      "dez(?:embro)?"
    ]
  ],
  [
    "ru",
    [
      "янв(?:ар[ьяе])?",
      "февр?(?:ал[ьяе])?",
      "март[ае]?|мар",
      "апр(?:ел[ьяе])?",
      "ма[йяе]",
      "июн[ьяе]?",
      "июл[ьяе]?",
      "авг(?:уст[ае]?)?",
      "сент?(?:ябр[ьяе])?",
      "окт(?:ябр[ьяе])?",
      "ноя(?:бр[ьяе])?",
      "дек(?:абр[ьяе])?"
    ]
  ]
]
