// Chooses the texts of an environment that a definition uses, and names those that are missing.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { MailWarning } from '../../../contract/resources/mail.ts'
import { type UsedTexts, usedTextsIn } from '../../campaign/expression/used-texts.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { normalizeTag } from '../../domain/tenant/locale-tags.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { hasMessage, type OpenTexts, readTexts } from './open-texts.ts'

/** Of the texts of one version, in characters: they are loaded with it. */
const MAX_CHARS = 262_144
const TOO_LONG: ErrorDetail = {
  path: '',
  message: `The translations and snippets of a campaign have at most ${MAX_CHARS} characters.`,
}
/** Warnings of one definition, and faults. */
const MAX_TOLD = 100

export interface ChosenTexts {
  /** Undefined: the definition uses none. */
  texts: CampaignTexts | undefined
  /** Of the translations that it prints, there or not; undefined: of all, as only a run knows them. */
  keys: ReadonlySet<string> | undefined
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
    const usesOf: Use[][] = []
    for (const definition of definitions) usesOf.push(await listUses(definition))
    if (usesOf.every((uses) => uses.length === 0)) return usesOf.map(() => ({ snippets: [], translations: [] }))
    const find = await createFindTexts(await readTexts(deps, environmentId))
    const messagesOf = (list: { message: string }[]) => [...new Set(list.map(({ message }) => message))]
    const missing: MissingTexts[] = []
    for (const uses of usesOf) {
      const { lacking, tooLong, warnings } = await find(uses)
      const named = { snippets: messagesOf(lacking), translations: messagesOf(warnings) }
      missing.push(tooLong === undefined ? named : { ...named, tooLong: tooLong.message })
    }
    return missing
  }
}

interface Use {
  path: string
  used: UsedTexts
}

export function createChooseTexts(deps: Parameters<typeof readTexts>[0]): ChooseTexts {
  return async (environmentId, definition) => {
    const uses = await listUses(definition)
    if (uses.length === 0) return { texts: undefined, keys: new Set(), warnings: [], faults: [] }
    const find = await createFindTexts(await readTexts(deps, environmentId))
    const { lacking, tooLong, ...found } = await find(uses)
    return { ...found, faults: tooLong === undefined ? lacking : [...lacking, tooLong] }
  }
}

/** Lists the templates of a definition that use any, wherever they are. */
async function listUses(definition: object): Promise<Use[]> {
  const uses: Use[] = []
  const endSlice = createTimeSlices()
  for (const { path, text } of textsIn(definition, '')) {
    const used = usedTextsIn(text)
    if (used.isOpen || used.keys.length + used.snippets.length > 0) uses.push({ path, used })
    await endSlice()
  }
  return uses
}

function* textsIn(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* textsIn(inner, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`)
}

interface FoundTexts extends Omit<ChosenTexts, 'faults'> {
  /** Snippets that are not there. */
  lacking: ErrorDetail[]
  tooLong: ErrorDetail | undefined
}

/** What the environment lacks of a template or snippet: a snippet that is rendered at a thousand places is read once. */
interface Lacks {
  warnings: string[]
  snippets: string[]
}

/** @returns a function that finds the texts of the environment that a definition uses */
async function createFindTexts(open: OpenTexts): Promise<(uses: Use[]) => Promise<FoundTexts>> {
  const endSlice = createTimeSlices()
  const usedBySnippet = new Map<string, UsedTexts>()
  for (const [name, source] of open.snippets) {
    usedBySnippet.set(name, usedTextsIn(source))
    await endSlice()
  }
  const known = new Map<UsedTexts, Lacks>()
  function lacksOf(used: UsedTexts): Lacks {
    const lacks = known.get(used) ?? {
      warnings: firstOf(used.keys, (key) => findLack(open, key)),
      snippets: firstOf(used.snippets, (name) =>
        usedBySnippet.has(name) ? undefined : `There is no snippet ${name}.`,
      ),
    }
    known.set(used, lacks)
    return lacks
  }

  return async (uses) => {
    const warnings: Told = new Map()
    const lacking: Told = new Map()
    const chosen = new Set<UsedTexts>()
    for (const { path, used } of uses) {
      for (const one of [used, ...withInner(used, usedBySnippet)]) {
        chosen.add(one)
        const lacks = lacksOf(one)
        tell(warnings, path, lacks.warnings)
        tell(lacking, path, lacks.snippets)
      }
      await endSlice()
    }
    const all = [...chosen]
    const keys = all.some(({ isOpen }) => isOpen) ? undefined : new Set(all.flatMap((one) => one.keys))
    const names = new Set(all.flatMap(({ snippets }) => snippets).filter((name) => usedBySnippet.has(name)))
    const texts = pick(open, names, keys)
    const tooLong = JSON.stringify(texts).length > MAX_CHARS ? TOO_LONG : undefined
    const toWarning = (one: ErrorDetail) => ({ path: one.path, line: null, message: one.message })
    return { texts, keys, warnings: [...warnings.values()].map(toWarning), lacking: [...lacking.values()], tooLong }
  }
}

type Told = Map<string, ErrorDetail>

/** Adds what is not told yet of a place. */
function tell(told: Told, path: string, messages: readonly string[]): void {
  for (const message of messages) {
    if (told.size === MAX_TOLD) return
    const key = `${path}\n${message}`
    if (!told.has(key)) told.set(key, { path, message })
  }
}

/** @returns the first messages about some of these names, as many as are told */
function firstOf(names: readonly string[], messageOf: (name: string) => string | undefined): string[] {
  const messages: string[] = []
  for (const name of names) {
    if (messages.length === MAX_TOLD) break
    const message = messageOf(name)
    if (message !== undefined) messages.push(message)
  }
  return messages
}

function findLack(open: OpenTexts, key: string): string | undefined {
  const lack = [...open.messages.keys()].filter((locale) => !hasMessage(open, locale, key))
  const isNowhere = lack.length === open.messages.size
  if (!isNowhere && lack.length === 0) return undefined
  return `The translation ${key} is missing ${isNowhere ? 'in every locale' : `in ${lack.join(', ')}`}.`
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
