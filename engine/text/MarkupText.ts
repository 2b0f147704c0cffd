const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

/** Text that HTML and XML show as it is written, in elements and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
