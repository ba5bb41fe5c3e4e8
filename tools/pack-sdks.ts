// Packs the three SDKs into one folder, as their registries take them (`npm run sdks:pack -- <folder>`).

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programPath } from './programs/programs.ts'

const ROOT = resolve(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? 'sdk/dist')
mkdirSync(folder, { recursive: true })

function run(program: string, args: string[], cwd: string, env = {}): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${program} ended with ${status ?? error?.message}.`)
}

run('npm', ['pack', '--pack-destination', folder], join(ROOT, 'sdk/node'))

// Together, because one needs the other and neither is in a registry.
const artifacts = ':notification-center,:notification-center-json-schema'
const project = ['--file', 'tools/test/java/pom.xml', '--projects', artifacts]
const args = ['--batch-mode', '--no-transfer-progress', '--quiet', ...project, '-DskipTests', 'package']
run(programPath('maven'), args, ROOT, { JAVA_HOME: programPath('java') })
for (const target of ['sdk/java/target', 'sdk/java-json-schema/target'].map((path) => join(ROOT, path))) {
  const jars = readdirSync(target).filter((name) => name.endsWith('.jar'))
  for (const name of jars) copyFileSync(join(target, name), join(folder, name))
}

// Composer takes a package from the repository; this is what it takes.
const php = ['archive', '--format=zip', '--output', join(folder, 'notification-center-php.zip'), 'HEAD:sdk/php']
run('git', php, ROOT)
console.log(readdirSync(folder).join('\n'))
