// Lists the programs that tests, the cluster and benchmarks start: where to find each, and which packages install it.

import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inFolders, inPath, isExecutable, isReadable, listFolder } from './folders.ts'

export interface Program {
  title: string
  /** Returns the path, or undefined when the program is missing. */
  find(): string | undefined
  /** Where `find` is content with another program: returns the path of the one that is installed when that is possible. */
  findBest?(): string | undefined
  debian: string[]
  fedora: string[]
  /** Empty where macOS has no package, or includes the program. */
  macOs: string[]
  /** Tests that need it are skipped when it is missing; on CI they fail. */
  isOptional?: true
}

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const APPLICATIONS = '/Applications'

/** Flags for a headless Chromium without background work, also in a container. */
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

export const PROGRAMS = {
  chromium: {
    title: 'Chromium',
    find: findChromium,
    debian: ['chromium'],
    fedora: ['chromium'],
    macOs: ['google-chrome'],
  },
  /** Chromium without its window: it takes a third to a half less processor time, has no notifications and no back/forward cache, and Tab ends at the last element. */
  headlessChromium: {
    title: 'Chromium’s headless shell',
    find: () => findShell() ?? findChromium(),
    // A run that needed Chromium alone has installed that.
    findBest: () => process.env.CHROME_PATH || findShell(),
    debian: ['chromium-headless-shell'],
    fedora: ['chromium-headless'],
    macOs: ['google-chrome'],
  },
  firefox: {
    title: 'Firefox',
    find: () => inFolders(['firefox-esr', 'firefox'], `${APPLICATIONS}/Firefox.app/Contents/MacOS`),
    debian: ['firefox-esr'],
    fedora: ['firefox'],
    macOs: ['firefox'],
    isOptional: true,
  },
  webKit: {
    title: 'WebKitGTK’s driver',
    find: () => (findMiniBrowser() === undefined ? undefined : inFolders(['WebKitWebDriver'])),
    debian: ['webkit2gtk-driver'],
    fedora: ['webkitgtk6.0'],
    macOs: [],
    isOptional: true,
  },
  xvfb: {
    title: 'Xvfb',
    find: () => inFolders(['Xvfb']),
    debian: ['xvfb'],
    fedora: ['xorg-x11-server-Xvfb'],
    macOs: [],
    isOptional: true,
  },
  postgres: {
    title: 'PostgreSQL',
    find: findPostgres,
    debian: ['postgresql'],
    fedora: ['postgresql-server'],
    macOs: ['postgresql@17'],
  },
  redis: {
    title: 'Redis',
    find: () => inFolders(['redis-server']),
    debian: ['redis-server'],
    fedora: ['redis'],
    macOs: ['redis'],
  },
  haproxy: sameName('HAProxy', 'haproxy'),
  nginx: sameName('nginx', 'nginx'),
  caddy: sameName('Caddy', 'caddy'),
  systemd: {
    title: 'systemd',
    find: () => inFolders(['systemd-analyze']),
    debian: ['systemd'],
    fedora: ['systemd'],
    macOs: [],
  },
  /** Its packages have `promtool` beside it. */
  prometheus: sameName('Prometheus', 'prometheus'),
  /** Podman looks for the last three in a folder of its own. */
  containers: {
    title: 'Podman with its networks, Buildah, runc and mmdebstrap',
    find: () => {
      const found = ['buildah', 'runc', 'mmdebstrap', 'strip', 'netavark', 'aardvark-dns', 'catatonit'].every(
        (name) => inFolders([name], '/usr/sbin', '/usr/lib/podman', '/usr/libexec/podman') !== undefined,
      )
      return found ? inFolders(['podman']) : undefined
    },
    debian: ['podman', 'buildah', 'runc', 'mmdebstrap', 'binutils', 'netavark', 'aardvark-dns', 'catatonit'],
    fedora: ['podman', 'buildah', 'runc', 'mmdebstrap', 'binutils', 'netavark', 'aardvark-dns', 'catatonit'],
    macOs: ['podman'],
  },
  pip: {
    title: 'pip of Python',
    find: () => inFolders(['pip3']),
    debian: ['python3-pip'],
    fedora: ['python3-pip'],
    macOs: ['python'],
  },
  /** 1.22 or later: it builds Helm. */
  go: {
    title: 'Go',
    find: () => inFolders(['go'], '/usr/local/go/bin'),
    debian: ['golang-go'],
    fedora: ['golang'],
    macOs: ['go'],
  },
  openssl: sameName('OpenSSL', 'openssl'),
  java: {
    title: 'JDK 17',
    find: findJdk,
    debian: ['default-jdk-headless'],
    fedora: ['java-latest-openjdk-devel'],
    macOs: ['openjdk'],
  },
  maven: {
    title: 'Maven',
    find: () => inFolders(['mvn']),
    debian: ['maven'],
    fedora: ['maven'],
    macOs: ['maven'],
  },
  php: {
    title: 'PHP with PHPUnit, Composer, Guzzle and Laravel’s router',
    find: findPhp,
    debian: [
      ...['php-cli', 'php-curl', 'php-mbstring', 'php-xml', 'composer', 'phpunit', 'php-guzzlehttp-guzzle'],
      ...['php-illuminate-config', 'php-illuminate-events', 'php-illuminate-http', 'php-illuminate-routing'],
      ...['php-vlucas-phpdotenv', 'php-symfony-var-dumper'],
    ],
    // The libraries come by `composer install` in sdk/php.
    fedora: ['php-cli', 'php-mbstring', 'php-xml', 'composer'],
    macOs: ['php', 'composer'],
  },
} satisfies Record<string, Program>

/** Returns a program that each system has in a package of its name. Debian installs some for administrators. */
function sameName(title: string, name: string): Program {
  return { title, find: () => inFolders([name], '/usr/sbin'), debian: [name], fedora: [name], macOs: [name] }
}

export type ProgramName = keyof typeof PROGRAMS

/**
 * Returns the path of the executable; for PostgreSQL the folder with `postgres`, `initdb` and `psql`; for Java the home
 * of the JDK.
 */
export function findProgram(name: ProgramName): string | undefined {
  return PROGRAMS[name].find()
}

/** Returns the path like `findProgram`. @throws with the commands that install the program when it is missing */
export function programPath(name: ProgramName): string {
  const path = findProgram(name)
  if (path === undefined) throw new Error(describeMissing([PROGRAMS[name]]))
  return path
}

export interface WebKitPrograms {
  driver: string
  miniBrowser: string
  /** Xvfb is needed because WebKitGTK has no headless mode. */
  xvfb: string
}

export function findWebKit(): WebKitPrograms | undefined {
  const [driver, xvfb, miniBrowser] = [findProgram('webKit'), findProgram('xvfb'), findMiniBrowser()]
  if (driver === undefined || xvfb === undefined || miniBrowser === undefined) return undefined
  return { driver, miniBrowser, xvfb }
}

/** Returns one message with the names and the install command of each system. */
export function describeMissing(missing: Program[]): string {
  const packages = (system: 'debian' | 'fedora' | 'macOs') => missing.flatMap((program) => program[system]).join(' ')
  const lines = [
    `Not installed here: ${missing.map(({ title }) => title).join(', ')}. Install what is missing, then run this again.`,
    `  Debian: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages('debian')}`,
    `  Fedora: sudo dnf install -y ${packages('fedora')}`,
    ...(packages('macOs') === '' ? [] : [`  macOS:  brew install ${packages('macOs')}`]),
  ]
  return lines.join('\n')
}

/** CHROME_PATH has precedence. */
function findShell(): string | undefined {
  return (process.env.CHROME_PATH ?? '') === '' ? inFolders(['chromium-headless-shell']) : undefined
}

/** CHROME_PATH has precedence. */
function findChromium(): string | undefined {
  const given = process.env.CHROME_PATH
  if (given === undefined || given === '') {
    const applications = ['Google Chrome', 'Chromium'].map(
      (name) => `${APPLICATIONS}/${name}.app/Contents/MacOS/${name}`,
    )
    return inFolders(CHROMIUM_NAMES, '/snap/bin', '/opt/google/chrome') ?? applications.find(isExecutable)
  }
  if (!isExecutable(given)) throw new Error(`CHROME_PATH names ${given}, which cannot be run.`)
  return given
}

/** Looks in PATH, then for Debian's newest version, then for Homebrew's. */
function findPostgres(): string | undefined {
  const library = '/usr/lib/postgresql'
  const versions = listFolder(library).sort((a, b) => Number(basename(b)) - Number(basename(a)))
  const folders = [
    ...inPath(),
    '/usr/bin',
    ...versions.map((path) => join(path, 'bin')),
    '/opt/homebrew/opt/postgresql@17/bin',
  ]
  return folders.find((folder) => ['postgres', 'initdb', 'psql'].every((name) => isExecutable(join(folder, name))))
}

/** The SDK is compiled for this version. */
const OLDEST_JAVA = 17

/** Looks in JAVA_HOME, then for the `javac` of PATH, then for Debian's newest version. */
function findJdk(): string | undefined {
  const compiler = inFolders(['javac'])
  const inPlace = compiler === undefined ? [] : [dirname(dirname(realpathSync(compiler)))]
  const homes = [process.env.JAVA_HOME ?? '', ...inPlace, ...listFolder('/usr/lib/jvm').sort().reverse()]
  return homes.find((home) => home !== '' && isExecutable(join(home, 'bin/javac')) && javaVersion(home) >= OLDEST_JAVA)
}

/** Reads the file that each JDK has. @returns 0 for another folder */
function javaVersion(home: string): number {
  try {
    const version = /^JAVA_VERSION="(\d+)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1]
    return Number(version ?? 0)
  } catch {
    return 0
  }
}

const SDK_PHP_VENDOR = join(import.meta.dirname, '../../sdk/php/vendor')

/** Looks for PHP, and for its libraries in the SDK's `vendor`, then among Debian's packages. */
function findPhp(): string | undefined {
  const php = inFolders(['php'])
  const isComplete = isExecutable(join(SDK_PHP_VENDOR, 'bin/phpunit')) || hasDebianPhp()
  return inFolders(['composer']) !== undefined && isComplete ? php : undefined
}

/** Returns PHPUnit's script: the SDK's own after `composer install`, else Debian's. */
export function phpunitPath(): string {
  const own = join(SDK_PHP_VENDOR, 'bin/phpunit')
  return isExecutable(own) ? own : (inFolders(['phpunit']) ?? 'phpunit')
}

function hasDebianPhp(): boolean {
  const libraries = ['GuzzleHttp', 'Illuminate/Config', 'Illuminate/Events', 'Illuminate/Http', 'Illuminate/Routing']
  const all = [...libraries, 'Dotenv', 'Symfony/Component/VarDumper']
  const hasLibraries = all.every((name) => listFolder(join('/usr/share/php', name)).length > 0)
  const hasCurl = listFolder('/etc/php').some((version) => isReadable(join(version, 'cli/conf.d/20-curl.ini')))
  return hasLibraries && hasCurl && inFolders(['phpunit']) !== undefined
}

/** Looks for `/usr/lib/<machine>/webkit2gtk-<version>/MiniBrowser` (newest) and Fedora's path in /usr/libexec. */
function findMiniBrowser(): string | undefined {
  const machines = listFolder('/usr/lib').filter((path) => path.endsWith('-gnu') || path.endsWith('-musl'))
  return [...machines, '/usr/libexec']
    .flatMap(listFolder)
    .filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path))
    .sort()
    .reverse()
    .map((path) => join(path, 'MiniBrowser'))
    .find(isExecutable)
}
