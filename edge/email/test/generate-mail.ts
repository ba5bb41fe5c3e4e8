// Makes HTML of mails and layouts that print a value everywhere, and values that try to become markup.

import type { Random } from '../../campaign/expression/test/random.ts'

const VALUE = '{{ event.properties.v }}'
/** What a layout prints of a mail: the subject has the value. */
const LAYOUT_VALUES = ['{{ subject }}', '{{ preheader }}', '{{ senderName }}']
const ATTRIBUTES =
  'class id title alt style href src data-x lang dir name aria-label width bgcolor background cite xlink:href role'.split(
    ' ',
  )
const ELEMENTS = 'p div span a b td table tr ul li h1 img br blockquote center font em button svg label'.split(' ')
const SHEETS = [
  'p { color: red } .x { margin: 0 } a { top: 0 }',
  '* { margin: 0 } p > b, .x td { color: teal; font-family: "A B" }',
  '[title] { color: red } a[href^="https:"] { top: 0 } [class~="x"] { left: 0 }',
  '/* <b title="> */ p { content: "<i>" } @media print { p { color: red } }',
  'p { width=100% } } td { padding: 1px }',
]
const STYLES = [
  'color: red',
  'color',
  '*display:inline',
  'width=100%',
  "font-family:'A',&quot;B&quot;",
  'background:url(/a?b&amp;c)',
  '&copy;',
  '}',
]

function attribute(random: Random, values: readonly string[]): string {
  const name = random.pick(ATTRIBUTES)
  const fixed =
    name === 'style' ? random.pick(STYLES) : random.pick(['x', 'x y', 'https://shop.example/a?b=1&amp;c=2', ''])
  const value = random.once(3)
    ? fixed
    : random.pick(['', 'x ', 'color: ', 'https://shop.example/?q=']) + random.pick(values)
  const quote = random.pick(['"', '"', "'", ''])
  const isBare = quote === '' && value !== '' && !/[\s"'<>=`]/.test(value.replaceAll(/\{\{.*?\}\}/g, ''))
  return isBare
    ? ` ${name}=${value}`
    : ` ${name}=${quote || '"'}${quote === "'" ? value.replaceAll("'", '') : value}${quote || '"'}`
}

function piece(random: Random, values: readonly string[], levels: number): string {
  const value = random.pick(values)
  switch (random.below(12)) {
    case 0:
      return `text ${value} &nbsp; &lt;b&gt; < 3 `
    case 1:
      return `<!-- ${value} --><!--[if mso]><td title="${value}"><![endif]-->`
    case 2:
      return `<style>${random.pick(SHEETS)}</style>`
    case 3:
      return random.pick(['textarea', 'title']).replace(/.+/, (name) => `<${name}>${value}</${name}>`)
    case 4:
      return random.pick([
        '<br>',
        '</div>',
        '<p>',
        '</a>',
        '<li>',
        '<a href=https://shop.example/?a=b>x</a>',
        '<hr/>',
        '<noscript>x</noscript>',
      ])
    default: {
      const name = random.pick(ELEMENTS)
      const attributes = random.many(random.below(4), () => attribute(random, values)).join('')
      const inner =
        levels === 0 ? value : random.many(random.below(4), () => piece(random, values, levels - 1)).join('')
      return `<${name}${attributes}>${inner}</${name}>`
    }
  }
}

const some = (random: Random, values: readonly string[]) =>
  random.many(1 + random.below(5), () => piece(random, values, 2)).join('')

export interface GeneratedMail {
  html: string
  layout: string | null
  value: string
}

/** @returns a mail with `{{ event.properties.v }}` and a value for it */
export function generateMail(random: Random): GeneratedMail {
  const body = some(random, [VALUE, `{{ event.properties.v | append: "'" }}`, 'fixed'])
  const html = random.once(4)
    ? `<!doctype html><html><head></head><body${attribute(random, [VALUE])}>${body}</body></html>`
    : body
  const around = `${some(random, LAYOUT_VALUES)}<main>{{ content }}</main>${some(random, LAYOUT_VALUES)}`
  const sheet = `<style>${random.pick(SHEETS)}</style>`
  const layout = random.pick([null, `${sheet}${around}`, `<html><head>${sheet}</head><body>${around}</body></html>`])
  return {
    html,
    layout,
    // Without a letter, the preheader would be left out.
    value: `v${random.many(1 + random.below(6), () => random.pick(HOSTILE)).join('')}`,
  }
}

const LINK = '<a href="https://evil.example/">sign in</a>'
const HOSTILE = [
  ...['"', "'", '>', '<', '`', '=', ' ', '\n', '\t', '/', '/>', '&', ';', '#', '}', '{', '\u00a0', '\ue000', '\ue001'],
  ...[
    LINK,
    `">${LINK}<p class="`,
    `'>${LINK}<p class='`,
    `&quot;&gt;${LINK}`,
    '&#34;&#62;',
    '&amp;quot;&amp;gt;&amp;lt;b&amp;gt;',
  ],
  ...[
    ' href=https://evil.example/',
    ' onclick=alert(1)',
    ' style=top:0',
    'https://evil.example/',
    'javascript:alert(1)',
  ],
  ...[
    '</p>',
    '</style>',
    '</title>',
    '</textarea>',
    '</a>',
    '-->',
    '--!>',
    '<!--',
    ']]>',
    '<![endif]-->',
    '<script>',
    '</noscript>',
  ],
  ...['{{ content }}', '{% raw %}', 'color: red', 'x', 'Ada', '&copy', '&lt', '%22%3E', '\\22 ', '\\'],
]
