// Builds what Vite makes (vite.config.ts), and completes the widget: themes, hashes, the versioned folder, the package.

import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runVite } from './run-vite.ts'
import { writePackage } from './widget-package.ts'

/** Builds the demo's page into `demo/dist/page`. */
export async function buildPage(root: string): Promise<void> {
  await runVite(root, ['client'])
}

/** Builds the widget into `widget/dist`: served files, the same in a folder of the version, and the package. */
export async function buildWidget(root: string): Promise<void> {
  const dist = join(root, 'widget/dist')
  rmSync(dist, { recursive: true, force: true })
  await runVite(root, ['script', 'parts', 'debug', 'package'])
  const { version } = JSON.parse(readFileSync(join(root, 'widget/package.json'), 'utf8')) as { version: string }
  // A static host serves the versioned path from this folder; the edge serves both paths from the flat files.
  const pinned = join(dist, version)
  const files = readdirSync(dist).filter((name) => /\.js(\.map)?$/.test(name))
  const scripts = files.filter((name) => name.endsWith('.js'))
  const hashes = Object.fromEntries(scripts.map((name) => [name, hashOf(readFileSync(join(dist, name)))]))
  writeFileSync(join(dist, 'integrity.json'), `${JSON.stringify({ version, files: hashes }, null, 2)}\n`)
  for (const name of [...files, 'integrity.json']) cpSync(join(dist, name), join(pinned, name))
  writePackage(root, join(dist, 'package'))
  for (const folder of [dist, pinned, join(dist, 'package')]) {
    cpSync(join(root, 'widget/themes'), join(folder, 'themes'), { recursive: true })
  }
}

/** Returns the hash that the attribute `integrity` of a script takes. */
function hashOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}
