// The safe subset of Markdown: what is markup, what stays text, and how long it may take.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, type Inline, parseInline, parseMarkdown } from './markdown.ts'
import { withoutMarks } from './plain-text.ts'

const text = (value: string): Inline => ({ type: 'text', text: value })

test.each([
  [
    '**bold** and *fine*',
    [{ type: 'strong', children: [text('bold')] }, text(' and '), { type: 'em', children: [text('fine')] }],
  ],
  ['`a*b*`', [{ type: 'code', text: 'a*b*' }]],
  ['snake_case_name', [text('snake_case_name')]],
  ['2 * 3 * 4', [text('2 * 3 * 4')]],
  ['\\*not\\* \\[this\\](x)', [text('*not* [this](x)')]],
  ['[go](/here)', [{ type: 'link', link: '/here', children: [text('go')] }]],
  ['<b>html</b>', [text('<b>html</b>')]],
  ['a\nb', [text('a'), { type: 'break' }, text('b')]],
] as [string, Inline[]][])('%s', (source, tokens) => {
  expect(parseInline(source)).toEqual(tokens)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  '//evil.example',
  '/\\evil',
  'vbscript:x',
  ' javascript:x',
])('a link to %s leaves its words only', (link) => {
  expect(JSON.stringify(parseMarkdown(`[words](${link})`))).not.toContain('"link"')
  expect(withoutMarks(`[words](${link})`)).toContain('words')
})

test('blocks: heading, lists, quote, fence, rule', () => {
  const blocks = parseMarkdown('# Title\n\n- one\n- two\n  more\n\n1. first\n\n> said\n\n```\n<x>\n```\n\n---\nend')
  expect(blocks.map(({ type }) => type)).toEqual(['heading', 'list', 'list', 'quote', 'code', 'rule', 'paragraph'])
})

test('whatever comes in, every link that comes out may be followed, and no character is invented', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '\\', '\n', '-', '>', '#', 'a', ' ', 'javascript:', '/p'),
  })
  fc.assert(
    fc.property(hostile, (source) => {
      const links: string[] = []
      const visit = (tokens: Inline[]): void => {
        for (const token of tokens) {
          if (token.type === 'link') links.push(token.link)
          if ('children' in token) visit(token.children)
        }
      }
      const each = (block: Block): void => {
        if (block.type === 'list') block.items.forEach(visit)
        else if ('children' in block) visit(block.children)
      }
      parseMarkdown(source).forEach(each)
      expect(links.every((link) => link.startsWith('/') && !link.startsWith('//'))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each(['*', '_', '**', '[', '`', '](', '[a](', '> ', '- ', '\\', '*a', '_a '])(
  '64 KiB of %s take no longer than a blink',
  (piece) => {
    const source = piece.repeat(65_536 / piece.length)
    const before = process.cpuUsage()
    parseMarkdown(source)
    withoutMarks(source)
    // Of the processor: a machine that stands still is none of its cost.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_500)
  },
)

test.each([
  ['**bold**, *fine* and `code`', 'bold, fine and code'],
  ['# Title\n\n- one\n2. two\n> said\n\n---\n```js\n<x>\n```', 'Title\n\none\ntwo\nsaid\n\n\n\n<x>'],
  ['[**change** it](https://example.com/a_b_c) now', 'change it now'],
  ['snake_case_name, 2 * 3 * 4 and 1 _ 2', 'snake_case_name, 2 * 3 * 4 and 1 _ 2'],
  ['\\*not\\* fine', '*not* fine'],
  ['<b>html</b> & more', '<b>html</b> & more'],
])('of %j the words are %j', (source, words) => {
  expect(withoutMarks(source)).toBe(words)
})
