// Finds the enrichers that a definition names and its environment lacks: their steps fail until they are added.

import type { MailWarning } from '../../../contract/resources/mail.ts'
import type { Core } from '../../domain/core.ts'

/** @returns for each definition a warning for each step, with its path */
export type FindMissingEnrichers = (environmentId: number, definitions: readonly object[]) => Promise<MailWarning[][]>

export function createFindMissingEnrichers({ enrichers }: Pick<Core, 'enrichers'>): FindMissingEnrichers {
  return async (environmentId, definitions) => {
    const usesOf = definitions.map((definition) => listUses(definition, ''))
    const names = [...new Set(usesOf.flat().map(({ name }) => name))]
    const known = new Set(names.length === 0 ? [] : await enrichers.findNames(environmentId, names))
    return usesOf.map((uses) => uses.filter(({ name }) => !known.has(name)).map(toWarning))
  }
}

interface Use {
  path: string
  name: string
}

const toWarning = ({ path, name }: Use): MailWarning => {
  return { path, line: null, message: `There is no enricher ${name} here: the step fails until it is added.` }
}

/** Steps may be inside branches and waits. */
function listUses(value: unknown, path: string): Use[] {
  if (typeof value !== 'object' || value === null) return []
  const isStep = 'type' in value && value.type === 'enrich' && 'enricher' in value && typeof value.enricher === 'string'
  const own = isStep ? [{ path: `${path}.enricher`, name: String(value.enricher) }] : []
  const inner = Object.entries(value).flatMap(([key, one]) =>
    listUses(one, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  )
  return [...own, ...inner]
}
