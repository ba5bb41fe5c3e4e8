// Tests untrusted text in Markdown: no payload becomes markup, and no link has a forbidden destination.

import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { checkMarkdownLinks, escapeMarkdown } from './markdown.ts'
import { mustCompileTemplate } from './template.ts'

/** Returns the text that a CommonMark reader shows; undefined when any part of it is markup. */
function shownAsText(markdown: string): string | undefined {
  let shown = ''
  for (let i = 0; i < markdown.length; i++) {
    const char = markdown[i] as string
    const next = markdown[i + 1] ?? ''
    if (char === '\\') {
      if (!/[!-/:-@[-`{-~]/.test(next)) return undefined
      shown += next
      i++
    } else if (/[`*_[\]()<>|~]/.test(char)) return undefined
    else shown += char
  }
  return shown
}

/** Without what readers drop: spaces at the start of a line, and lines around the text. */
const shownOf = (text: string) =>
  text
    .replace(/^\n+|\n+$/g, '')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/^[ \t]+/, '\u00a0')

describe('escapeMarkdown', () => {
  test.each([
    ["Tom & Jerry, 12.50 – O'Neil #42 (no)", "Tom & Jerry, 12.50 – O'Neil #42 \\(no\\)"],
    ['[x](https://evil.example)', '\\[x\\]\\(https\\://evil.example\\)'],
    ['![x](y)', '!\\[x\\]\\(y\\)'],
    ['**a** _b_ `c` ~d~', '\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\~d\\~'],
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert\\(1\\)\\>'],
    ['# a\n## b\n- c\n+ d\n1. e\n2) f\n---\n===', '\\# a\n\\## b\n\\- c\n\\+ d\n1\\. e\n2\\) f\n\\---\n\\==='],
    ['a-b 1.5 c#', 'a-b 1.5 c#'],
    ['\\', '\\\\'],
    ['\\[', '\\\\\\['],
    ['www.evil.example a@b.example', 'www\\.evil.example a\\@b.example'],
    ['&lt; &#60; a&b', '\\&lt; \\&#60; a&b'],
  ])('%j becomes %j', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped)
  })

  test('no payload becomes markup, and each is shown as it was written', () => {
    const unit = fc.constantFrom(
      ...'[]()<>*_`~!|#+-=.:/\\&;@ \n1awx"\'',
      '](',
      '](https://evil.example)',
      '<a href=x>',
      'javascript:',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (payload) => {
        const escaped = escapeMarkdown(payload)
        expect(shownAsText(escaped)).toBe(shownOf(payload))
        expect(escaped).not.toMatch(/^[ \t]*(?:#|[-+=]|\d{1,9}[.)])/m)
        expect(escaped).not.toMatch(/(?<!\\)[:]\/\/|(?<!\\)@/)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('checkMarkdownLinks', () => {
  test.each([
    ['[a](https://example.com)', '[a](https://example.com)'],
    ['[a](/orders/42 "Order")', '[a](/orders/42 "Order")'],
    ['[a](<https://example.com/x y>)', '[a](https://example.com/x%20y)'],
    ['[a](https\\://example.com/a\\_b\\(c\\))', '[a](https://example.com/a_b%28c%29)'],
    ['[a](https://example.com/b_(c))', '[a](https://example.com/b_%28c%29)'],
    ['[a](javascript:alert(1)) b', 'a b'],
    ['[a](javascript\\:alert\\(1\\))', 'a'],
    ['[a](//evil.example)', 'a'],
    ['[a](data:text/html,x)', 'a'],
    ['![a](javascript:x)', 'a'],
    ['[a]()', 'a'],
    ['Hi\\![a](ftp://x) b', 'Hi\\!a b'],
    ['[**Read** [it]](ftp://x/y_(z)) now', '**Read** [it] now'],
    ['[![a](ftp://x)](https://example.com)', '[a](https://example.com)'],
    ['[![a](https://example.com/a.png)](ftp://x)', '![a](https://example.com/a.png)'],
    ['[a][](ftp:x)(javascript:x)', '[a]\\(javascript:x)'],
    ['a](ftp://x) b', 'a] b'],
    ['[a](tel:+49) [b](sms:+49) [c](#top)', '[a](tel:+49) [b](sms:+49) [c](#top)'],
    ['[a](mailto:a@b.example,c@d.example?cc=e@f.example)', '[a](mailto:a@b.example,c@d.example?cc=e@f.example)'],
    ['\\[a\\](javascript:x)', '\\[a\\](javascript:x)'],
    ['[a](', '[a]('],
    ['<javascript:alert(1)>', 'javascript:alert\\(1\\)'],
    ['\\<javascript:x\\>', '\\<javascript:x\\>'],
    ['<https://example.com>', '<https://example.com>'],
    ['1 < 2 > 1', '1 < 2 > 1'],
  ])('%j becomes %j', (markdown, checked) => {
    expect(checkMarkdownLinks(markdown)).toBe(checked)
  })

  test('a link of an app stays where its scheme is allowed', () => {
    const markdown = '[a](shopapp://orders/1) <shopapp://x>'
    expect(checkMarkdownLinks(markdown, ['shopapp'])).toBe(markdown)
    expect(checkMarkdownLinks(markdown, ['other'])).toBe('a shopapp\\://x')
  })

  test('a value printed into a destination stays within it and reaches no forbidden one', () => {
    const unit = fc.constantFrom(...'()[]<>\\/:"\' \nab', 'javascript:', 'https://', '](', '//')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (value) => {
        const checked = checkMarkdownLinks(`[label](${escapeMarkdown(value)})`)
        const live = /(?<!\\)\]\(([^)]*)\)/.exec(checked)
        if (live !== null && !/\s/.test(value)) expect(live[1]).toMatch(/^(?:https?:\/\/|mailto:|\/(?!\/)|#|$)/i)
      }),
      { numRuns: 2000 },
    )
  })

  test('many openings without an end take linear time', () => {
    const hostile = '[a]('.repeat(4000)
    expect(checkMarkdownLinks(hostile)).toBe(hostile)
    expect(checkMarkdownLinks('](((((('.repeat(2000))).toBe('](((((('.repeat(2000))
    expect(checkMarkdownLinks(`](${'(a'.repeat(8000)}`)).toBe(`](${'(a'.repeat(8000)}`)
  })

  test.each([' '.repeat(2090), `${' '.repeat(1000)}"${'x'.repeat(1000)}`])(
    'many openings with %j behind them take linear time',
    async (behind) => {
      const hostile = `](${behind}`.repeat(31)
      const ms = await processorMs(() => {
        for (let i = 0; i < 10; i++) expect(checkMarkdownLinks(hostile)).toBe(hostile)
      })
      expect(ms).toBeLessThan(300)
    },
  )
})

test('a value with many line ends takes linear time', async () => {
  const ms = await processorMs(() => {
    for (const piece of ['\n', ' ', '\t', '\n ', '!', '&', '1.']) escapeMarkdown(`a${piece.repeat(65_000)}x`)
  })
  expect(ms).toBeLessThan(2000)
})

describe('a value in Markdown', () => {
  const V = '{{ event.properties.v }}'
  const markdown = new MarkdownIt({ html: true, breaks: true, linkify: true })
  const printed = (source: string, v: string) =>
    mustCompileTemplate(source, 'markdown').render({
      ...{ user: {}, enriched: {}, events: [], campaign: {}, env: {} },
      event: { properties: { v } },
    })
  /** The types of all parts but text, and the text of the line that has the value. */
  function read(source: string) {
    const tokens = markdown.parse(source, {}).flatMap((token) => token.children ?? [token])
    const types = tokens.map(({ type }) => type).filter((type) => !/^text/.test(type))
    return { types, text: tokens.map(({ content }) => content).join('') }
  }

  test.each([
    V,
    `Hi ${V} end`,
    `${V}${V}${V}${V}`,
    `- ${V}`,
    `1. ${V}`,
    `> ${V}`,
    `# ${V}`,
    `**a** ${V}`,
    `   ${V}`,
    `| a |\n${V}`,
    `a\n${V}`,
    `| a | b |\n|---|---|\n| ${V} | x |`,
    `${V}[a](https://a.example)`,
  ])('is text and nothing else: %s', (source) => {
    const unit = fc.constantFrom(
      ...'[]()<>*_`~!|#+-=.:/\\&;@ \t\f\r\u00011a"\'',
      ...['    ', '\t', '- ', '# ', '1. ', '```', '---', '===', ':--', '&lt;', '<b>', 'https://x.example', '[a]: /x'],
    )
    const plain = read(printed(source, 'x')).types
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 20 }), (value) => {
        const v = `${value}x`
        expect(read(printed(source, v)).types).toEqual(plain)
      }),
      { numRuns: 400, examples: [['//1.'], ['a //x.example/']] },
    )
  })

  test.each(['    code', '\tcode', 'a\n    code', 'a\n\n    code', 'a\n\n\tcode', '\n- a', 'a\n\n- b\n# c\n> d'])(
    '%j begins no block',
    (v) => {
      const types = read(printed(V, v)).types.filter(
        (type) => !/^(?:softbreak|hardbreak|paragraph_(?:open|close))$/.test(type),
      )
      expect(types).toEqual([])
    },
  )
})
