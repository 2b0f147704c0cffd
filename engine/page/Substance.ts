import { readingLength } from "../text/languages/Words.ts"
import type { MainContent, Substance } from "./Page.ts"

/** By `readingLength`: a Chinese, Japanese or Korean text says as much in half of the letters. */
const SUBSTANTIVE_CHARACTERS = 120

/** A longer text that begins like a placeholder says more than that. */
const PLACEHOLDER_CHARACTERS = 600

const LOADING = /^(?:loading|please wait|initiali[sz]ing|one moment|just a (?:moment|second)|fetching)\b[^\n]{0,60}$/im
const NEEDS_JAVASCRIPT =
  /\b(?:enable|requires?|need|needs|without|turn on|disabled?|support)\b.{0,60}\bjava ?script\b|\bjava ?script\b.{0,60}\b(?:required|disabled|enabled?|not (?:enabled|available|supported)|to (?:run|use|view))\b/i

/** The same in other languages; stems begin a word, as "alternative" and "interactive" hold two of them. */
const FOREIGN_LOADING =
  /^(?:wird geladen|lädt|bitte warten|chargement|veuillez patienter|cargando|carregando|aguarde|загрузка|подождите|読み込み中|ロード中|加载中|正在加载|加載中|로딩 ?중|불러오는 중)[^\n]{0,60}$/im
const FOREIGN_JAVASCRIPT =
  /(?<![a-zà-ÿа-я])(?:aktivier|einschalt|benötig|erforder|activ(?:e[rz]|ar)|nécessite|habilit|requier|ativar|requer(?!y)|включ|нужен|требует)[^\n]{0,60}java ?script|java ?script[^\n]{0,60}(?:aktivier|einschalt|benötigt|erforderlich|activé|désactivé|nécessaire|habilit|desactiv|desativ|ativad|necessário|включ|отключ|有効|必要|启用|啟用|开启|禁用|활성|필요)/iu

/**
 * What a page's content amounts to.
 *
 * @param followed any heading in it has a block of 20 characters or more after it.
 * @param scripted the page has scripts: what is empty may be filled by them.
 */
export const substanceOf = (main: MainContent, followed: boolean, scripted: boolean): Substance => {
  if (main.characters === 0) return scripted ? "placeholder" : "thin"
  if (main.characters <= PLACEHOLDER_CHARACTERS && isPlaceholder(main)) return "placeholder"
  // The text is cut long after the threshold.
  return main.characters >= SUBSTANTIVE_CHARACTERS || followed || readingLength(main.text) >= SUBSTANTIVE_CHARACTERS
    ? "substantive"
    : "thin"
}

const isPlaceholder = ({ characters, text }: MainContent): boolean =>
  (characters <= 200 && (LOADING.test(text.slice(0, 200)) || FOREIGN_LOADING.test(text.slice(0, 200)))) ||
  NEEDS_JAVASCRIPT.test(text) ||
  FOREIGN_JAVASCRIPT.test(text)
