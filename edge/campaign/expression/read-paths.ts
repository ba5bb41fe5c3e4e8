// Finds in a template, without parsing it, which data it reads. Conditions list theirs themselves.

import { ANY_ITEM } from '../../domain/tracking/property-path.ts'
import { listStatements } from './template-parts.ts'

/** A text in quotation marks, which is no path and ends at the latest with the template, or a name with keys behind it. */
const PATH =
  /"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|$)|'[^'\\]*(?:\\.[^'\\]*)*\\?(?:'|$)|(?<![.\w-])([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*|\[(?:-?\d{1,9}|"[^"]*"|'[^']*')\])*)/gs
const KEY = /\.([\w-]+)|\[(-?\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g
const LOOP = /^for\s+([\w-]+)\s+in\s+(?=[A-Za-z_])/
const ROOTS = ['event', 'events']

/** An element of a loop, with the path of its list; null for what is no data of the event. */
interface Loop {
  name: string
  of: string[] | null
}

/** @returns The paths below the roots that a template reads, such as `['event', 'properties', 'total']`; of a loop with `[]`. */
export function listTemplatePaths(source: string, roots: readonly string[] = ROOTS): string[][] {
  if (!roots.some((root) => source.includes(root))) return []
  const found = new Map<string, string[]>()
  const loops: Loop[] = []
  for (const { tag, inside } of listStatements(source)) {
    if (tag === 'endfor') {
      loops.pop()
      continue
    }
    const paths = pathsIn(inside, loops, roots)
    for (const path of paths) if (path.length > 1) found.set(JSON.stringify(path), path)
    if (tag === 'for') loops.push(toLoop(inside, loops, roots))
  }
  return [...found.values()]
}

function pathsIn(written: string, loops: readonly Loop[], roots: readonly string[]): string[][] {
  return [...written.matchAll(PATH)].flatMap(([, root, keys = '']) => {
    if (root === undefined) return []
    const loop = loops.findLast(({ name }) => name === root)
    const path = [...keys.matchAll(KEY)].map(
      ([, name, index, double, single]) => name ?? index ?? double ?? single ?? '',
    )
    if (loop !== undefined) return loop.of === null ? [] : [[...loop.of, ...path]]
    return roots.includes(root) ? [[root, ...path]] : []
  })
}

function toLoop(inside: string, loops: readonly Loop[], roots: readonly string[]): Loop {
  const [head = inside, name = ''] = LOOP.exec(inside) ?? []
  const [of] = pathsIn(inside.slice(head.length), loops, roots)
  return { name, of: of === undefined ? null : [...of, ANY_ITEM] }
}
