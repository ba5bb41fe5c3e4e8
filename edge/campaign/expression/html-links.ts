// Checks every link of rendered HTML, because values of untrusted users may be part of it.

/** Matches attributes with addresses. A value ends with its quote, so that many unclosed quotes take linear time. */
const LINK =
  /(?<=[\s"'/])(href|src|action|formaction|background|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** The entities that the escaping of printed values writes; other entities are the author's own. */
const ESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** Characters that browsers ignore within the name of a scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g
/**
 * Schemes that run code or contain a page. All others are the author's choice: `tel:`, `cid:`, the scheme of an app.
 */
const RUNS = /^(?:javascript|vbscript|data):/i
const IMAGE = /^data:image\/(?:png|gif|jpe?g|webp);/i

/** Removes destinations that would run code; the text stays. */
export function checkHtmlLinks(html: string): string {
  return html.replace(
    LINK,
    (all: string, name: string, double: string | undefined, single: string | undefined, bare: string | undefined) => {
      const value = double ?? single ?? bare ?? ''
      const target = value.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ESCAPED[one] ?? one).replace(IGNORED, '')
      return !RUNS.test(target) || (name.toLowerCase() === 'src' && IMAGE.test(target)) ? all : ''
    },
  )
}
