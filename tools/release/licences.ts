// Lists the packages of a release (SBOM), checks their licences against a list, and writes the notices of all.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Licence {
  license?: { id?: string; name?: string }
  expression?: string
}

export interface Component {
  name: string
  version: string
  'bom-ref': string
  licenses?: Licence[]
}

/** What we read of a CycloneDX document. */
export interface Sbom {
  serialNumber?: string
  metadata: { timestamp?: string; component: { name: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Licences that allow to pass on the code with its notice. Another one needs a person's decision. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
])

const WORKSPACES = ['edge', 'widget', 'dashboard']
const OURS = /^@notification-center\//

/** Asks npm for all packages that the server, the widget and the dashboard use. @returns the same document each time */
export function readSbom(root: string): Sbom {
  const workspaces = WORKSPACES.flatMap((name) => ['--workspace', name])
  const args = ['sbom', '--omit=dev', '--sbom-format', 'cyclonedx', ...workspaces]
  const { serialNumber: _, ...sbom } = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  ) as Sbom
  const { timestamp: __, ...metadata } = sbom.metadata
  // npm takes the name of the folder.
  metadata.component.name = 'notification-center'
  return {
    ...sbom,
    metadata,
    components: sbom.components
      .filter(({ name, 'bom-ref': ref }) => !OURS.test(ref) && !WORKSPACES.includes(name))
      .sort((a, b) => compare(a['bom-ref'], b['bom-ref'])),
    dependencies: sbom.dependencies.sort((a, b) => compare(a.ref, b.ref)),
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** @returns the licence as an SPDX expression; '' for a package that names none */
export function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ')
}

/** Understands `A`, `(A OR B)` and `A AND B`: of alternatives one must be allowed, of others all. */
export function isAllowed(expression: string): boolean {
  const parts = expression.replace(/[()]/g, '').split(' AND ')
  if (parts.length > 1 && expression.includes(' OR ')) return false
  return parts.every((part) => part.split(' OR ').some((id) => ALLOWED.has(id)))
}

/** @throws with all packages whose licence is not allowed or unknown */
export function refuseUnknown(components: Component[]): void {
  const refused = components.filter((component) => !isAllowed(licenceOf(component)))
  if (refused.length === 0) return
  const lines = refused.map((component) => `  ${component['bom-ref']}: ${licenceOf(component) || 'none'}`)
  throw new Error(`These licences are not in the list of tools/release/licences.ts:\n${lines.join('\n')}`)
}

/** @returns the notices: name, version, licence and its text, of each package */
export function writeNotices(root: string, components: Component[]): string {
  const folders = foldersOf(root)
  const notices = components.map((component) => {
    const title = `${component['bom-ref']} (${licenceOf(component)})`
    return [title, ...textsOf(join(root, folders.get(component['bom-ref']) ?? ''))].join('\n\n')
  })
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Returns the folder of each `name@version` of the lock. */
function foldersOf(root: string): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version?: string }>
  }
  const named = Object.entries(packages).map(([folder, { name, version }]): [string, string] => {
    return [`${name ?? folder.split('node_modules/').at(-1)}@${version}`, folder]
  })
  return new Map(named.filter(([, folder]) => existsSync(join(root, folder))))
}

function textsOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim())
}
