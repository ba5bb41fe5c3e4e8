// Finds a Chromium for the browser tests, or installs one, and says what it does. Plain JavaScript, because the
// configuration of web-test-runner imports it without a loader.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
]

/** Flags that keep a headless Chromium quiet and alone, in a container too. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

let found

/**
 * The path of a Chromium: CHROME_PATH, the usual places, Debian's package when root, Playwright's download. Asked for
 * once in a process; child processes find it in CHROME_PATH.
 */
export function findChromium({ env = process.env, say = (line) => process.stderr.write(`${line}\n`) } = {}) {
  found ??= search(env, say).catch((error) => {
    found = undefined
    throw error
  })
  return found
}

async function search(env, say) {
  const given = env.CHROME_PATH
  if (given !== undefined && given !== '') {
    if (!isExecutable(given)) throw new Error(`CHROME_PATH names ${given}, which cannot be run.`)
    return given
  }
  const path = findInPlaces(env) ?? playwrightPath() ?? installFromDebian(env, say) ?? downloadByPlaywright(say)
  if (path === undefined) throw new Error('No Chromium here and none could be installed. Set CHROME_PATH to one.')
  say(`Chromium: ${path}`)
  env.CHROME_PATH = path
  return path
}

/** The first Chromium in PATH and the usual places. */
export function findInPlaces(env, places = PLACES) {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), ...places]
  for (const folder of folders) {
    for (const name of [...NAMES, 'Google Chrome', 'Chromium']) {
      if (isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return undefined
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installFromDebian(env, say) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  say('No Chromium found: installing Debian’s package (apt-get install chromium).')
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options).status === 0
  const isInstalled = install() || (spawnSync('apt-get', ['update'], options).status === 0 && install())
  return isInstalled ? findInPlaces(env) : undefined
}

function downloadByPlaywright(say) {
  say('No Chromium found: downloading Playwright’s.')
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  const run = spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return run.status === 0 ? playwrightPath() : undefined
}

function playwrightPath() {
  const probe = `import(${JSON.stringify(playwrightEntry())}).then(({ chromium }) => process.stdout.write(chromium.executablePath()))`
  const run = spawnSync(process.execPath, ['-e', probe], { encoding: 'utf8' })
  return run.status === 0 && isExecutable(run.stdout) ? run.stdout : undefined
}

function playwrightEntry() {
  const require = createRequire(import.meta.url)
  return pathToFileURL(join(dirname(require.resolve('playwright-core/package.json')), 'index.mjs')).href
}
