import type { Words } from "./Language.ts"

/** Subjects of those who use a product for long, as headings, titles and links name them. */
export const SUBJECTS_OF_PRODUCTS = {
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
