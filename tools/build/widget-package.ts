// Completes the widget's package: types, `package.json`, `custom-elements.json`, README, changelog and licence.

import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeElement } from '../../widget/custom-elements.ts'

/** Writes what the package needs besides its scripts. @throws with the compiler's output when the types cannot be written */
export function writePackage(root: string, folder: string): void {
  const widget = join(root, 'widget')
  const frameworks = readdirSync(join(widget, 'frameworks')).map((name) => name.slice(0, -3))
  writeTypes(root, folder, ['index', 'define', 'headless', ...frameworks.map((name) => `frameworks/${name}`)])
  writeFileSync(join(folder, 'types.js'), 'export {}\n')
  writeJson(join(folder, 'package.json'), describePackage(root, frameworks))
  writeJson(join(folder, 'custom-elements.json'), describeElement())
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(widget, name), join(folder, name))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

function writeTypes(root: string, folder: string, entries: string[]): void {
  const flags = `--ignoreConfig --declaration --emitDeclarationOnly --target es2022 --lib ES2023,DOM,DOM.Iterable --types node
    --module esnext --moduleResolution bundler --allowImportingTsExtensions --skipLibCheck --strict`
  const args = [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...flags.split(/\s+/),
    '--rootDir',
    root,
    '--outDir',
    join(folder, 'types'),
  ]
  const sources = entries.map((entry) => join(root, 'widget', `${entry}.ts`))
  const run = spawnSync(process.execPath, [...args, ...sources], { cwd: root, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`The types of the widget could not be written.\n${run.stdout}${run.stderr}`)
  for (const name of readdirSync(join(folder, 'types'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, 'types', name)
    // The compiler keeps the file names of the sources, which the package does not contain.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/((?:from |import\()['"]\..*?)\.ts(['"])/g, '$1.js$2'))
  }
}

/** Describes the built folder: the workspace's own `package.json` names sources, which are not published. */
function describePackage(root: string, frameworks: string[]): object {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
  const own = read('widget/package.json')
  const { homepage, repository, author, license } = read('package.json')
  const exported = (entry: string, name = entry) => ({ types: `./types/widget/${entry}.d.ts`, default: `./${name}.js` })
  // These entries contain types alone; importing one has no effect.
  const typed = (name: string) => ({ types: `./types/widget/frameworks/${name}.d.ts`, default: './types.js' })
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    keywords: ['notifications', 'inbox', 'bell', 'web-component', 'custom-element'],
    homepage,
    repository: { ...(repository as object), directory: 'widget' },
    author,
    license,
    type: 'module',
    sideEffects: ['./define.js', './themes/*.css'],
    customElements: './custom-elements.json',
    exports: {
      '.': exported('index'),
      './define': exported('define'),
      './headless': exported('headless'),
      ...Object.fromEntries(frameworks.map((name) => [`./${name}`, typed(name)])),
      './react-18': exported('frameworks/react-18', 'react-18'),
      './themes/*.css': './themes/*.css',
      './custom-elements.json': './custom-elements.json',
      './package.json': './package.json',
    },
    dependencies: own.dependencies,
    peerDependencies: { react: '>=16.8' },
    peerDependenciesMeta: { react: { optional: true } },
    // A scoped package is private unless this says otherwise.
    publishConfig: { access: 'public' },
  }
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
