const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const entityOf = (character: string): string => ENTITIES[character] ?? ""

/** Text that HTML and XML show as it is written, in elements and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, entityOf)

/** The same for elements alone, where quotes need no escape. */
export const escapeElementText = (text: string): string => text.replaceAll(/[&<>]/g, entityOf)
