// HTML that carries strangers' text (contract section 6): what a template prints is escaped, and every link is checked after rendering.

/** What loads or leads somewhere. A value ends with its quote, so that many openings without an end stay linear. */
const LINK =
  /(?<=[\s"'/])(href|src|action|formaction|background|poster|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** What the escaping of a printed value writes; other entities are the author's own. */
const ESCAPED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** Browsers pass over them inside the name of a scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const PASSED_OVER = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g
/** They run, or bring a page of their own. Others are the author's to choose: `tel:`, `cid:`, the scheme of an app. */
const RUNS = /^(?:javascript|vbscript|data):/i
const IMAGE = /^data:image\/(?:png|gif|jpe?g|webp);/i

/** Links whose destination would run lose it and stay as text. */
export function checkHtmlLinks(html: string): string {
  return html.replace(
    LINK,
    (all: string, name: string, double: string | undefined, single: string | undefined, bare: string | undefined) => {
      const value = double ?? single ?? bare ?? ''
      const target = value.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ESCAPED[one] ?? one).replace(PASSED_OVER, '')
      return !RUNS.test(target) || (name.toLowerCase() === 'src' && IMAGE.test(target)) ? all : ''
    },
  )
}
