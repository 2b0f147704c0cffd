/** Longer texts are values, whatever they hold. */
const LONGEST = 200

/** Of what the last word of a name in capitals tells that it is in place of a value: `ORDER_ID`, `API_KEY`. */
const CAPITAL_END =
  "ID|IDS|KEY|TOKEN|SECRET|UUID|GUID|NAME|SLUG|HERE|VALUE|URL|HOST|HOSTNAME|DOMAIN|SERVER|ENDPOINT|EMAIL|PASSWORD|USERNAME|HASH|ADDRESS|CODE"

const WHOLE: ReadonlyArray<RegExp> = [
  // `{id}`, `{{id}}`, `${id}`, `#{id}`
  /^[$#]?\{{1,2}[^{}]{0,100}\}{1,2}$/,
  // `$ID`, `%ID%`, `%s`, `%(id)s`
  /^\$[A-Za-z_][\w.]*$/,
  /^%[A-Za-z_]\w*%$/,
  /^%(?:\(\w+\))?[sdvqi]$/,
  /^<[^<>]{0,100}>$/,
  /^:[A-Za-z_][\w-]*$/,
  /^\[[A-Za-z_][\w .-]*\]$/,
  /^(?:your|my|the|some|enter|insert|replace|example)[_ -](?:[\w -]*[_ -])?(?:id|key|token|secret|uuid|name|value|url|email|password|username|here)$/i,
  /^your[_. -]?[\w.-]*(?: [\w.-]+){0,2}$/i,
  new RegExp(`^(?:[A-Z][A-Z0-9]*[_-]){0,6}(?:${CAPITAL_END})$`),
  /^[\w-]*[_-]here$/i,
  /^x{3,}$/i,
  /^(?:x{2,}-){1,8}x{2,}$/i,
  /^(?:changeme|change_me|replaceme|replace_me|placeholder)$/i,
  // The name of a type in place of a value, and the form of a date.
  /^(?:string|integer|int|number|boolean|bool|date|datetime|timestamp|float|double|object|array|uuid)$/i,
  /^Y{4}[-/]?MM[-/]?DD/i,
  // What may be chosen from: `asc|desc`.
  /^[[({<]?\w[\w-]{0,60}(?: ?\| ?\w[\w-]{0,60}){1,20}[\])}>]?$/,
  /^_{2,}$/
]

/** A stand-in within a text that has more: `Bearer <token>`, `eyJ…`, `$HOST/orders`. */
const WITHIN =
  /…|\.\.\.|\*{3}|\{\{|[$#]\{|\$\(|\$[A-Za-z_]|<[A-Za-z][^<>]{0,80}>|\bYOUR[_-]|(?<![A-Za-z])[xX]{3,}(?![A-Za-z])|%[A-Z_]{2,40}%|\{[A-Za-z_][\w.-]{0,60}\}/

/**
 * Whether a text as a whole stands for what the reader puts in: a segment of a path or a value, such as `{id}`, `:id`, `<id>`, `$ID`,
 * `%s`, `[id]`, `YOUR_ID`, `ORDER_ID`, `…`, `xxx`, `***`.
 */
export const isPlaceholder = (text: string): boolean =>
  text.length <= LONGEST && (/^(?:…|\.{3,}|\*{2,})$/.test(text) || WHOLE.some((form) => form.test(text)))

/** Whether a text is a placeholder, or holds one. */
export const hasPlaceholder = (text: string): boolean => isPlaceholder(text) || WITHIN.test(text)
