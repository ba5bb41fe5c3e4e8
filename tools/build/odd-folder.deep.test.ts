// Tests that a checkout in a folder whose name has a space and `#` builds all, with the pictures of its pages.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const NO_SOURCES = new Set(['node_modules', 'dist', '.git', 'data', 'vendor', 'target'])

test('a checkout in a folder with a space and # in its name builds everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nc a b#c %41 '))
  try {
    cpSync(ROOT, folder, { recursive: true, filter: (path) => path === ROOT || !NO_SOURCES.has(basename(path)) })
    for (const modules of ['node_modules', 'edge/node_modules']) symlinkSync(join(ROOT, modules), join(folder, modules))
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/build.ts'], { cwd: folder })
    const built = (path: string) => readdirSync(join(folder, path)).map((name) => name.replace(/-[\w-]{8}\./, '.'))
    expect(built('demo/dist/page/demo/assets')).toEqual(expect.arrayContaining(['ada.svg', 'fern.svg', 'icon.svg']))
    expect(built('dashboard/dist/dashboard/assets')).toEqual(expect.arrayContaining(['icons.svg', 'main.css']))
    expect(built('widget/dist')).toContain('notification-center.js')
    expect(built('edge/dist')).toContain('main.js')
    expect(readFileSync(join(folder, 'demo/dist/page/index.html'), 'utf8')).toContain('/demo/assets/')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
