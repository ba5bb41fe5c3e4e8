// Runs all rules over the checkout.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSettings } from '../../edge/config.ts'
import {
  checkAnchors,
  checkComments,
  checkJourneys,
  checkLinks,
  checkMetrics,
  checkNamedPaths,
  compareCommands,
  compareNcCommands,
  compareRunbook,
  compareSettings,
  compareTree,
} from './facts.ts'
import { checkFigures, importsOf } from './figure.ts'
import { checkImports, readImports } from './imports.ts'
import { checkLock } from './lock.ts'
import { checkProse } from './prose.ts'
import { compareAddresses, compareVersions, type Manifest } from './published.ts'
import { checkRules } from './rules.ts'
import { isCode, listPaths, readSource, type Source, type Violation } from './source.ts'

/** @returns all findings, errors first */
export async function runChecks(root: string): Promise<Violation[]> {
  const paths = listPaths(root)
  const sources = paths.filter(isCode).map((path) => readSource(root, path))
  const imports = await readImports(root)
  const found = [
    ...checkImports(imports),
    ...checkFigures(readFileSync(join(root, 'docs/architecture.md'), 'utf8'), importsOf(imports)),
    ...checkRules(sources),
    ...checkFacts(root, paths, sources),
    ...checkLock(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))),
  ]
  return found.sort((a, b) => a.level.localeCompare(b.level) || a.path.localeCompare(b.path))
}

function checkFacts(root: string, paths: string[], sources: Source[]): Violation[] {
  const read = (path: string) => (paths.includes(path) ? readFileSync(join(root, path), 'utf8') : '')
  const readme = read('README.md')
  const guides = { 'README.md': readme, 'CONTRIBUTING.md': read('CONTRIBUTING.md') }
  const manifest = JSON.parse(read('package.json')) as Manifest & { scripts: Record<string, string> }
  const pages = paths.filter((path) => path.endsWith('.md'))
  const known = new Set(paths)
  // What people read in a browser or a terminal; tests name commands that do not exist.
  const shown = paths.filter(
    (path) => /^(?:dashboard|demo|edge|tools|widget)\/.*(?<!\.test)\.ts$/.test(path) && !path.includes('/test/'),
  )
  const texts = new Map(pages.map((path) => [path, read(path)]))
  return [
    ...compareSettings(describeSettings(), read('docs/config.md')),
    ...compareCommands(manifest.scripts, guides),
    ...compareVersions(manifest.version ?? '', paths, read),
    ...compareAddresses(manifest, read),
    ...[...pages, ...shown].flatMap((path) => compareNcCommands(path, read(path), read('docs/cli.md'))),
    ...compareTree(readme, paths),
    ...['deploy/monitoring/alerts.yaml', 'deploy/monitoring/board.json', 'docs/runbook.md'].flatMap((path) =>
      checkMetrics(path, read(path), read('docs/operations.md')),
    ),
    ...compareRunbook(read('deploy/monitoring/alerts.yaml'), read('docs/runbook.md')),
    ...checkJourneys(read('docs/architecture.md')),
    ...checkProse(texts.values()),
    ...pages.flatMap((path) => checkLinks(path, read(path), known)),
    ...sources.flatMap(({ path, text }) => checkComments(path, text, texts)),
    ...pages.flatMap((path) => checkAnchors(path, read(path), texts)),
    ...pages.flatMap((path) => checkNamedPaths(path, read(path), known)),
  ]
}
