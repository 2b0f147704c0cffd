/** A longer text that asks for scripts has more to say than that. */
const NOTICE_CHARACTERS = 600

const NEEDS_JAVASCRIPT =
  /\b(?:enable|requires?|need|needs|without|turn on|disabled?|support)\b.{0,60}\bjava ?script\b|\bjava ?script\b.{0,60}\b(?:required|disabled|enabled?|not (?:enabled|available|supported)|to (?:run|use|view))\b/i

/** The same in other languages; stems begin a word, as "alternative" and "interactive" hold two of them. */
const FOREIGN_JAVASCRIPT =
  /(?<![a-zà-ÿа-я])(?:aktivier|einschalt|benötig|erforder|activ(?:e[rz]|ar)|nécessite|habilit|requier|ativar|requer(?!y)|включ|нужен|требует)[^\n]{0,60}java ?script|java ?script[^\n]{0,60}(?:aktivier|einschalt|benötigt|erforderlich|activé|désactivé|nécessaire|habilit|desactiv|desativ|ativad|necessário|включ|отключ|有効|必要|启用|啟用|开启|禁用|활성|필요)/iu

/** A text of at most 600 characters that tells its reader to let scripts run. */
export const asksForScripts = (text: string): boolean =>
  text.length <= NOTICE_CHARACTERS && (NEEDS_JAVASCRIPT.test(text) || FOREIGN_JAVASCRIPT.test(text))
