// Tests the count of words, its limit, and that the index of decisions has their titles.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withTable } from '../../edge/test/support/page-table.ts'
import { checkProse, countWords } from './prose.ts'

test('code and tables that the code writes are no words', () => {
  const page = 'Two words\n\n```sh\nnpm start\n```\n\n<!-- rows -->\n| a | b |\n<!-- /rows -->\n\nand three more'
  expect(countWords([page, ' last '])).toBe(6)
})

test('more than 50,000 words are a fault', () => {
  expect(checkProse(['word '.repeat(50_000)])).toEqual([])
  expect(checkProse(['word '.repeat(50_000), 'one'])).toMatchObject([{ level: 'error', rule: 'prose' }])
})

test('docs/decisions/README.md lists each decision by its title', async () => {
  const folder = new URL('../../docs/decisions/', import.meta.url)
  const files = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name))
  const lines = files.sort().map((name) => {
    const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(readFileSync(new URL(name, folder), 'utf8')) ?? []
    return `- ${number} [${title}](${name})\n`
  })
  expect(lines.join('')).not.toContain('undefined')
  const index = new URL('README.md', folder)
  await expect(withTable(readFileSync(index, 'utf8'), 'decisions', lines.join(''))).toMatchFileSnapshot(index.pathname)
})
