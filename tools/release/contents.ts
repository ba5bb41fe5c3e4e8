// Lists what the archive of a release contains, and copies it into a folder.

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Built folders. The server reads files of the widget by name, so it needs neither its package nor the folder for a CDN. */
const BUILT = ['edge/dist', 'widget/dist', 'dashboard/dist']
/** Tests leave scripts among the built files. */
const NOT_SERVED = [
  /\.map$/,
  /\.test-script\.js$/,
  /\/\.(build-stamp|vite)$/,
  /^widget\/dist\/(package|\d+\.\d+\.\d+)$/,
]

/** What operators read and install. Their copies of the examples, such as `deploy/.env` with its secrets, are not in git. */
const FOR_OPERATORS = ['deploy', 'docs', '.dockerignore', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md']
const NOT_FOR_OPERATORS = /^docs\/images\/|README\.md$|\.test\./

const SYSTEM = `linux-${process.arch}-gnu`

/** Packages that the bundles load at run time, with the files that they load (`WITH_BINARY` of `tools/build/bundle.ts`). */
const PACKAGES: Record<string, string[]> = {
  'better-sqlite3': ['lib', 'build/Release/better_sqlite3.node'],
  bindings: ['bindings.js'],
  'file-uri-to-path': ['index.js'],
  libsql: ['index.js', 'auth.js', 'sqlite-error.js'],
  [`@libsql/${SYSTEM}`]: ['index.node'],
  '@neon-rs/load': ['dist'],
  'detect-libc': ['lib'],
  mrml: ['nodejs/mrml_wasm.js', 'nodejs/mrml_wasm_bg.wasm'],
  '@css-inline/css-inline': ['index.js', 'js-binding.js'],
  [`@css-inline/css-inline-${SYSTEM}`]: [`css-inline.${SYSTEM}.node`],
  // Its first file is only found by name; the server sends the other one at `/docs`.
  '@scalar/fastify-api-reference': ['dist/index.js', 'dist/js/standalone.js'],
}

/**
 * Copies the built parts, the packages, the commands and the documents from the checkout `root` into `folder`.
 * @throws when a package is not installed here
 */
export function copyContents(root: string, folder: string): void {
  for (const path of BUILT) copyBuilt(root, folder, path)
  for (const [name, files] of Object.entries(PACKAGES)) copyPackage(root, folder, name, files)
  mkdirSync(join(folder, 'bin'))
  for (const name of ['start', 'nc']) {
    cpSync(join(import.meta.dirname, 'bin', name), join(folder, 'bin', name))
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...FOR_OPERATORS], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0').filter((path) => path !== '' && !NOT_FOR_OPERATORS.test(path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
}

function copyBuilt(root: string, folder: string, path: string): void {
  const filter = (source: string) => !NOT_SERVED.some((pattern) => pattern.test(source.slice(root.length + 1)))
  cpSync(join(root, path), join(folder, path), { recursive: true, filter })
}

function copyPackage(root: string, folder: string, name: string, files: string[]): void {
  const source = join(root, 'node_modules', name)
  if (!existsSync(source)) {
    throw new Error(`${name} is not installed here, and a server needs it. Run npm ci on Linux with a C++ compiler.`)
  }
  const licences = readdirSync(source).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  for (const file of [...files, ...licences, 'package.json']) {
    const target = join(folder, 'node_modules', name, file)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(source, file), target, { recursive: true, filter: (path) => !/\.(map|d\.ts)$/.test(basename(path)) })
  }
}
