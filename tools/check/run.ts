// Runs every rule over the checkout.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../../contract/errors.ts'
import { describeSettings } from '../../edge/config.ts'
import { findMissing } from '../lock.ts'
import {
  checkLinks,
  compareCommands,
  compareDecisions,
  compareErrors,
  compareRoutes,
  compareSettings,
  compareTree,
} from './facts.ts'
import { checkCircles, checkImports, readImports, typeOnlyImports } from './imports.ts'
import { checkNames } from './names.ts'
import { routesOf } from './routes.ts'
import { checkSizes } from './size.ts'
import { isCode, listPaths, readSource, type Source, type Violation } from './source.ts'
import { checkTexts } from './text.ts'

const FOLDERS = ['contract', 'edge', 'widget', 'demo', 'sdk', 'bench', 'tools']

/** All findings, errors first. */
export async function runChecks(root: string): Promise<Violation[]> {
  const paths = listPaths(root)
  const sources = paths.filter(isCode).map((path) => readSource(root, path))
  const { imports, circles } = await readImports(root, FOLDERS)
  const found = [
    ...checkImports(imports),
    ...checkCircles(circles, typeOnlyImports(sources, imports)),
    ...checkSizes(sources),
    ...checkNames(sources),
    ...checkTexts(sources),
    ...checkFacts(root, paths, sources),
    ...checkLock(root),
  ]
  return found.sort((a, b) => a.level.localeCompare(b.level) || a.path.localeCompare(b.path))
}

/** A lock that lacks a platform's package is refused by `npm ci` on every platform. */
function checkLock(root: string): Violation[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return [...findMissing(lock).keys()].map((path) => ({
    rule: 'lock',
    path: 'package-lock.json',
    message: `${path} is missing: run \`node --import tsx tools/complete-lock.ts\``,
    level: 'error',
  }))
}

function checkFacts(root: string, paths: string[], sources: Source[]): Violation[] {
  const read = (path: string) => (paths.includes(path) ? readFileSync(join(root, path), 'utf8') : '')
  const readme = read('README.md')
  const guides = { 'README.md': readme, 'CONTRIBUTING.md': read('CONTRIBUTING.md') }
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const pages = paths.filter((path) => path.endsWith('.md'))
  const known = new Set(paths)
  return [
    ...compareErrors(ERRORS, read('docs/errors.md')),
    ...compareSettings(describeSettings(), read('docs/config.md')),
    ...compareCommands(scripts, guides),
    ...compareTree(readme, paths),
    ...compareRoutes(routesOf(sources), read('docs/api.md')),
    ...compareDecisions(read('docs/decisions/README.md'), paths),
    ...pages.flatMap((path) => checkLinks(path, read(path), known)),
  ]
}
