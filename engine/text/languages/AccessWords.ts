import type { Words } from "./Language.ts"

/** What a text or a column says about credentials, limits, retries and paging. */
export const ON_ACCESS = {
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
  }
} satisfies Readonly<Record<string, Words>>
