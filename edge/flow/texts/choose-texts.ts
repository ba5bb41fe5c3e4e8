// Chooses the texts of an environment that a definition uses, and names those that are missing.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { MailWarning } from '../../../contract/resources/mail.ts'
import { type UsedTexts, usedTextsIn } from '../../campaign/expression/used-texts.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { normalizeTag } from '../../domain/tenant/locale-tags.ts'
import { hasMessage, type OpenTexts, readTexts } from './open-texts.ts'

/** Of the texts of one version, in characters: they are loaded with it. */
const MAX_CHARS = 262_144
const TOO_LONG: ErrorDetail = {
  path: '',
  message: `The translations and snippets of a campaign have at most ${MAX_CHARS} characters.`,
}
const MAX_WARNINGS = 100

export interface ChosenTexts {
  /** Undefined: the definition uses none. */
  texts: CampaignTexts | undefined
  /** Translations that a locale lacks, each where it is used. */
  warnings: MailWarning[]
  /** Snippets that are not there, and texts that are too long. */
  faults: ErrorDetail[]
}

/** Chooses the texts of an environment as they are now. */
export type ChooseTexts = (environmentId: number, definition: object) => Promise<ChosenTexts>

/** What a definition names and its environment lacks. */
export interface MissingTexts {
  /** Without them it cannot be saved there. */
  snippets: string[]
  translations: string[]
  /** The texts that it names are there, and more than it may have. It cannot be saved there. */
  tooLong?: string
}

/** Finds what each of these definitions would lack in an environment, by its texts as they are now. */
export type FindMissingTexts = (environmentId: number, definitions: readonly object[]) => Promise<MissingTexts[]>

export function createFindMissingTexts(deps: Parameters<typeof readTexts>[0]): FindMissingTexts {
  return async (environmentId, definitions) => {
    const usesOf = definitions.map((definition) => listUses(definition, ''))
    if (usesOf.every((uses) => uses.length === 0)) return usesOf.map(() => ({ snippets: [], translations: [] }))
    const open = await readTexts(deps, environmentId)
    return usesOf.map((uses) => {
      const { lacking, tooLong, warnings } = findTexts(uses, open)
      const messagesOf = (list: { message: string }[]) => [...new Set(list.map(({ message }) => message))]
      const missing = { snippets: messagesOf(lacking), translations: messagesOf(warnings) }
      return tooLong === undefined ? missing : { ...missing, tooLong: tooLong.message }
    })
  }
}

interface Use {
  path: string
  used: UsedTexts
}

export function createChooseTexts(deps: Parameters<typeof readTexts>[0]): ChooseTexts {
  return async (environmentId, definition) => {
    const uses = listUses(definition, '')
    if (uses.length === 0) return { texts: undefined, warnings: [], faults: [] }
    const { texts, warnings, lacking, tooLong } = findTexts(uses, await readTexts(deps, environmentId))
    return { texts, warnings, faults: tooLong === undefined ? lacking : [...lacking, tooLong] }
  }
}

/** Lists the templates of a definition that use any, wherever they are. */
function listUses(value: unknown, path: string): Use[] {
  if (typeof value === 'string') {
    const used = usedTextsIn(value)
    return used.isOpen || used.keys.length + used.snippets.length > 0 ? [{ path, used }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    listUses(inner, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  )
}

interface FoundTexts extends Omit<ChosenTexts, 'faults'> {
  /** Snippets that are not there. */
  lacking: ErrorDetail[]
  tooLong: ErrorDetail | undefined
}

function findTexts(uses: Use[], open: OpenTexts): FoundTexts {
  const usedBySnippet = new Map([...open.snippets].map(([name, source]) => [name, usedTextsIn(source)]))
  const warnings: MailWarning[] = []
  const lacking: ErrorDetail[] = []
  const keys = new Set<string>()
  const snippets = new Set<string>()
  let isOpen = false
  for (const { path, used } of uses) {
    for (const one of [used, ...withInner(used, usedBySnippet)]) {
      isOpen ||= one.isOpen
      for (const key of one.keys) {
        keys.add(key)
        const lack = [...open.messages.keys()].filter((locale) => !hasMessage(open, locale, key))
        const isNowhere = lack.length === open.messages.size
        const where = isNowhere ? 'in every locale' : `in ${lack.join(', ')}`
        if (isNowhere || lack.length > 0)
          warnings.push({ path, line: null, message: `The translation ${key} is missing ${where}.` })
      }
      for (const name of one.snippets) {
        if (usedBySnippet.has(name)) snippets.add(name)
        else lacking.push({ path, message: `There is no snippet ${name}.` })
      }
    }
  }
  const texts = pick(open, snippets, isOpen ? undefined : keys)
  const tooLong = JSON.stringify(texts).length > MAX_CHARS ? TOO_LONG : undefined
  return { texts, warnings: unique(warnings).slice(0, MAX_WARNINGS), lacking: unique(lacking), tooLong }
}

/** Returns what the snippets of a template use, each once however many ways lead to it. */
function withInner({ snippets }: UsedTexts, usedBySnippet: ReadonlyMap<string, UsedTexts>): UsedTexts[] {
  const names = new Set(snippets)
  // A set that grows is visited to its end.
  for (const name of names) for (const inner of usedBySnippet.get(name)?.snippets ?? []) names.add(inner)
  return [...names].flatMap((name) => usedBySnippet.get(name) ?? [])
}

/** @param keys undefined: all messages */
function pick(open: OpenTexts, names: ReadonlySet<string>, keys: ReadonlySet<string> | undefined): CampaignTexts {
  const files = [...open.messages].map(([tag, file]) => {
    const picked = [...file].filter(([key]) => keys === undefined || keys.has(key))
    return [normalizeTag(tag), Object.fromEntries(picked)] as const
  })
  const snippets = [...names].map((name) => [name, open.snippets.get(name) ?? ''])
  return {
    translations: Object.fromEntries(files),
    fallback: open.defaultLocale,
    snippets: Object.fromEntries(snippets),
    isOpen: keys === undefined,
  }
}

function unique<T>(list: T[]): T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]
}
