import type { Words } from "./Language.ts"

/** What a text says about what lasts, what does not, and what is shown. */
export const ON_LIFECYCLE = {
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
  }
} satisfies Readonly<Record<string, Words>>
