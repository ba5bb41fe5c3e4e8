// Builds the image of the server from this checkout, for tests that run it.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildBase, type ContainerPrograms } from './container-programs.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
export const IMAGE = `localhost/notification-center:${VERSION}`

/** Packs a release and builds its image on a base of Debian's packages. */
export async function buildServerImage(programs: ContainerPrograms): Promise<void> {
  const base = await buildBase(programs)
  const context = join(programs.folder, 'context')
  await programs.call('npm', ['run', '--silent', 'release', join(context, 'release')], ROOT)
  const args = ['--build-arg', `BASE=${base}`, '--build-arg', `VERSION=${VERSION}`, '--tag', IMAGE]
  await programs.build(context, ...args, '--file', join(ROOT, 'deploy/Containerfile'), '.')
}
