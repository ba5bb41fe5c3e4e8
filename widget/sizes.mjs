// Holds the sizes of the built widget: `node widget/sizes.mjs` fails when one is passed. Gzip, level 9, KB = 1,000 bytes.
// That these are all the files of a session is measured in Chromium by its requests: test/whole-life.node.test.ts.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = fileURLToPath(import.meta.url)

/** Bytes of a built file, gzip. */
export const gzipped = (name) => gzipSync(readFileSync(join(dirname(here), 'dist', name)), { level: 9 }).length

function largestLanguage() {
  const files = readdirSync(join(dirname(here), 'dist')).filter((name) => name.startsWith('lang-'))
  return files.reduce((largest, name) => (gzipped(name) > gzipped(largest) ? name : largest))
}

/** The files of each moment: `max` is held, `aim` is what we want to come to (docs/performance.md#widget says what stands between). */
export const SIZES = [
  { name: 'script before the badge', files: ['notification-center.js'], aim: 9_000, max: 15_000 },
  {
    name: 'session with an opened panel',
    files: ['everyday.js', 'notification-center.js'],
    aim: 34_000,
    max: 48_000,
  },
  {
    name: 'and its socket',
    files: ['everyday.js', 'notification-center.js', 'realtime.js'],
    aim: 48_000,
    max: 50_000,
  },
  {
    name: 'and a message with Markdown',
    files: ['everyday.js', 'markdown.js', 'notification-center.js', 'realtime.js'],
    aim: 50_000,
    max: 52_000,
  },
  { name: 'toasts, sound, desktop', files: ['extras.js'], aim: 4_000, max: 3_000 },
  { name: 'snooze, selection, list of keys', files: ['rare.js'], aim: 4_000, max: 3_500 },
  { name: 'long lists', files: ['long.js'], aim: 2_500, max: 3_000 },
  { name: 'settings', files: ['settings.js'], aim: 4_000, max: 4_000 },
  { name: 'swiping', files: ['touch.js'], aim: 2_000, max: 2_000 },
  { name: 'placing without CSS anchors', files: ['placing.js'], aim: 1_000, max: 1_000 },
  { name: 'debug', files: ['debug.js'], aim: 12_000, max: 12_000 },
  {
    name: 'the largest language',
    // Only when asked for: whoever reads the names before the first build has no files.
    get files() {
      return [largestLanguage()]
    },
    aim: 2_000,
    max: 2_000,
  },
]

/** The files of an everyday session: list, detail, realtime, offline and back. */
export const SESSION_FILES = SIZES[2].files

function holdSizes() {
  for (const { name, files, aim, max } of SIZES) {
    const each = files.map((file) => `${file} ${gzipped(file)}`)
    const size = files.reduce((sum, file) => sum + gzipped(file), 0)
    const verdict = size > max ? 'TOO LARGE' : size > aim ? 'over its aim' : 'ok'
    process.stdout.write(`${verdict}: ${name}: ${size} bytes gzip, aim ${aim}, held to ${max} (${each.join(', ')})\n`)
    if (size > max) process.exitCode = 1
  }
}

if (process.argv[1] === here) holdSizes()
