// Compares the figures of `docs/architecture.md` with the imports of the code and with the table of their journey.

import type { ICruiseResult } from 'dependency-cruiser'
import type { Violation } from './source.ts'

const PAGE = 'docs/architecture.md'
const NODE = /(\w+)\["([\w./-]+)"\]/g
const ARROW = /^(\w+)(?:\["[^"]*"\])?\s*(-->|-\.->)\s*(?=(\w+))/

/** Returns the files that each file imports. */
export function importsOf({ modules }: ICruiseResult): Map<string, Set<string>> {
  return new Map(
    modules.map(({ source, dependencies }) => [source, new Set(dependencies.map(({ resolved }) => resolved))]),
  )
}

/**
 * Checks each section with a Mermaid flowchart: a solid arrow is an import, a dotted one is none, and the files are
 * those of the section's table.
 */
export function checkFigures(architecture: string, imports: Map<string, Set<string>>): Violation[] {
  const sections = architecture.split(/^## /m).filter((section) => section.includes('```mermaid'))
  const messages = sections.flatMap((section) => {
    const figure = /```mermaid\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
    const files = new Map([...figure.matchAll(NODE)].map(([, name, path]) => [name as string, path as string]))
    const tabled = new Set([...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path]) => path as string))
    return [
      ...arrowsOf(figure).flatMap((arrow) => faultOf(arrow, files, imports)),
      ...[...files.values()].filter((path) => !imports.has(path)).map((path) => `the figure's ${path} is not there`),
      ...differences(new Set(files.values()), tabled),
    ]
  })
  return (sections.length > 0 ? messages : ['there is no figure']).map((message) => ({
    rule: 'figure',
    path: PAGE,
    message,
    level: 'error',
  }))
}

interface Arrow {
  from: string
  to: string
  isImport: boolean
}

/** Reads `a --> b -.-> c` as two arrows. */
function arrowsOf(figure: string): Arrow[] {
  return figure.split('\n').flatMap((line) => {
    const arrows: Arrow[] = []
    let rest = line.trim()
    for (let found = ARROW.exec(rest); found !== null; found = ARROW.exec(rest)) {
      const [whole, from, kind, to] = found
      arrows.push({ from: from as string, to: to as string, isImport: kind === '-->' })
      rest = rest.slice(whole.length)
    }
    return arrows
  })
}

function faultOf({ from, to, isImport }: Arrow, files: Map<string, string>, imports: Map<string, Set<string>>) {
  const [source, target] = [files.get(from), files.get(to)]
  if (source === undefined || target === undefined) return [`the figure's arrow ${from} → ${to} has no file`]
  if ((imports.get(source)?.has(target) ?? false) === isImport) return []
  return [isImport ? `${source} does not import ${target}` : `${source} imports ${target}: draw a solid arrow`]
}

function differences(drawn: Set<string>, tabled: Set<string>): string[] {
  return [
    ...[...drawn].filter((path) => !tabled.has(path)).map((path) => `${path} is in the figure and not in the table`),
    ...[...tabled].filter((path) => !drawn.has(path)).map((path) => `${path} is in the table and not in the figure`),
  ]
}
