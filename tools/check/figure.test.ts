// Tests that a figure is compared with the imports of the code and with its table.

import { expect, test } from 'vitest'
import { checkFigures } from './figure.ts'

const imports = new Map([
  ['edge/a.ts', new Set(['edge/b.ts'])],
  ['edge/b.ts', new Set<string>()],
  ['edge/c.ts', new Set<string>()],
])
const TABLE = '| 1 | `edge/a.ts` → `edge/b.ts` → `edge/c.ts` |\n'
const page = (figure: string, table = TABLE) =>
  `# A\n\n## The journey\n\`\`\`mermaid\n${figure}\n\`\`\`\n${table}## Next\n`
const messages = (text: string) => checkFigures(text, imports).map(({ message }) => message)
const NODES = 'a["edge/a.ts"] --> b["edge/b.ts"]'

test('solid arrows are imports, and dotted ones are none', () => {
  expect(messages(page(`${NODES} -.-> c["edge/c.ts"]`))).toEqual([])
  expect(messages(page(`${NODES} --> c["edge/c.ts"]`))).toEqual(['edge/b.ts does not import edge/c.ts'])
  expect(messages(page(`a["edge/a.ts"] -.-> b["edge/b.ts"]\nb -.-> c["edge/c.ts"]`))).toEqual([
    'edge/a.ts imports edge/b.ts: draw a solid arrow',
  ])
})

test('the files of the figure are those of the table, and exist', () => {
  expect(messages(page(NODES))).toEqual(['edge/c.ts is in the table and not in the figure'])
  expect(messages(page(`${NODES} -.-> d["edge/d.ts"]`, '| `edge/a.ts` | `edge/b.ts` |\n'))).toEqual([
    "the figure's edge/d.ts is not there",
    'edge/d.ts is in the figure and not in the table',
  ])
  expect(messages(page('a --> b'))).toContain("the figure's arrow a → b has no file")
})

test('a page without a figure is reported', () => {
  expect(messages('## The journey\n')).toEqual(['there is no figure'])
})
