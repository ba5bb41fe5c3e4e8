// Runs the commands of the first section of docs/email.md in a shell, and compares their answers with those on the page.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { givenEdge } from '../support/given.ts'
import { BUILT_NC } from '../support/given-nc.ts'
import { givenSmtp } from '../support/given-smtp.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = readFileSync(new URL('../../../docs/email.md', import.meta.url), 'utf8')
const SECTION = PAGE.slice(PAGE.indexOf('## Five minutes'), PAGE.indexOf('### Quiet hours'))
const BLOCKS = [...SECTION.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }))
const MARK = '-- next --'

/** A server of ours takes the place of Mailpit. */
const isRun = ({ kind, text }: { kind: string | undefined; text: string }) =>
  kind === 'sh' && !text.startsWith('docker')

test('each command of the first five minutes has the answer that the page shows', async () => {
  await buildEdge()
  const smtp = await givenSmtp()
  const edge = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' }, { findTexts: async () => [] })
  try {
    const folder = join(edge.dataDir, 'project')
    mkdirSync(join(folder, 'data'), { recursive: true })
    await copyFile(join(edge.dataDir, 'demo.json'), join(folder, 'data', 'demo.json'))
    const commands = BLOCKS.filter(isRun).map(({ text }) => text)
    const script = commands
      .join(`echo; echo '${MARK}'\n`)
      .replaceAll('http://127.0.0.1:3000', edge.url)
      .replaceAll('"1025"', `"${smtp.port}"`)
      .replaceAll('npm run -s nc --', `node ${ROOT}/${BUILT_NC}`)
    // By files: the command line and the output of a process must show no address.
    writeFileSync(join(folder, 'run.sh'), `exec > answers.txt\n${script}`)
    await promisify(execFile)('bash', ['-eu', 'run.sh'], { cwd: folder, env: { ...process.env, ...edge.settings } })
    const answers = readFileSync(join(folder, 'answers.txt'), 'utf8')
      .split(MARK)
      .map((text) => text.trim())
    const expected = BLOCKS.flatMap((block, nth) => (isRun(block) ? [BLOCKS[nth + 1]] : []))
    expect(answers).toHaveLength(commands.length)
    for (const [nth, answer] of answers.entries()) {
      const block = expected[nth]
      if (block?.kind === 'json') expect(answer).toMatch(toPattern(block.text.trim()))
    }
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.com']])
  } finally {
    await edge.stop()
    await smtp.stop()
  }
})

/** @returns A pattern of the text, in which an ellipsis is anything */
function toPattern(text: string): RegExp {
  return new RegExp(`^${text.split('…').map(literal).join('[\\s\\S]*')}`)
}

const literal = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
