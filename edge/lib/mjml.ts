// Converts MJML, a language for layouts of mails, to HTML.

import mrml from 'mrml'

const engine = new mrml.Engine()

/** @returns the HTML, or what is wrong with the source. Includes are not followed. */
export function mjmlToHtml(source: string): { html: string } | { fault: string } {
  const result = engine.toHtml(source)
  return result.type === 'success' ? { html: result.content } : { fault: result.message }
}
