// Finds Firefox ESR and WebKitGTK for the widget's tests, or installs Debian's packages on CI, and says what it does (docs/testing.md).

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, isExecutable } from './executable.ts'

const LIBRARIES = '/usr/lib'

export interface WebKitPrograms {
  driver: string
  miniBrowser: string
  /** WebKitGTK has no mode without windows. */
  xvfb: string
}

export function findFirefox(): string | undefined {
  return findProgram('firefox-esr') ?? findProgram('firefox')
}

export function findWebKit(): WebKitPrograms | undefined {
  const [driver, xvfb, miniBrowser] = [findProgram('WebKitWebDriver'), findProgram('Xvfb'), findMiniBrowser()]
  if (driver === undefined || xvfb === undefined || miniBrowser === undefined) return undefined
  return { driver, miniBrowser, xvfb }
}

/** Debian's packages that are missing here. */
export function missingPackages(): string[] {
  return [
    ...(findFirefox() === undefined ? ['firefox-esr'] : []),
    ...(findProgram('WebKitWebDriver') === undefined || findMiniBrowser() === undefined ? ['webkit2gtk-driver'] : []),
    ...(findProgram('Xvfb') === undefined ? ['xvfb'] : []),
  ]
}

/** On CI what is missing is installed; elsewhere it is only said, as these browsers are large. */
export function provideBrowsers(isCi: boolean, say: (line: string) => void): void {
  const packages = missingPackages()
  if (packages.length === 0) return
  if (isCi && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`Missing: ${packages.join(', ')}. Installing Debian’s packages.`)
    const begun = performance.now()
    installFromDebian(packages)
    say(`Took ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
  }
  const still = missingPackages()
  if (still.length > 0) say(`Not installed here: ${still.join(', ')}. The tests in these browsers do not run.`)
}

function installFromDebian(packages: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
  const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...packages)
  if (!install() && apt('update')) install()
}

/** `/usr/lib/<machine>/webkit2gtk-<version>/MiniBrowser`, of the newest. */
function findMiniBrowser(): string | undefined {
  const within = (folder: string): string[] => {
    try {
      return readdirSync(folder).map((name) => join(folder, name))
    } catch {
      return []
    }
  }
  return within(LIBRARIES)
    .filter((path) => path.endsWith('-gnu') || path.endsWith('-musl'))
    .flatMap(within)
    .filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path))
    .sort()
    .reverse()
    .map((path) => join(path, 'MiniBrowser'))
    .find(isExecutable)
}
