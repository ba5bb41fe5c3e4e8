// Rule: imports go down the picture and packages stay behind their fences (house rule 1), seen by dependency-cruiser.
// TypeScript 7 has no JS API, so it parses with swc; `import('…').Type` in place, which swc's walk misses, is forbidden.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ICruiseResult } from 'dependency-cruiser'
import { FENCES, LAYERS, type Layer } from './layers.ts'
import { isNode, isTest, type Node, type Source, treeOf, type Violation } from './source.ts'

/** One import as written and as found. */
export interface Import {
  from: string
  name: string
  /** From the root; undefined for packages and Node's own modules. */
  to: string | undefined
  isMissing: boolean
}

/** All imports of the folders, and the circles among them. */
export async function readImports(
  root: string,
  folders: string[],
): Promise<{ imports: Import[]; circles: string[][] }> {
  // In a process of its own: the loader that runs these tools gives dependency-cruiser another shape of swc's visitor.
  const program = fileURLToPath(
    new URL('../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url),
  )
  const command = [program, ...folders]
  const config = fileURLToPath(new URL('../../.dependency-cruiser.json', import.meta.url))
  const options = { cwd: root, maxBuffer: 256 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } }
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [...command, '-c', config, '-T', 'json'], options, (error, stdout, stderr) => {
      // It exits with the number of its errors; those are in the output.
      if (stdout.startsWith('{')) resolve(stdout)
      else {
        const ending = `${error?.signal ?? error?.code ?? 'no fault'}, ${stdout.length} characters of output`
        reject(new Error(`dependency-cruiser failed (${ending}): ${stderr}`, { cause: error }))
      }
    })
  })
  const result = JSON.parse(output) as ICruiseResult
  return { imports: importsOf(result), circles: circlesOf(result) }
}

function importsOf({ modules }: ICruiseResult): Import[] {
  return modules
    .filter(({ source }) => !source.includes('node_modules') && /\.m?[jt]s$/.test(source))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ module: name, resolved, couldNotResolve }) => ({
        from: source,
        name,
        to: name.startsWith('.') || LAYERS.some(({ files }) => new RegExp(files).test(resolved)) ? resolved : undefined,
        isMissing: couldNotResolve,
      })),
    )
}

function circlesOf({ summary }: ICruiseResult): string[][] {
  return summary.violations.map(({ from, cycle }) => [from, ...(cycle ?? []).map(({ name }) => name)])
}

/** The findings on a list of imports; pure, so that a test can give any. */
export function checkImports(imports: Import[]): Violation[] {
  return imports.flatMap((one) => {
    const message = faultOf(one)
    return message === undefined ? [] : [{ rule: 'imports', path: one.from, message, level: 'error' as const }]
  })
}

/** Circles at run time; `isTypeOnly` tells of an import that is gone after the types are erased, so that it closes none. */
export function checkCircles(
  circles: string[][],
  isTypeOnly: (from: string, to: string) => boolean = () => false,
): Violation[] {
  const seen = new Set<string>()
  return circles.flatMap((circle) => {
    const key = [...new Set(circle)].sort().join()
    if (seen.has(key) || circle.some((from, at) => isTypeOnly(from, circle[at + 1] ?? ''))) return []
    seen.add(key)
    const path = circle[0] as string
    return [{ rule: 'no circles', path, message: `imports itself: ${circle.join(' → ')}`, level: 'error' as const }]
  })
}

function faultOf({ from, name, to, isMissing }: Import): string | undefined {
  if (isMissing && name.startsWith('.')) return `"${name}" is not there`
  if (to === undefined) return isTest(from) ? undefined : fencedOff(from, name)
  const layer = layerOf(from)
  if (layer === undefined || isTest(from)) return testFault(from, to)
  if (isTest(to)) return `"${name}" is a test`
  const allowed = [...(layer.isAlone === true ? [] : ['^contract/']), layer.files, ...layer.mayImport]
  return allowed.some((pattern) => new RegExp(pattern).test(to)) ? undefined : `${layer.name} may not look at ${to}`
}

// A test sees its whole package, and no other one's inside.
function testFault(from: string, to: string): string | undefined {
  const [home, target] = [from.split('/')[0], to.split('/')[0]]
  const isFree = home === target || home === 'tools' || /^(contract|tools)\/|^edge\/test\/support\//.test(to)
  return isFree || to.endsWith('/index.ts') || !isTest(from)
    ? undefined
    : `a test of ${home} may not look into ${target}`
}

function fencedOff(from: string, name: string): string | undefined {
  const fence = FENCES.find(({ packages }) => new RegExp(packages).test(name))
  if (fence === undefined || new RegExp(fence.allowed).test(from)) return undefined
  return `the package ${name} is fenced: only ${fence.allowed} may import it`
}

function layerOf(path: string): Layer | undefined {
  return LAYERS.find(({ files }) => new RegExp(files).test(path))
}

/** Which files are imported for their types alone, read from the trees: dependency-cruiser does not tell with swc. */
export function typeOnlyImports(sources: Source[], imports: Import[]): (from: string, to: string) => boolean {
  const names = new Map(imports.map(({ from, name, to }) => [`${from} ${to}`, name]))
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return (from, to) => {
    const [source, name] = [byPath.get(from), names.get(`${from} ${to}`)]
    if (source === undefined || name === undefined) return false
    const statements = (treeOf(source).body as Node[]).filter(({ source: path }) => isNode(path) && path.value === name)
    return statements.length > 0 && statements.every((node) => node.importKind === 'type' || node.exportKind === 'type')
  }
}
