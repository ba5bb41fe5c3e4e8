// Packs the widget and the SDKs into `release/packages`, as their registries take them, with checksums.
// The same commit and the same packages give the same bytes.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from '../programs/programs.ts'

/** Empties `folder`, and writes the packages of the checkout `root` into it. @throws when a program is missing or fails */
export function writePackages(root: string, folder: string, version: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  packByNpm(root, folder)
  deployByMaven(root, join(folder, 'maven'))
  // Composer takes what git exports; of a commit, so that the times are those of the commit.
  const php = join(folder, `notification-center-php-${version}.tar.gz`)
  run('git', ['archive', '--format=tar.gz', '--output', php, 'HEAD'], join(root, 'sdk/php'))
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder))
}

function packByNpm(root: string, folder: string): void {
  run(process.execPath, ['--import', 'tsx', 'tools/build.ts', 'widget', 'sdk/node'], root)
  for (const path of ['widget/dist/package', 'sdk/node']) {
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], join(root, path))
  }
}

/** Writes both artifacts in the layout of a repository of Maven, as Maven Central takes them but for their signatures. */
function deployByMaven(root: string, folder: string): void {
  // Together, because one needs the other and neither is in a registry.
  const artifacts = ':notification-center,:notification-center-json-schema'
  const project = ['--file', 'tools/test/java/pom.xml', '--projects', artifacts]
  const target = `-DaltDeploymentRepository=release::file://${folder}`
  const flags = ['--batch-mode', '--no-transfer-progress', '--quiet', '-Dmaven.test.skip=true', target]
  // Without `clean`, classes of removed sources would stay.
  run(programPath('maven'), [...flags, ...project, 'clean', 'deploy'], root, { JAVA_HOME: programPath('java') })
  // A repository keeps its own lists of versions, with the time.
  for (const path of filesOf(folder)) if (/maven-metadata\.xml/.test(path)) rmSync(join(folder, path))
}

function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
}

function sumsOf(folder: string): string {
  const hash = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
  return filesOf(folder)
    .map((path) => `${hash(path)}  ${path}\n`)
    .join('')
}

/** Returns the paths of all files below the folder, sorted. */
export function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
}
