// Tests the commands and their flags against docs/cli.md, and parsing, help and exit codes.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { markdownTable, withTable } from '../test/support/page-table.ts'
import { type Command, nameOf } from './command.ts'
import { createCommandContext } from './command-context.ts'
import { COMMANDS } from './commands.ts'
import { dispatch, printTable } from './dispatch.ts'

const page = new URL('../../docs/cli.md', import.meta.url)

test('docs/cli.md lists every command with its flags', async () => {
  const rows = COMMANDS.map((command) => {
    const flags = Object.entries(command.flags ?? {}).map(([name, { value, required }]) => {
      const words = `--${name}${value === undefined ? '' : ` <${value}>`}`
      return required ? `\`${words}\`` : `\`[${words}]\``
    })
    return [`\`${nameOf(command)}\``, flags.join(' ') || '–', command.summary]
  })
  const table = markdownTable(['Command', 'Flags', 'Does'], rows)
  await expect(withTable(readFileSync(page, 'utf8'), 'commands', table)).toMatchFileSnapshot(page.pathname)
})

const ECHO: Command = {
  noun: 'echo',
  verb: 'say',
  summary: 'Says it.',
  flags: {
    word: { value: 'text', meaning: 'What.', required: true, many: true },
    loud: { meaning: 'Louder.' },
  },
  async run(input) {
    if (input.text('word') === 'fail') throw new Error('It failed.')
    const cause = { code: 'SQLITE_FULL' }
    if (input.text('word') === 'full') throw Object.assign(new Error('database or disk is full'), cause)
    const data = { words: input.list('word'), loud: input.has('loud') }
    return { data, lines: data.words, failed: input.text('word') === 'no' }
  },
}

async function call(...args: string[]) {
  const output = { out: '', err: '' }
  const add = (stream: 'out' | 'err') => (text: string) => {
    output[stream] += text
  }
  const code = await dispatch([ECHO], args, { out: add('out'), err: add('err') }, () => createCommandContext({}))
  return { code, ...output }
}

test.each<[string[], number, RegExp]>([
  [['echo', 'say', '--word', 'a', '--word', 'b'], 0, /^a\nb\n$/],
  [['echo', 'say', '--word', 'a', '--loud', '--json'], 0, /"loud": true/],
  [['echo', 'say', '--help'], 0, /--word <text> {2}What\. Required\. May be repeated\./],
  [['echo', 'say', '-h'], 0, /--word <text> {2}What/],
  [['echo', 'say', 'help'], 0, /--word <text> {2}What/],
  [['help', 'echo', 'say'], 0, /--word <text> {2}What/],
  [['echo', 'help'], 0, /echo say {2}Says it\./],
  [['echo', '-h'], 0, /echo say {2}Says it\./],
  [['help', 'echo'], 0, /echo say {2}Says it\./],
  [['help'], 0, /echo say {2}Says it\./],
  [['--help'], 0, /echo say {2}Says it\./],
  [[], 0, /echo say/],
  [['echo', 'say', '--word', 'no'], 1, /^no\n$/],
  [['echo', 'say', '--word', 'fail'], 1, /^It failed\.\n$/],
  [['echo', 'say', '--word', 'full'], 1, /data\/store\.db cannot be written: its disk is full\. Make room/],
  [['echo', 'say'], 2, /--word is missing/],
  [['echo', 'say', '--word', 'a', '--quiet'], 2, /quiet/],
  [['echo', 'say', '--word', 'a', 'more'], 2, /more/],
  [['echo', 'sing'], 2, /There is no command "echo sing"/],
  [['help', 'sing'], 2, /There is no command "sing"/],
  [['sing', '--help'], 2, /There is no command "sing"/],
  [['echo', 'say', '--word', 'help'], 0, /^help\n$/],
  [['toString'], 2, /There is no command/],
])('%j ends with %i', async (args, code, text) => {
  const output = await call(...args)
  expect(output.code).toBe(code)
  expect(output.out + output.err).toMatch(text)
  expect(code === 2 ? output.out : '').toBe('')
})

test('a table aligns its columns, and lets no control character through to the terminal', () => {
  const rows = [
    ['long name', 1],
    ['\u001b[31mred', null],
  ]
  expect(printTable({ columns: ['Name', 'N'], rows })).toBe('Name       N\nlong name  1\n [31mred   -\n')
})
