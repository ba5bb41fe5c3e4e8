// The widget as it was before a certain change, from the history of the repository, built by another bundler with all of its names: the other version that a site may have beside this one.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { fetchFullHistory, git } from '../../edge/test/support/git-history.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** What it calls itself. */
const VERSION = '0.0.9'

export interface FormerVersion {
  /** Its scripts by the paths where a site serves them: `/<name>/…`. */
  files: Record<string, string>
  /** The one script, which defines the tag. Imported, as a tag with `src` would do. */
  script: string
  /** A bundle of the package, which defines `<name>-center`. */
  bundle: string
}

/** That of the commit before the one that added this file of the widget. Throws when the history does not reach back to it. */
export async function buildFormerVersion(name: string, added: string): Promise<FormerVersion> {
  await fetchFullHistory()
  const found = await git('log', '--reverse', '--diff-filter=A', '--format=%h', 'HEAD', '--', added)
  const first = found.split('\n')[0] ?? ''
  if (first === '') throw new Error(`No commit of this history added ${added}.`)
  const folder = mkdtempSync(join(tmpdir(), 'former-widget-'))
  try {
    const archive = join(folder, 'sources.tar')
    await git('archive', '--output', archive, `${first}^`, 'contract', 'widget')
    await promisify(execFile)('tar', ['-x', '-f', archive, '-C', folder])
    // Its own sources, our libraries.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    return {
      files: { ...(await buildScript(folder, name)), ...(await buildBundle(folder, name)) },
      script: `/${name}/notification-center.js`,
      bundle: `/${name}/bundle/bundle.js`,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The parts by their names in `script.ts`, as the build makes them. */
const PARTS = {
  extras: 'elements/panel/extras.ts',
  rare: 'elements/panel/rare.ts',
  long: 'elements/panel/long/long-list.ts',
  settings: 'elements/panel/settings/settings.ts',
  placing: 'elements/panel/placing.ts',
  debug: 'elements/debug/debug.ts',
  realtime: 'transport/realtime.ts',
  touch: 'elements/panel/touch/swipe.ts',
}

async function buildScript(folder: string, name: string): Promise<Record<string, string>> {
  const widget = join(folder, 'widget')
  writeFileSync(
    join(widget, 'everyday.ts'),
    `export * from './inbox/inbox-core.ts'\nexport * from './elements/panel/panel.ts'\n`,
  )
  const parts = Object.entries({ everyday: 'everyday.ts', ...PARTS }).filter(([, path]) =>
    existsSync(join(widget, path)),
  )
  const languages = readdirSync(join(widget, 'locales'))
    .map((name) => name.slice(0, -3))
    .filter((tag) => /^[a-z]{2}(-[A-Z][A-Za-z]+)?$/.test(tag) && tag !== 'en')
  return {
    ...(await bundle(folder, `/${name}`, { 'notification-center': join(widget, 'script.ts') }, false)),
    ...(await bundle(folder, `/${name}/${VERSION}`, {
      ...Object.fromEntries(parts.map(([name, path]) => [name, join(widget, path)])),
      ...Object.fromEntries(languages.map((tag) => [`lang-${tag}`, join(widget, `locales/${tag}.ts`)])),
    })),
  }
}

async function buildBundle(folder: string, name: string): Promise<Record<string, string>> {
  const entry = join(folder, 'widget/bundle.ts')
  writeFileSync(entry, `import { define } from './index.ts'\ndefine('${name}-center')\n`)
  return bundle(folder, `/${name}/bundle`, { bundle: entry })
}

async function bundle(
  folder: string,
  path: string,
  entryPoints: Record<string, string>,
  splitting = true,
): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints,
    splitting,
    absWorkingDir: folder,
    outdir: join(folder, 'out'),
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { __VERSION__: JSON.stringify(VERSION) },
    logLevel: 'warning',
  })
  return Object.fromEntries(outputFiles.map((file) => [path + file.path.slice(join(folder, 'out').length), file.text]))
}
